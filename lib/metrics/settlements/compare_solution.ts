import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { amountsText, type SettlementDifference } from "./settlement_difference.ts";

/**
 * The solution that a settlement executes: the one with its transaction, otherwise a winner of the
 * solver with one of its orders; `null` if there is none.
 */
export function settledSolution(
  { txHash, from }: Pick<OnchainSettlement, "txHash" | "from">,
  fills: readonly Pick<TradeEvent, "orderUid">[],
  { solutions }: Pick<Competition, "solutions">,
): Solution | null {
  const named = solutions.find((one) => one.txHash != null && sameHex(one.txHash, txHash));
  if (named !== undefined) return named;
  const settled = new HexMap(fills.map(({ orderUid }) => [orderUid, true]));
  return solutions.find(({ isWinner, solverAddress, orders }) =>
    isWinner && sameHex(solverAddress, from) && orders.some(({ id }) => settled.has(id))
  ) ?? null;
}

/** What differs between a settlement and its competition. */
export function compareWithCompetition(
  settlement: OnchainSettlement,
  { competition, solution, fills }: {
    readonly competition: Competition;
    readonly solution: Solution | null;
    readonly fills: readonly TradeEvent[];
  },
): SettlementDifference[] {
  const { txHash, auctionId, blockNumber, from } = settlement;
  const { transactionHashes, auctionDeadlineBlock } = competition;
  const found: SettlementDifference[] = [];
  const differ = (
    what: SettlementDifference["what"],
    onChain: unknown,
    reported: unknown,
  ): void => {
    found.push({ what, uid: null, onChain: String(onChain), reported: String(reported) });
  };
  if (auctionId !== null && auctionId !== competition.auctionId) {
    differ("other_auction", auctionId, competition.auctionId);
  }
  if (!transactionHashes.some((hash) => sameHex(hash, txHash))) {
    differ("transaction_not_reported", txHash, transactionHashes.join(", ") || "none");
  }
  if (auctionDeadlineBlock !== undefined && blockNumber > auctionDeadlineBlock) {
    differ("late", blockNumber, auctionDeadlineBlock);
  }
  if (solution === null) {
    differ("no_solution", from, `${competition.solutions.length} solutions`);
    return found;
  }
  if (!solution.isWinner) differ("not_a_winner", from, `ranking ${solution.ranking}`);
  if (!sameHex(solution.solverAddress, from)) differ("other_solver", from, solution.solverAddress);
  return settlement.succeeded ? [...found, ...compareTrades(solution, fills)] : found;
}

function compareTrades(
  { orders }: Solution,
  fills: readonly TradeEvent[],
): SettlementDifference[] {
  const reported = new HexMap(orders.map((order) => [order.id, order]));
  const found: SettlementDifference[] = [];
  for (const fill of fills) {
    const { orderUid: uid } = fill;
    const order = reported.get(uid);
    reported.delete(uid);
    const onChain = amountsText(fill);
    if (order === undefined) {
      found.push({ what: "trade_not_reported", uid, onChain, reported: "nothing" });
    } else if (order.sellAmount !== fill.sellAmount || order.buyAmount !== fill.buyAmount) {
      found.push({ what: "other_amounts", uid, onChain, reported: amountsText(order) });
    }
  }
  for (const order of reported.values()) {
    found.push({
      what: "trade_not_settled",
      uid: order.id,
      onChain: "nothing",
      reported: amountsText(order),
    });
  }
  return found;
}
