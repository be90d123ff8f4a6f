import {
  type AuctionRole,
  auditFees,
  decomposeSlippage,
  networkFee,
  type OrderFillFacts,
  settledSurplus,
  slippage,
} from "../../metrics/mod.ts";
import { byBaseline } from "../../metrics/quotes/quote_baseline.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { AuctionEvidence } from "./judge_auction.ts";
import type { ReportedFill } from "./order_report.ts";
import type { NameOf } from "./report_auctions.ts";

/** What the fills of a report are computed from. */
export interface FillAnswers {
  /** The order. */
  readonly order: Order;
  /** Its trades. */
  readonly trades: readonly Trade[];
  /** Its debug report; `null` without one. */
  readonly debugReport: DebugReport | null;
  /** Competitions that were read. */
  readonly competitions: readonly Competition[];
  /** Its auctions. */
  readonly auctions: readonly AuctionEvidence[];
  /** Names of solvers. */
  readonly nameOf: NameOf;
}

/** Every fill with its surplus, slippage, fees and their audit. */
export function reportFills(
  fills: readonly OrderFillFacts[],
  answers: FillAnswers,
): ReportedFill[] {
  return fills.flatMap((fill) => {
    const trade = answers.trades.find(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    );
    return trade === undefined ? [] : [reportFill(fill, trade, answers)];
  });
}

function reportFill(fill: OrderFillFacts, trade: Trade, answers: FillAnswers): ReportedFill {
  const { order, auctions, nameOf } = answers;
  const auction = auctions.find(({ fills }) =>
    fills.some(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    )
  );
  const deadline = auction?.deadlineBlock ?? null;
  const solver = solverOf(fill, auction, answers);
  const executedFee = feeOf(fill, answers);
  const options = {
    ...roleOf(auction?.role),
    ...executedFee === undefined ? {} : { executedFee },
  };
  return {
    ...fill,
    auctionId: auction?.auctionId ?? fill.auctionId,
    solver,
    solverName: solver === null ? null : nameOf(solver),
    blocksLate: deadline === null ? null : fill.blockNumber - deadline,
    surplusAtoms: settledSurplus(trade, order, auction?.role),
    slippages: byBaseline((baseline) =>
      slippage(trade, order, order.quote, baseline, roleOf(auction?.role))
    ),
    parts: decomposeSlippage(trade, order, options),
    networkFee: networkFee(trade, order, options),
    audit: auditFees(trade, order),
  };
}

function roleOf(role: AuctionRole | undefined): { readonly role?: AuctionRole } {
  return role === undefined ? {} : { role };
}

/** The winner whose settlement has the fill; the only winner that bid on the order, without hashes. */
function solverOf(
  { txHash }: OrderFillFacts,
  auction: AuctionEvidence | undefined,
  { competitions }: FillAnswers,
): string | null {
  const competition = competitions.find(({ auctionId }) => auctionId === auction?.auctionId);
  const settled = competition?.solutions.find((solution) =>
    txHash !== null && solution.txHash != null && sameHex(solution.txHash, txHash)
  );
  if (settled !== undefined) return settled.solverAddress;
  const winners = auction?.bids.filter(({ isWinner }) => isWinner) ?? [];
  return winners.length === 1 ? winners[0]!.solver : null;
}

/** All fees of one fill: of its execution, or of the order if it has filled once. */
function feeOf(
  { blockNumber, auctionId }: OrderFillFacts,
  { order, trades, debugReport }: FillAnswers,
): bigint | undefined {
  const auction = debugReport?.auctions.find(({ id }) => id === auctionId);
  const executions = auction?.executions.filter((each) => each.blockNumber === blockNumber) ?? [];
  if (executions.length === 1) return executions[0]!.executedFee;
  return trades.length === 1 ? order.executedFee : undefined;
}
