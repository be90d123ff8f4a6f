import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { findSettledSolutions } from "../orders/fills.ts";

/** One call of `settle`. */
interface SettleCall {
  /** Its trades. */
  readonly fills: readonly TradeEvent[];
  /** The solver that its last event names. */
  readonly solver: string;
}

/** The part of a settlement that belongs to one auction. */
export interface SettledPart {
  /** Solutions of the auction that it executes: mostly one. */
  readonly solutions: readonly Solution[];
  /** Their trades: all of the settlement, if its transaction settles nothing else. */
  readonly fills: readonly TradeEvent[];
  /** Accounts that may have submitted them. */
  readonly solvers: readonly string[];
}

/**
 * Finds the part of a settlement that belongs to an auction: the solutions with its transaction, otherwise
 * winners of the solver with one of its orders. A transaction may call `settle` several times, also for
 * other auctions: each solution has the call with a trade as it reports it, otherwise the one with an
 * order of its own.
 */
export function findSettledPart(
  settlement: Pick<OnchainSettlement, "txHash" | "from" | "solver" | "events">,
  { solutions }: Pick<Competition, "solutions">,
): SettledPart {
  const { txHash, from, solver } = settlement;
  const calls = splitByCall(settlement);
  const namedSolutions = findSettledSolutions(solutions, txHash);
  const settledSolutions = namedSolutions.length > 0 ? namedSolutions : calls.flatMap((call) => {
    const solvers = [from, solver, call.solver];
    return solutions.find((solution) =>
      solution.isWinner && includesAccount(solution.solverAddress, solvers) &&
      hasOrder(solution, call)
    ) ?? [];
  });
  const ownCalls = new Set(
    settledSolutions.flatMap((solution) =>
      calls.find((call) => hasTrade(solution, call)) ??
        calls.find((call) => hasOrder(solution, call)) ?? []
    ),
  );
  const parts = calls.length === 1 || ownCalls.size === 0
    ? calls
    : calls.filter((call) => ownCalls.has(call));
  return {
    solutions: [...new Set(settledSolutions)],
    fills: parts.flatMap(({ fills }) => fills),
    solvers: [from, solver, ...parts.map((call) => call.solver)],
  };
}

/** Whether accounts include one, in any letter case. */
export function includesAccount(account: string, accounts: readonly string[]): boolean {
  return accounts.some((candidate) => sameHex(candidate, account));
}

/** Splits the events of a transaction by the calls of `settle`, each of which ends with its event. */
function splitByCall(
  { events, solver }: Pick<OnchainSettlement, "events" | "solver">,
): SettleCall[] {
  const calls: SettleCall[] = [];
  let fills: TradeEvent[] = [];
  for (const event of events) {
    if (event.event === "Trade") fills.push(event);
    if (event.event !== "Settlement") continue;
    calls.push({ fills, solver: event.solver });
    fills = [];
  }
  const last = calls.pop() ?? { fills: [], solver };
  return [...calls, { ...last, fills: [...last.fills, ...fills] }];
}

function hasOrder({ orders }: Solution, { fills }: SettleCall): boolean {
  return fills.some(({ orderUid }) => orders.some(({ id }) => sameHex(id, orderUid)));
}

function hasTrade({ orders }: Solution, { fills }: SettleCall): boolean {
  return fills.some(({ orderUid, sellAmount, buyAmount }) =>
    orders.some((order) =>
      sameHex(order.id, orderUid) && order.sellAmount === sellAmount &&
      order.buyAmount === buyAmount
    )
  );
}
