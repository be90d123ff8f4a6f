import { NATIVE_TOKEN_ADDRESS } from "../../../networks/mod.ts";
import type { PoolTrade, PreSignCall, SettleCall } from "../state/chain.ts";
import { SETTLEMENT_CONTRACT } from "../state/market.ts";
import type { PlannedExecution } from "../state/solution.ts";
import { WRAPPED_NATIVE } from "../state/tokens.ts";
import { type SettlementStep, settlementSteps } from "./settlement_steps.ts";

/** An event of a transaction, before it is encoded as a log. */
export type ChainEvent =
  | { readonly event: "Trade"; readonly execution: PlannedExecution }
  | { readonly event: "Interaction"; readonly step: SettlementStep }
  | { readonly event: "Settlement"; readonly solver: string }
  | { readonly event: "PreSignature"; readonly owner: string; readonly uid: string }
  | ({ readonly event: "Transfer" } & TokenMove)
  | { readonly event: "Withdrawal"; readonly token: string; readonly atoms: bigint };

interface TokenMove {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly atoms: bigint;
}

/**
 * The events of a transaction in the order of the contract: pre-hooks, trades, what is taken in,
 * the swaps, what is paid out, post-hooks, and the settlement last. None if it reverted.
 */
export function chainEvents(call: SettleCall | PreSignCall): ChainEvent[] {
  if (call.kind === "preSign") {
    return [{ event: "PreSignature", owner: call.order.owner, uid: call.order.uid }];
  }
  const { plan, poolTrades } = call;
  if (poolTrades === null) return [];
  const { executions, solver } = plan;
  const { pre, intra, post } = settlementSteps(plan);
  const trades = poolTrades.values();
  return [
    ...pre.map(interaction),
    ...executions.map((execution) => ({ event: "Trade" as const, execution })),
    ...executions.map(takenIn),
    ...intra.flatMap((step) => [...movesOf(step, trades), interaction(step)]),
    ...executions.flatMap(paidOut),
    ...post.map(interaction),
    { event: "Settlement", solver },
  ];
}

function interaction(step: SettlementStep): ChainEvent {
  return { event: "Interaction", step };
}

function takenIn({ order, fill }: PlannedExecution): ChainEvent {
  const { owner, signed: { sellToken } } = order;
  const atoms = fill.sellAmount;
  return { event: "Transfer", token: sellToken, from: owner, to: SETTLEMENT_CONTRACT, atoms };
}

/** The native token emits no events. */
function paidOut({ order, fill }: PlannedExecution): ChainEvent[] {
  const { recipient, signed: { buyToken } } = order;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return [];
  const path = { from: SETTLEMENT_CONTRACT, to: recipient };
  return [{ event: "Transfer", token: buyToken, ...path, atoms: fill.buyAmount }];
}

/** What a step moves; a swap takes its trades from those that are left. */
function movesOf(step: SettlementStep, trades: Iterator<PoolTrade>): ChainEvent[] {
  if (step.kind === "hooks") return [];
  if (step.kind === "unwrap") {
    return [{ event: "Withdrawal", token: WRAPPED_NATIVE, atoms: step.atoms }];
  }
  const moves: ChainEvent[] = [];
  let from = SETTLEMENT_CONTRACT as string;
  let [token, atoms] = [step.swap.route.from, 0n];
  for (const pool of step.swap.route.pools) {
    const trade: PoolTrade = trades.next().value!;
    moves.push(move({ token, from, to: pool.address, atoms: trade.paid }));
    [token, atoms, from] = [pool.otherToken(token), trade.out, pool.address];
  }
  return [...moves, move({ token, from, to: SETTLEMENT_CONTRACT, atoms })];
}

function move(one: TokenMove): ChainEvent {
  return { event: "Transfer", ...one };
}
