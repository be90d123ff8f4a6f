import type { SettlementInteraction } from "../../../evm/mod.ts";
import { encodeRouterSwap, encodeWithdraw } from "../../../evm/settlement/encode_calls.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../../networks/mod.ts";
import { ROUTER } from "../state/contracts.ts";
import { SETTLEMENT_CONTRACT } from "../state/market.ts";
import type { PlannedSolution, PlannedSwap } from "../state/solution.ts";
import { WRAPPED_NATIVE } from "../state/tokens.ts";

/** A contract call of a settlement, before it is encoded. */
export type SettlementStep =
  | { readonly kind: "hooks"; readonly interaction: SettlementInteraction }
  | { readonly kind: "swap"; readonly swap: PlannedSwap }
  | { readonly kind: "unwrap"; readonly atoms: bigint };

/** The contract calls of a settlement, by when they are made. */
export interface SettlementSteps {
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
