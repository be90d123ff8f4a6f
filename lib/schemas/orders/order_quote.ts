import { z } from "zod";
import type { Decimal } from "../../units/decimal.ts";
import { atoms } from "../codec/atoms.ts";
import { address } from "../codec/hex.ts";
import { anything, boolean, decimal } from "../codec/scalars.ts";

/**
 * The quote stored with an order. For sell orders it is *gross*: scaled to the order's `sellAmount`
 * and before network and volume fees. It differs from the answer of `POST quote`, which is net.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/orders.rs | services}
 */
export interface OrderQuote {
  /** Estimated gas, in gas units; an exact decimal, because the service holds a double. */
  gasAmount: Decimal;
  /** Gas price at quoting, in wei per gas unit. */
  gasPrice: Decimal;
  /** Price of the sell token, in native atoms per sell-token atom. */
  sellTokenPrice: Decimal;
  /** Quoted sell amount, in sell-token atoms. */
  sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  buyAmount: bigint;
  /** Network fee at quoting, `ceil(gasAmount * gasPrice / sellTokenPrice)`, in sell-token atoms. */
  feeAmount: bigint;
  /** Address of the solver that gave the quote. */
  solver: string;
  /** Whether a simulation confirmed the quote. */
  verified: boolean;
  /** The quoter's execution plan; `null` or absent while the order is open. */
  metadata?: unknown;
}

/** Schema of {@linkcode OrderQuote}. */
export const orderQuote: z.ZodType<OrderQuote> = z.looseObject({
  gasAmount: decimal,
  gasPrice: decimal,
  sellTokenPrice: decimal,
  sellAmount: atoms,
  buyAmount: atoms,
  feeAmount: atoms,
  solver: address,
  verified: boolean,
  metadata: z.exactOptional(anything),
});
