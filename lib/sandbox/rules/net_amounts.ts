import { mulDivDown, mulDivUp, mulFloat } from "../../units/mod.ts";
import { VOLUME_FACTOR } from "../market/state/fee_policies_of.ts";
import { networkFeeAtoms } from "../market/state/gas.ts";
import type { GrossQuote } from "../market/state/market_quote.ts";
import { json, Rejection } from "../wire/reply.ts";

/** Amounts of a quote as they are answered. */
export interface NetAmounts {
  /** Sell-token atoms, without the network fee. */
  readonly sellAmount: bigint;
  /** Buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
}

/** The network fee of a quote, with gas that is spent beside that of the trade. */
function feeOf(gross: GrossQuote, extraGas: number): bigint {
  return networkFeeAtoms({ ...gross, gasAmount: gross.gasAmount + extraGas });
}

/**
 * What a quote leaves after the network fee and the volume fee: of a sell order less is bought, of a
 * buy order more is sold.
 *
 * @throws {Rejection} 400 with a type, where a sell order is worth less than its fee.
 */
export function netAmounts(
  gross: GrossQuote,
  { kind, extraGas }: { kind: "sell" | "buy"; extraGas: number },
): NetAmounts {
  const { sellAmount, buyAmount } = gross;
  const feeAmount = feeOf(gross, extraGas);
  if (kind === "buy") {
    const volumeFee = mulFloat(sellAmount + feeAmount, VOLUME_FACTOR);
    return { sellAmount: sellAmount + volumeFee, buyAmount, feeAmount };
  }
  refuseBelowFee(gross, extraGas);
  const left = sellAmount - feeAmount;
  const net = mulDivDown(buyAmount, left, sellAmount);
  return { sellAmount: left, buyAmount: net - mulFloat(net, VOLUME_FACTOR), feeAmount };
}

/**
 * The quote at the same price that leaves the amount of this one once its fee is taken; rounded up,
 * because taking the fee rounds down to what there was.
 */
export function beforeFee(net: GrossQuote, extraGas: number): GrossQuote {
  const sellAmount = net.sellAmount + feeOf(net, extraGas);
  return { ...net, sellAmount, buyAmount: mulDivUp(net.buyAmount, sellAmount, net.sellAmount) };
}

/** @throws {Rejection} 400 with a type, where what is sold is no more than its fee. */
export function refuseBelowFee(gross: GrossQuote, extraGas: number): void {
  const feeAmount = feeOf(gross, extraGas);
  if (gross.sellAmount > feeAmount) return;
  throw new Rejection(json({
    errorType: "SellAmountDoesNotCoverFee",
    description: "The sell amount for the sell order is lower than the fee.",
    data: { fee_amount: `0x${feeAmount.toString(16)}` },
  }, 400));
}
