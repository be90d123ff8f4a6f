import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { AUCTION_WORDS } from "../order/also_happened.ts";
import type { OrderReport, ReportedBid } from "../order/order_report.ts";
import { comparison, fees, fills, orderHead } from "./order_amounts.ts";
import { type Cell, cell, type PageContent, type Section, type Tone } from "./page_content.ts";
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
import { commandOf, unknownSection } from "./subject_sections.ts";

/** The report of an order as a page. */
export function orderContent(report: OrderReport, tokens: TokenOptions = {}): PageContent {
  const words = new PageWords(tokens);
  const { uid, deployment } = report;
  return {
    title: `Order ${shortHex(uid)}`,
    subject: { uid },
    sentence: report.sentence,
    tone: toneOf(report),
    facts: orderHead(report, words),
    sections: [
      also(report),
      timeline(report),
      comparison(report, words),
      fills(report, words),
      bids(report, words),
      attempts(report),
      fees(report, words),
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
  if (alsoHappened.length === 0) return null;
  return {
    id: "also",
    title: "Also happened",
    table: {
      columns: [{ name: "What" }, { name: "Count", isNumber: true }],
      rows: alsoHappened.map(({ text, count }) => [cell(text), cell(count)]),
    },
  };
}

function timeline({ timeline, evidence }: OrderReport): Section | null {
  if (timeline.length === 0) return null;
  return {
    id: "timeline",
    title: "Timeline",
    ...timeline.some(({ basis }) => basis === "bracketed") && {
      note: `${
        evidence.node ? "Some" : "Without a node,"
      } times of auctions and fills are intervals: the earliest is shown.`,
    },
    table: {
      columns: [{ name: "Time", isWhole: true }, { name: "Known by", isMinor: true }, {
        name: "Block",
        isNumber: true,
      }, {
        name: "What",
      }],
      rows: timeline.map(({ at, latestAt, basis, block, text }) => [
        timeCell(at, latestAt),
        cell(basis),
        cell(block),
        cell(text),
      ]),
    },
  };
}

function bids({ auctions, order }: OrderReport, words: PageWords): Section | null {
  if (order === null || auctions.length === 0) return null;
  const surplusToken = order.kind === "sell" ? order.buyToken : order.sellToken;
  const rowOf = (auctionId: number, bid: ReportedBid): Cell[] => [
    auctionCell(auctionId),
    cell(bid.ranking),
    solverCell(bid.solver, bid.solverName),
    words.amount(bid.sellAmount, order.sellToken),
    words.amount(bid.buyAmount, order.buyToken),
    bpsCell(bid.overLimitBps),
    words.amount(bid.behindWinnerAtoms, surplusToken),
    cell(bid.isWinner ? "won" : bid.filteredOut ? "filtered out" : "lost"),
  ];
  const offered = auctions.flatMap(({ auctionId, bids }) =>
    bids.map((bid) => ({ auctionId, bid }))
  );
  return {
    id: "auctions",
    title: "Auctions and bids",
    note: outcomesInWords(auctions),
    table: {
      columns: [
        { name: "Auction", isNumber: true },
        { name: "Rank", isNumber: true },
        { name: "Solver" },
        { name: "Sells", isNumber: true },
        { name: "Buys", isNumber: true },
        { name: "Over limit", isNumber: true },
        { name: "Behind winner", isNumber: true },
        { name: "Outcome" },
      ],
      rows: offered.map(({ auctionId, bid }) => rowOf(auctionId, bid)),
      minor: {
        rows: new Set(offered.flatMap(({ bid }, at) => bid.isWinner || bid.filteredOut ? [] : at)),
        name: "bids that lost",
      },
    },
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
    (attempts ?? []).map((attempt) => [
      auctionCell(auctionId),
      solverCell(attempt.solver, nameIn(bids, attempt.solutionUid)),
      timeCell(attempt.startTimestamp),
      cell(attempt.startBlock),
      cell(attempt.endBlock),
      cell(attempt.deadlineBlock),
      cell(attempt.outcome ?? "pending"),
    ])
  );
  if (rows.length === 0) return null;
  return {
    id: "attempts",
    title: "Attempts to settle",
    table: {
      columns: [
        { name: "Auction", isNumber: true },
        { name: "Solver" },
        { name: "Began", isWhole: true },
        { name: "From block", isNumber: true },
        { name: "To block", isNumber: true },
        { name: "Deadline", isNumber: true },
        { name: "Outcome" },
      ],
      rows,
    },
  };
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
    facts: [
      {
        name: "UID by its terms",
        value: isUidRight
          ? { text: "the same", tone: "good" }
          : { ...uidCell(computedUid), tone: "bad" },
      },
      { name: "Signed", value: { text: signed, ...isSignerOwner === false && { tone: "bad" } } },
      ...signer === null ? [] : [{ name: "Signer", value: accountCell(signer) }],
      ...onchainUser === null ? [] : [{ name: "Placed for", value: accountCell(onchainUser) }],
    ],
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
    facts: [
      { name: "Hash", value: { text: shortHex(hash), exact: hash } },
      { name: "Checked", value: { text: hashed, ...isHashRight === false && { tone: "bad" } } },
      { name: "App code", value: cell(appCode) },
    ],
    ...hooks.length === 0 ? {} : {
      table: {
        columns: [{ name: "Hook" }, { name: "Target" }, { name: "Gas", isNumber: true }],
        rows: hooks.map(({ moment, target, gasLimit }) => [
          cell(moment),
          accountCell(target),
          cell(gasLimit),
        ]),
      },
    },
    ...document === null ? {} : { raw: document },
  };
}
