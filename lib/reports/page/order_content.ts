import { surplusToken } from "../../metrics/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { isClosedStatus, type Order } from "../../schemas/mod.ts";
import { commandOf } from "../command_text.ts";
import { AUCTION_WORDS } from "../order/also_happened.ts";
import { toTraderView } from "../order/ethflow_deposit.ts";
import { nextSteps } from "../order/next_steps.ts";
import { isShort } from "../order/order_funds.ts";
import type { OrderReport, ReportedAuction, TimelineEntry } from "../order/order_report.ts";
import { fundsText, lackClause, type WriteFunds } from "../order/sentence_of.ts";
import { comparison, fees, fills, fundsOf, orderHead, orderLead } from "./order_amounts.ts";
import {
  cell,
  factsOf,
  listSection,
  numbers,
  type PageContent,
  type Section,
  tableOf,
  type Tone,
  words,
} from "./page_content.ts";
import {
  accountCell,
  auctionCell,
  bpsCell,
  PageWords,
  shortHex,
  solverCell,
  timeCell,
  uidCell,
  withShortHex,
} from "./page_words.ts";
import { programmaticSections, unknownSection } from "./subject_sections.ts";

/** The report of an order as a page. */
export function orderContent(data: OrderReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const report = { ...data, order: toTraderView(data.order) };
  const { uid, deployment } = report;
  return {
    title: `Order ${shortHex(uid)}`,
    subject: { uid },
    ...orderLead(report, amounts),
    sentence: [...listMismatches(report), shownSentence(report, amounts)].join(" "),
    next: nextSteps(data, (atoms, token) => amounts.amount(atoms, token).text)
      .map(({ text }) => withShortHex(text)),
    tone: listMismatches(report).length > 0 ? "bad" : toneOf(report),
    facts: orderHead(report, amounts),
    sections: [
      also(report),
      timeline(report, amounts),
      comparison(report, amounts),
      fills(report, amounts),
      bids(report, amounts),
      attempts(report),
      fees(report, amounts),
      ...report.programmatic === null ? [] : programmaticSections([report.programmatic], amounts),
      identity(report),
      appData(report),
      unknownSection(report.unknown),
    ].flatMap((section) => section ?? []),
    network: report.order === null ? null : deployment.network,
    command: commandOf(uid, deployment),
    data,
  };
}

/** The sentence with amounts in whole tokens, and without the middle of long hex texts. */
function shownSentence({ sentence, reason, ...rest }: OrderReport, amounts: PageWords): string {
  const { order, funds, earlierFunds } = rest;
  const clause = lackClause(reason, fundsOf(rest));
  if (order === null || clause === null) {
    return withShortHex(sentence.replaceAll(TIME, "$1 $2 UTC"));
  }
  // What was missing before stands among the facts: what still is comes first.
  const named = funds !== null && isShort(funds) ? [funds] : earlierFunds;
  const shown = lackClause(reason, named, fundsWriter(order, amounts)) ?? clause;
  return withShortHex(sentence.replace(clause, () => shown));
}

/** A time as sentences have it. */
const TIME = /(\d{4}-\d\d-\d\d)T([\d:.]+)Z/g;

function fundsWriter({ sellToken }: Order, amounts: PageWords): WriteFunds {
  return (atoms) => amounts.amount(atoms, sellToken).text;
}

function toneOf({ cause, outlook, order }: OrderReport): Tone {
  if (cause === "filled" || cause === "executing" || cause === "executed_not_indexed") {
    return "good";
  }
  if (cause === "auction_running") return "neutral";
  const isOver = order !== null && isClosedStatus(order.status);
  if (isOver && outlook?.mayStillSettle === true) return "neutral";
  if (cause === "filled_late" || cause === "jit_capturing" || cause === "jit_liquidity") {
    return "warning";
  }
  return cause === "unknown" || cause === "unknown_here" || cause === "not_valid_yet"
    ? "neutral"
    : "bad";
}

function also({ alsoHappened }: OrderReport): Section | null {
  return listSection({ id: "also", title: "Also happened", rows: alsoHappened }, [
    words("What", ({ text }) => cell(text)),
    numbers("Count", ({ count }) => cell(count)),
  ]);
}

function timeline(report: OrderReport, amounts: PageWords): Section | null {
  const { timeline, evidence } = report;
  const note = timeline.some(({ basis }) => basis === "bracketed")
    ? `${
      evidence.node ? "Some" : "Without a node,"
    } times of auctions and fills are intervals, shown by both ends and ordered by the first.`
    : undefined;
  return listSection({ id: "timeline", title: "Timeline", note, rows: lines(report, amounts) }, [
    words("Time", ({ at, latestAt }) => timeCell(at, latestAt), { isWhole: true }),
    words("Known by", ({ basis }) => cell(basis), { isMinor: true }),
    numbers("Block", ({ blocks }) => cell(blocks)),
    words("What", ({ text }) => cell(text)),
  ]);
}

/** The timeline with amounts in whole tokens, and with auctions without a bid in one line. */
function lines(report: OrderReport, amounts: PageWords) {
  const unbid = new Map(
    report.auctions.filter(isUnbid).map((auction) => [auction.auctionId, auction]),
  );
  const rows: (Pick<TimelineEntry, "at" | "latestAt" | "basis"> & {
    readonly blocks: string | null;
    readonly text: string;
    readonly run: readonly ReportedAuction[];
  })[] = [];
  for (const entry of report.timeline) {
    const { at, latestAt, basis, block, kind, auctionId } = entry;
    const auction = kind === "auction" ? unbid.get(auctionId ?? -1) : undefined;
    const last = rows.at(-1);
    if (auction === undefined || last === undefined || last.run.length === 0) {
      const blocks = block === null ? null : `${block}`;
      const run = auction === undefined ? [] : [auction];
      const text = timelineText(entry, report, amounts);
      rows.push({ at, latestAt, basis, blocks, text, run });
      continue;
    }
    const run = [...last.run, auction];
    rows[rows.length - 1] = {
      ...last,
      latestAt,
      blocks: `${run[0]!.block} to ${auction.block}`,
      text: runText(run),
      run,
    };
  }
  return rows;
}

const NATIVE = /(\d+) native atoms/g;

function timelineText(entry: TimelineEntry, report: OrderReport, amounts: PageWords): string {
  const { order } = report;
  const own = fundsOf(report).find(({ block, at }) =>
    entry.kind === "funds" && block === entry.block && entry.at !== null && at.equals(entry.at)
  );
  if (own !== undefined && order !== null) return fundsText(own, fundsWriter(order, amounts));
  return entry.text.replaceAll(
    NATIVE,
    (_, atoms) => amounts.amount(BigInt(atoms), NATIVE_TOKEN_ADDRESS).text,
  );
}

function isUnbid({ outcome }: ReportedAuction): boolean {
  return outcome === "no_bid_limit_beyond_market" || outcome === "no_bid_at_a_fair_limit";
}

/** Auctions that did the same with the order, or in which nobody bid on it, in one clause. */
function runText(run: readonly ReportedAuction[]): string {
  const [{ auctionId: from, outcome }, to] = [run[0]!, run.at(-1)!.auctionId];
  const beyond = run.filter(({ outcome }) => outcome === "no_bid_limit_beyond_market").length;
  const what = !isUnbid(run[0]!) || beyond === 0 || beyond === run.length
    ? AUCTION_WORDS[outcome]
    : `nobody bid; in ${beyond} of them its limit was beyond the market`;
  return run.length === 1
    ? `Auction ${from}: ${what}`
    : `${run.length} auctions from ${from} to ${to}: ${what}`;
}

function bids({ auctions, order }: OrderReport, amounts: PageWords): Section | null {
  if (order === null || auctions.length === 0) return null;
  const { sellToken, buyToken } = order;
  const offered = auctions.flatMap(({ bids }) => bids);
  const table = tableOf(offered, [
    numbers("Auction", ({ auctionId }) => auctionCell(auctionId)),
    numbers("Rank", ({ ranking }) => cell(ranking)),
    words("Solver", ({ solver, solverName }) => solverCell(solver, solverName)),
    numbers("Sells", ({ sellAmount }) => amounts.amount(sellAmount, sellToken)),
    numbers("Buys", ({ buyAmount }) => amounts.amount(buyAmount, buyToken)),
    numbers("Over limit", ({ overLimitBps }) => bpsCell(overLimitBps)),
    numbers(
      "Behind winner",
      ({ behindWinnerAtoms }) => amounts.amount(behindWinnerAtoms, surplusToken(order)),
    ),
    words(
      "Outcome",
      ({ isWinner, filteredOut }) => cell(isWinner ? "won" : filteredOut ? "filtered out" : "lost"),
    ),
  ]);
  const lost = offered.flatMap((bid, at) => bid.isWinner || bid.filteredOut ? [] : at);
  return {
    id: "auctions",
    title: "Auctions and bids",
    note: outcomesInWords(auctions),
    table: offered.length === 0
      ? undefined
      : { ...table, minor: { rows: new Set(lost), name: "bids that lost" } },
  };
}

/** Runs of auctions with the same outcome, such as `4 auctions from 1621 to 1645: nobody bid`. */
function outcomesInWords(auctions: OrderReport["auctions"]): string {
  const runs: ReportedAuction[][] = [];
  for (const auction of auctions) {
    const last = runs.at(-1);
    const isSame = last !== undefined &&
      (last[0]!.outcome === auction.outcome || isUnbid(last[0]!) && isUnbid(auction));
    if (isSame) last.push(auction);
    else runs.push([auction]);
  }
  return `${runs.map(runText).join("; ")}.`;
}

function attempts({ auctions }: OrderReport): Section | null {
  const rows = auctions.flatMap(({ auctionId, attempts, bids }) =>
    (attempts ?? []).map((attempt) => ({ auctionId, bids, ...attempt }))
  );
  return listSection({ id: "attempts", title: "Attempts to settle", rows }, [
    numbers("Auction", ({ auctionId }) => auctionCell(auctionId)),
    words(
      "Solver",
      ({ solver, bids, solutionUid }) => {
        // A rank is the number of the solution plus one.
        const bid = bids.find(({ ranking }) => ranking === solutionUid + 1);
        return solverCell(solver, bid?.solverName ?? null);
      },
    ),
    words("Began", ({ startTimestamp }) => timeCell(startTimestamp), { isWhole: true }),
    numbers("From block", ({ startBlock }) => cell(startBlock)),
    numbers("To block", ({ endBlock }) => cell(endBlock)),
    numbers("Deadline", ({ deadlineBlock }) => cell(deadlineBlock)),
    words("Outcome", ({ outcome }) => cell(outcome ?? "pending")),
  ]);
}

/** Sentences that say what of the reported order is not what its UID names and its owner signed. */
function listMismatches({ identity, appData }: OrderReport): string[] {
  return [
    ...identity?.isUidRight !== false ? [] : [
      "The reported terms do not hash to its UID: they are not those that were signed, or they are " +
      "for another chain or settlement contract.",
    ],
    ...identity?.isUidRight !== true || identity.isSignerOwner !== false
      ? []
      : [`Account ${identity.signer} signed it, and not its owner.`],
    ...appData?.isHashRight !== false
      ? []
      : ["Its app data document does not have the hash that was signed."],
  ];
}

function identity({ identity }: OrderReport): Section | null {
  if (identity === null) return null;
  const { isUidRight, computedUid, signingScheme, signer, isSignerOwner, onchainUser } = identity;
  const signed = isSignerOwner === null
    ? `${signingScheme}: only the chain can tell who signed`
    : `${signingScheme}, ${isSignerOwner ? "by its owner" : "not by its owner"}`;
  return {
    id: "identity",
    title: "Signature",
    facts: factsOf({
      "UID by its terms": isUidRight
        ? { text: "the same", tone: "good" }
        : { ...uidCell(computedUid), tone: "bad" },
      Signed: { text: signed, ...isSignerOwner === false && { tone: "bad" } },
      Signer: signer === null ? null : accountCell(signer),
      "Placed for": onchainUser === null ? null : accountCell(onchainUser),
    }),
  };
}

function appData({ appData }: OrderReport): Section | null {
  if (appData === null) return null;
  const { hash, document, isHashRight, appCode, hooks } = appData;
  const hashed = isHashRight === null
    ? "the service does not have the document"
    : isHashRight
    ? "its document has this hash"
    : "its document has another hash";
  return {
    id: "app-data",
    title: "App data",
    facts: factsOf({
      Hash: { text: shortHex(hash), exact: hash },
      Checked: { text: hashed, ...isHashRight === false && { tone: "bad" } },
      "App code": cell(appCode),
    }),
    table: hooks.length === 0 ? undefined : tableOf(hooks, [
      words("Hook", ({ moment }) => cell(moment)),
      words("Target", ({ target }) => accountCell(target)),
      numbers("Gas", ({ gasLimit }) => cell(gasLimit)),
    ]),
    raw: document ?? undefined,
  };
}
