import type { SettlementTrade } from "../../evm/mod.ts";
import { encodeSetPreSignature } from "../../evm/settlement/encode_calls.ts";
import { encodeSettlement } from "../../evm/settlement/encode_settlement.ts";
import { settledSignature } from "../market/settlement/settled_signature.ts";
import { interactionOf, settlementSteps } from "../market/settlement/settlement_steps.ts";
import type { ChainTransaction, SettleCall } from "../market/state/chain.ts";
import type { PlannedExecution } from "../market/state/solution.ts";

/** Calldata of a transaction. */
export function calldataOf({ call }: ChainTransaction): string {
  return call.kind === "preSign" ? encodeSetPreSignature(call.order.uid) : settleCalldata(call);
}

/**
 * The settlement of a solution, as encoded by drivers: the tokens with their uniform prices, then
 * for every trade its two tokens again, with its prices after fees; the auction's id last.
 */
function settleCalldata({ auctionId, plan }: SettleCall): string {
  const uniform = uniformPrices(plan.executions);
  const tokens = [...uniform.keys()];
  const clearingPrices = [...uniform.values()];
  const trades = plan.executions.map((execution): SettlementTrade => {
    const { order: { signed, owner }, fill } = execution;
    const place = tokens.length;
    tokens.push(signed.sellToken, signed.buyToken);
    clearingPrices.push(fill.buyAmount, fill.sellAmount);
    return {
      ...signed,
      sellTokenIndex: place,
      buyTokenIndex: place + 1,
      executedAmount: signed.kind === "sell" ? fill.sellAmount : fill.buyAmount,
      signature: settledSignature(signed, owner),
    };
  });
  const { pre, intra, post } = settlementSteps(plan);
  const interactions = {
    pre: pre.map(interactionOf),
    intra: intra.map(interactionOf),
    post: post.map(interactionOf),
  };
  return encodeSettlement({ tokens, clearingPrices, trades, interactions, auctionId });
}

/** Prices before fees, by token in the order of addresses. Pairs of a solution share no token. */
function uniformPrices(executions: readonly PlannedExecution[]): Map<string, bigint> {
  const prices = new Map<string, bigint>();
  for (const { order: { signed }, price } of executions) {
    prices.set(signed.sellToken, price.sell);
    prices.set(signed.buyToken, price.buy);
  }
  return new Map([...prices].sort(([one], [other]) => one < other ? -1 : 1));
}
