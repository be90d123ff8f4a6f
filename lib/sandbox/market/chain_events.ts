import type { SettlementInteraction } from "../../evm/mod.ts";
import { encodeRouterSwap, encodeWithdraw } from "../../evm/settlement/encode_calls.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import type { PlannedExecution, PlannedSolution, PlannedSwap } from "./book.ts";
import type { PoolTrade, PreSignCall, SettleCall } from "./chain.ts";
import { ROUTER, WRAPPED_NATIVE } from "./ledger.ts";
import { SETTLEMENT_CONTRACT } from "./market.ts";

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

/** A contract call of a settlement, before it is encoded. */
type SettlementStep =
  | { readonly kind: "hooks"; readonly interaction: SettlementInteraction }
  | { readonly kind: "swap"; readonly swap: PlannedSwap }
  | { readonly kind: "unwrap"; readonly atoms: bigint };

/** The contract calls of a settlement, by when they are made. */
interface SettlementSteps {
  /** Before tokens are collected. */
  readonly pre: readonly SettlementStep[];
  /** Between collecting and paying out. */
  readonly intra: readonly SettlementStep[];
  /** After tokens are paid out. */
  readonly post: readonly SettlementStep[];
}

/**
 * The contract calls of a solution: the hooks of its orders, its trades with pools, and the
 * unwrapping of what is paid out in the native token.
 */
export function settlementSteps({ executions, swaps }: PlannedSolution): SettlementSteps {
  const hooks = (when: "pre" | "post") =>
    executions.flatMap(({ order }) => order.origin.interactions[when])
      .map((interaction) => ({ kind: "hooks" as const, interaction }));
  const unwraps = executions
    .filter(({ order }) => order.signed.buyToken === NATIVE_TOKEN_ADDRESS)
    .map(({ fill }) => ({ kind: "unwrap" as const, atoms: fill.buyAmount }));
  const trades = swaps.map((swap) => ({ kind: "swap" as const, swap }));
  return { pre: hooks("pre"), intra: [...trades, ...unwraps], post: hooks("post") };
}

/** A step as the settlement contract makes it. */
export function interactionOf(step: SettlementStep): SettlementInteraction {
  if (step.kind === "hooks") return step.interaction;
  if (step.kind === "unwrap") {
    return { target: WRAPPED_NATIVE, value: 0n, callData: encodeWithdraw(step.atoms) };
  }
  return { target: ROUTER, value: 0n, callData: swapCall(step.swap) };
}

function swapCall(swap: PlannedSwap): string {
  const { route, bound } = swap;
  const path = [route.from];
  for (const pool of route.pools) path.push(pool.otherToken(path.at(-1)!));
  const amount = "paid" in swap ? swap.paid : swap.wanted;
  const fixed = "paid" in swap ? "paid" : "bought";
  return encodeRouterSwap({ fixed, amount, bound, path, to: SETTLEMENT_CONTRACT });
}
