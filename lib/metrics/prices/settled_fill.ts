import type { OrderKind } from "../../schemas/mod.ts";
import { mulDivDown, mulDivUp } from "../../units/mod.ts";
import type { Fill } from "../orders/fill.ts";
import type { NotComputable } from "../not_computable.ts";
import type { ClearingPrices } from "./uniform_price.ts";

/** The fields of an encoded trade that determine its amounts. A decoded trade has them. */
export interface EncodedExecution {
  /** Which amount is fixed. */
  readonly kind: OrderKind;
  /** Whether the order may be filled in parts. */
  readonly partiallyFillable: boolean;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Legacy signed fee of the whole order, in sell-token atoms. */
  readonly feeAmount: bigint;
  /** Executed now, in atoms of the token whose amount is fixed; unused for fill-or-kill orders. */
  readonly executedAmount: bigint;
  /** Index of the sell token's price. */
  readonly sellTokenIndex: number;
  /** Index of the buy token's price. */
  readonly buyTokenIndex: number;
}

/**
 * The amounts that a settlement moved for one of its trades, from the calldata alone.
 *
 * At the trade's own prices `Psell`, `Pbuy`, which are at its two indices: sell
 * `b = ceil(s * Psell / Pbuy)`, buy `s = floor(b * Pbuy / Psell)`. The fixed amount is that of the
 * order for a fill-or-kill order, and `executedAmount` for a partially fillable one. A signed fee
 * of old orders is added to `s`: all of it, or `floor(fee * executed / fixed)` if partly filled.
 * All roundings are those of the settlement contract.
 *
 * @param trade A trade of a decoded settlement.
 * @param settlement The settlement's prices.
 * @returns The fill, or why it cannot be computed.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | computeTradeExecution of the contract}
 *
 * @example A third of an order, at 3 for 10
 * ```ts
 * import { settledFill } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const trade = {
 *   kind: "sell",
 *   partiallyFillable: true,
 *   sellAmount: 3n,
 *   buyAmount: 9n,
 *   feeAmount: 0n,
 *   executedAmount: 1n,
 *   sellTokenIndex: 0,
 *   buyTokenIndex: 1,
 * } as const;
 * const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [10n, 3n] };
 *
 * assertEquals(settledFill(trade, settlement), {
 *   sellAmount: 1n,
 *   buyAmount: 4n,
 *   sellAmountBeforeFees: 1n,
 * });
 * ```
 */
export function settledFill(
  trade: EncodedExecution,
  settlement: ClearingPrices,
): Fill | NotComputable<"zero_price" | "token_not_in_settlement" | "limit_without_price"> {
  const sellPrice = settlement.clearingPrices[trade.sellTokenIndex];
  const buyPrice = settlement.clearingPrices[trade.buyTokenIndex];
  if (sellPrice === undefined || buyPrice === undefined) {
    const detail = `The settlement has ${settlement.clearingPrices.length} prices`;
    return { reason: "token_not_in_settlement", detail };
  }
  if (sellPrice === 0n || buyPrice === 0n) {
    return { reason: "zero_price", detail: `The prices are ${sellPrice} and ${buyPrice}` };
  }
  const isSell = trade.kind === "sell";
  const fixed = isSell ? trade.sellAmount : trade.buyAmount;
  const executed = trade.partiallyFillable ? trade.executedAmount : fixed;
  const sellAmountBeforeFees = isSell ? executed : mulDivDown(executed, buyPrice, sellPrice);
  const buyAmount = isSell ? mulDivUp(executed, sellPrice, buyPrice) : executed;
  if (fixed === 0n) return { reason: "limit_without_price", detail: "The order is for 0 atoms" };
  const fee = mulDivDown(trade.feeAmount, executed, fixed);
  return { sellAmount: sellAmountBeforeFees + fee, buyAmount, sellAmountBeforeFees };
}
