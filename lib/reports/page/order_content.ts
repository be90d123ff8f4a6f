import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { AUCTION_WORDS } from "../order/also_happened.ts";
import type { OrderReport, ReportedBid } from "../order/order_report.ts";
import { comparison, fees, fills, orderHead } from "./order_amounts.ts";
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
} from "./page_words.ts";
import { commandOf, programmaticSections, unknownSection } from "./subject_sections.ts";

/** The report of an order as a page. */
export function orderContent(report: OrderReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const { uid, deployment } = report;
  return {
    title: `Order ${shortHex(uid)}`,
    subject: { uid },
    sentence: report.sentence,
    tone: toneOf(report),
    facts: orderHead(report, amounts),
    sections: [
      also(report),
      timeline(report),
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
    network: deployment.network,
    command: commandOf(uid, deployment),
    data: report,
  };
}

function toneOf({ cause }: OrderReport): Tone {
  if (cause === "filled" || cause === "executing") return "good";
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

function timeline({ timeline, evidence }: OrderReport): Section | null {
  const note = timeline.some(({ basis }) => basis === "bracketed")
    ? `${
      evidence.node ? "Some" : "Without a node,"
    } times of auctions and fills are intervals: the earliest is shown.`
    : undefined;
  return listSection({ id: "timeline", title: "Timeline", note, rows: timeline }, [
    words("Time", ({ at, latestAt }) => timeCell(at, latestAt), { isWhole: true }),
    words("Known by", ({ basis }) => cell(basis), { isMinor: true }),
    numbers("Block", ({ block }) => cell(block)),
    words("What", ({ text }) => cell(text)),
  ]);
}

function bids({ auctions, order }: OrderReport, amounts: PageWords): Section | null {
  if (order === null || auctions.length === 0) return null;
  const { sellToken, buyToken } = order;
  const surplusToken = order.kind === "sell" ? buyToken : sellToken;
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
      ({ behindWinnerAtoms }) => amounts.amount(behindWinnerAtoms, surplusToken),
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
    table: { ...table, minor: { rows: new Set(lost), name: "bids that lost" } },
  };
}

/** Runs of auctions with the same outcome, such as `1621 to 1645 (4): nobody bid`. */
function outcomesInWords(auctions: OrderReport["auctions"]): string {
  const runs: { from: number; to: number; count: number; words: string }[] = [];
  for (const { auctionId, outcome } of auctions) {
    const words = AUCTION_WORDS[outcome];
    const last = runs.at(-1);
    if (last?.words === words) {
      last.to = auctionId;
      last.count++;
    } else runs.push({ from: auctionId, to: auctionId, count: 1, words });
  }
  return `${
    runs.map(({ from, to, count, words }) =>
      count === 1
        ? `Auction ${from}: ${words}`
        : `${count} auctions from ${from} to ${to}: ${words}`
    ).join("; ")
  }.`;
}

function attempts({ auctions }: OrderReport): Section | null {
  const rows = auctions.flatMap(({ auctionId, attempts, bids }) =>
    (attempts ?? []).map((attempt) => ({ auctionId, bids, ...attempt }))
  );
  return listSection({ id: "attempts", title: "Attempts to settle", rows }, [
    numbers("Auction", ({ auctionId }) => auctionCell(auctionId)),
    words(
      "Solver",
      ({ solver, bids, solutionUid }) => solverCell(solver, nameIn(bids, solutionUid)),
    ),
    words("Began", ({ startTimestamp }) => timeCell(startTimestamp), { isWhole: true }),
    numbers("From block", ({ startBlock }) => cell(startBlock)),
    numbers("To block", ({ endBlock }) => cell(endBlock)),
    numbers("Deadline", ({ deadlineBlock }) => cell(deadlineBlock)),
    words("Outcome", ({ outcome }) => cell(outcome ?? "pending")),
  ]);
}

/** A rank is the number of the solution plus one. */
function nameIn(bids: readonly ReportedBid[], solutionUid: number): string | null {
  return bids.find(({ ranking }) => ranking === solutionUid + 1)?.solverName ?? null;
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
