import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { groupByHex, HexMap, sameHex } from "../../units/mod.ts";
import { amountsText, type SettlementDifference } from "./settlement_difference.ts";

/**
 * The solution that a settlement executes: the one with its transaction, otherwise a winner of the
 * solver with one of its orders; `null` if there is none.
 */
export function settledSolution(
  { txHash, from, solver }: Pick<OnchainSettlement, "txHash" | "from" | "solver">,
  fills: readonly Pick<TradeEvent, "orderUid">[],
  { solutions }: Pick<Competition, "solutions">,
): Solution | null {
  const named = solutions.find((one) => one.txHash != null && sameHex(one.txHash, txHash));
  if (named !== undefined) return named;
  const settled = new HexMap(fills.map(({ orderUid }) => [orderUid, true]));
  return solutions.find(({ isWinner, solverAddress, orders }) =>
    isWinner && isOneOf(solverAddress, [from, solver]) && orders.some(({ id }) => settled.has(id))
  ) ?? null;
}

/** A contract that calls `settle` for a solver is the caller of its own. */
function isOneOf(account: string, accounts: readonly string[]): boolean {
  return accounts.some((one) => sameHex(one, account));
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
  const { txHash, auctionId, blockNumber, from, solver } = settlement;
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
  if (!isOneOf(solution.solverAddress, [from, solver])) {
    differ("other_solver", from, solution.solverAddress);
  }
  return settlement.succeeded ? [...found, ...compareTrades(solution, fills)] : found;
}

function compareTrades(
  { orders }: Solution,
  fills: readonly TradeEvent[],
): SettlementDifference[] {
  const reported = groupByHex(orders, ({ id }) => id);
  const settled = groupByHex(fills, ({ orderUid }) => orderUid);
  const found: SettlementDifference[] = [];
  for (const [uid, trades] of settled) {
    const onChain = amountsText(summed(trades));
    const same = reported.get(uid);
    if (same === undefined) {
      found.push({ what: "trade_not_reported", uid, onChain, reported: "nothing" });
    } else if (amountsText(summed(same)) !== onChain) {
      found.push({ what: "other_amounts", uid, onChain, reported: amountsText(summed(same)) });
    }
  }
  for (const [uid, same] of reported) {
    if (settled.has(uid)) continue;
    const nothing = { what: "trade_not_settled", uid, onChain: "nothing" } as const;
    found.push({ ...nothing, reported: amountsText(summed(same)) });
  }
  return found;
}

/** The amounts of an order that a settlement executes once or several times. */
function summed(executions: readonly Amounts[]): Amounts {
  return executions.reduce((sum, one) => ({
    sellAmount: sum.sellAmount + one.sellAmount,
    buyAmount: sum.buyAmount + one.buyAmount,
  }));
}

type Amounts = Parameters<typeof amountsText>[0];
