import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { pluralize } from "../../units/format.ts";
import { HexMap } from "../../units/mod.ts";
import type { AuctionReport, ReportedSolution } from "../subjects/inspect_auction.ts";
import {
  buildTable,
  type Cell,
  cell,
  type Fact,
  listSection,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import {
  type CellFormatter,
  toSolverCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "./cell_formatter.ts";
import { buildDeploymentFacts, buildSettledSection, toSubjectContent } from "./subject_sections.ts";

/** The report of an auction as a page. */
export function toAuctionContent(report: AuctionReport, amounts: CellFormatter): PageContent {
  const { auctionId, isFound, replay } = report;
  return toSubjectContent(report, auctionId, {
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    tone: !isFound ? "neutral" : replay?.agrees === false ? "warning" : "good",
    facts: buildAuctionFacts(report, amounts),
    sections: [
      buildSolutionsSection(report, amounts),
      buildBidsSection(report, amounts),
      buildSettledSection(report.settled, amounts),
      buildReplaySection(report, amounts),
      buildPricesSection(report, amounts),
      buildAuctionOrdersSection(report),
    ],
  });
}

function buildAuctionFacts(report: AuctionReport, amounts: CellFormatter): Fact[] {
  const { deployment, isFound, block, deadlineBlock, at: startAt, orderUids, replay, totalScore } =
    report;
  const facts = buildDeploymentFacts(deployment);
  if (!isFound) return toFacts(facts);
  return toFacts({
    ...facts,
    "Start block": cell(block),
    "Deadline block": cell(deadlineBlock),
    "Start block at": startAt === null ? null : toTimeCell(startAt),
    Orders: cell(orderUids.length),
    "Score of winners": amounts.formatNative(totalScore),
    Replayed: replay?.agrees === true
      ? { text: "as reported", tone: "good" }
      : { text: pluralize(replay?.differences.length ?? 0, "difference"), tone: "warning" },
  });
}

function buildSolutionsSection(
  { solutions, replay, referenceScores }: AuctionReport,
  amounts: CellFormatter,
): Section | null {
  const references = new HexMap(Object.entries(referenceScores));
  const note = replay?.path === "fast_path"
    ? "By rank. The quote decided who won; a bid below the order's limit is filtered out."
    : "By rank: winners, then others, then those filtered out as unfair; each by score.";
  return listSection({ id: "solutions", title: "Solutions", note, rows: solutions }, [
    numberColumn("Rank", ({ ranking }) => cell(ranking)),
    textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
    numberColumn("Score", ({ score }) => amounts.formatNative(score)),
    numberColumn(
      "Reference score",
      ({ solver, isWinner }) =>
        amounts.formatNative(isWinner ? references.get(solver) ?? null : null),
    ),
    numberColumn("Orders", ({ orders }) => cell(orders.length)),
    textColumn("Outcome", toOutcomeCell),
    numberColumn("Block", ({ block }) => cell(block)),
    textColumn("Transaction", ({ txHash }) => toTransactionCell(txHash)),
  ]);
}

const WON_CELLS = {
  in_time: { text: "won, settled in time", tone: "good" },
  late: { text: "won, settled late", tone: "bad" },
  absent: { text: "won, not settled", tone: "bad" },
  pending: { text: "won, being settled", tone: "neutral" },
  unknown: { text: "won", tone: "neutral" },
} as const;

function toOutcomeCell({ isWinner, filteredOut, settled: result }: ReportedSolution): Cell {
  if (isWinner) return WON_CELLS[result ?? "unknown"];
  return cell(filteredOut ? "filtered out" : "lost");
}

function buildBidsSection({ solutions }: AuctionReport, amounts: CellFormatter): Section | null {
  const toAmountCell = (atoms: bigint | string, token: string | undefined) =>
    token === undefined ? cell(String(atoms)) : amounts.formatAmount(BigInt(atoms), token);
  const rows = solutions.flatMap(({ orders, ...solution }) =>
    orders.map((order) => ({ solution, ...order }))
  ).sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return listSection({ id: "bids", title: "Bids on orders", rows }, [
    textColumn("Order", ({ id }) => toUidCell(id)),
    numberColumn("Rank", ({ solution }) => cell(solution.ranking)),
    textColumn("Solver", ({ solution }) => toSolverCell(solution.solver, solution.solverName)),
    numberColumn("Sells", ({ sellAmount, sellToken }) => toAmountCell(sellAmount, sellToken)),
    numberColumn("Buys", ({ buyAmount, buyToken }) => toAmountCell(buyAmount, buyToken)),
  ]);
}

/** Says what a replay takes from the instance of its auction. */
function formatInstance({ limits, hasOwners }: NonNullable<AuctionReport["instance"]>): string {
  const owners = hasOwners ? ", and whose orders capture surplus" : "";
  return `From the instance of the auction: the limits of ${pluralize(limits, "order")}${owners}.`;
}

function buildReplaySection(
  { replay, solutions, instance }: AuctionReport,
  amounts: CellFormatter,
): Section | null {
  if (replay === null) return null;
  const missedRows = solutions.flatMap(({ missedBaselines, ...solution }) =>
    missedBaselines.map((baseline) => ({ ...solution, ...baseline }))
  );
  const differences = replay.differences.map(({ what, solver, reported, replayed }) =>
    `${what} of ${solver}: ${reported} reported, ${replayed} by the rules`
  );
  const note = replay.agrees
    ? replay.path === "fast_path"
      ? "On the fast path: filter flags, winner and reference score match its rule."
      : "Filter flags, winners, ranks and reference scores match the rules."
    : `${differences.join("; ")}. Possible reasons: ${
      replay.possibleReasons.join(", ").replaceAll("_", " ") || "none known"
    }.`;
  return {
    id: "replay",
    title: "Replayed by the rules",
    note: instance === undefined ? note : `${note} ${formatInstance(instance)}`,
    table: missedRows.length === 0 ? undefined : buildTable(missedRows, [
      numberColumn("Rank", ({ ranking }) => cell(ranking)),
      textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
      numberColumn(
        "Score on the pair, at most",
        ({ pairScore }) => amounts.formatNative(pairScore.high),
      ),
      numberColumn("Baseline", ({ baseline }) => amounts.formatNative(baseline)),
      textColumn("Unfair", ({ isCertain, pairScore, baseline }) =>
        cell(
          !isCertain
            ? "possible"
            : pairScore.high < baseline
            ? "certain"
            : "certain: the only possible pair",
        )),
    ]),
  };
}

/** The prices of the auction that its scores follow from, of tokens that a solution trades. */
function buildPricesSection(
  { prices, solutions }: AuctionReport,
  amounts: CellFormatter,
): Section | null {
  const pricesByToken = new HexMap(Object.entries(prices));
  const traded = new Set(
    solutions.flatMap(({ orders }) =>
      orders.flatMap(({ sellToken, buyToken }) => [sellToken ?? [], buyToken ?? []].flat())
    ).map((token) => token.toLowerCase()),
  );
  const rows = [...traded].flatMap((token) => {
    const price = pricesByToken.get(token);
    return price === undefined ? [] : [{ token, price }];
  });
  const note = `By which scores are counted; the auction has ${
    pluralize(Object.keys(prices).length, "price")
  }.`;
  return listSection({ id: "prices", title: "Native prices", note, rows }, [
    textColumn("Token", ({ token }) => amounts.token(token)),
    numberColumn("Price", ({ token, price }) => toPriceCell(token, price, amounts)),
  ]);
}

/** Atoms of a token for which a native price is given. */
const PRICED_ATOMS = 10n ** 18n;

/** A native price of one whole token; of 10^18 atoms, where its decimals are unknown. */
function toPriceCell(token: string, price: bigint, amounts: CellFormatter): Cell {
  const pair = { sellToken: token, buyToken: NATIVE_TOKEN_ADDRESS };
  const rate = amounts.formatRate(pair, PRICED_ATOMS, price);
  if (rate !== null) return rate;
  const native = amounts.formatNative(price);
  return { ...native, text: `${native.text} for 10^18 atoms` };
}

function buildAuctionOrdersSection({ orderUids, solutions }: AuctionReport): Section | null {
  const bidCounts = new Map<string, number>();
  for (const { id } of solutions.flatMap((solution) => solution.orders)) {
    bidCounts.set(id.toLowerCase(), (bidCounts.get(id.toLowerCase()) ?? 0) + 1);
  }
  return listSection({ id: "orders", title: "Orders", rows: orderUids }, [
    textColumn("Order", toUidCell),
    numberColumn("Bids", (uid) => cell(bidCounts.get(uid.toLowerCase()) ?? 0)),
  ]);
}
