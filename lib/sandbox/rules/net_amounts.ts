import { mulDivDown, mulDivUp, mulFloat } from "../../units/mod.ts";
import { VOLUME_FACTOR } from "../market/state/fee_policies_of.ts";
import { networkFeeAtoms } from "../market/state/gas.ts";
import type { GrossQuote } from "../market/state/market_quote.ts";
import { json, Rejection } from "../wire/reply.ts";

/** Amounts of a quote, net of fees. */
export interface NetAmounts {
  /** Sell-token atoms, excluding the network fee. */
  readonly sellAmount: bigint;
  /** Buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
}

/** The network fee of a quote, including gas beyond that of the trade. */
function feeOf(gross: GrossQuote, extraGas: number): bigint {
  return networkFeeAtoms({ ...gross, gasAmount: gross.gasAmount + extraGas });
}

/**
 * Applies the network fee and the volume fee to a quote: a sell order buys less, a buy order sells
 * more.
 *
 * @throws {Rejection} 400 with a type, if the network fee of a sell order is not covered.
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
  checkCoversFee(gross, extraGas);
  const afterFee = sellAmount - feeAmount;
  const net = mulDivDown(buyAmount, afterFee, sellAmount);
  return { sellAmount: afterFee, buyAmount: net - mulFloat(net, VOLUME_FACTOR), feeAmount };
}

/**
 * The quote at the same price whose sell amount after the network fee is that of `net`. The buy
 * amount is rounded up, because applying the fee rounds down.
 */
export function beforeFee(net: GrossQuote, extraGas: number): GrossQuote {
  const sellAmount = net.sellAmount + feeOf(net, extraGas);
  return { ...net, sellAmount, buyAmount: mulDivUp(net.buyAmount, sellAmount, net.sellAmount) };
}

/** @throws {Rejection} 400 with a type, if the sell amount is at most the fee. */
export function checkCoversFee(gross: GrossQuote, extraGas: number): void {
  const feeAmount = feeOf(gross, extraGas);
  if (gross.sellAmount > feeAmount) return;
  throw new Rejection(json({
    errorType: "SellAmountDoesNotCoverFee",
    description: "The sell amount for the sell order is lower than the fee.",
    data: { fee_amount: `0x${feeAmount.toString(16)}` },
  }, 400));
}
