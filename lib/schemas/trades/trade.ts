import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { type FeePolicy, feePolicy } from "./fee_policy.ts";
import { address, hash32, orderUid } from "../codec/hex.ts";
import { integer } from "../codec/scalars.ts";

/** One fee charged on a fill. */
export interface ExecutedProtocolFee {
  /** How it was computed; absent for orders that a solver placed itself. */
  policy?: FeePolicy | null;
  /** Amount of the fee, in atoms of `token`. */
  amount: bigint;
  /** The surplus token: the buy token of a sell order, the sell token of a buy order. */
  token: string;
}

/** One fill of an order, as reported by `v2/trades` and the older `v1/trades`. */
export interface Trade {
  /** Block of the settlement. */
  blockNumber: number;
  /** Index of the trade's event in the block. */
  logIndex: number;
  /** Order that was filled. */
  orderUid: string;
  /** Bought in this fill, in buy-token atoms, after all fees. */
  buyAmount: bigint;
  /** Sold in this fill, in sell-token atoms, all fees included. */
  sellAmount: bigint;
  /** Sold in this fill without the legacy signed fee, in sell-token atoms. */
  sellAmountBeforeFees: bigint;
  /** Owner of the order. */
  owner: string;
  /** Token bought. */
  buyToken: string;
  /** Token sold. */
  sellToken: string;
  /** Settlement transaction; `null` until it is indexed. */
  txHash: string | null;
  /** Fees charged, in the order they were applied; absent in answers before 2024. */
  executedProtocolFees?: readonly ExecutedProtocolFee[];
  /** Gas actually paid for this fill, in native atoms. */
  gasCost?: bigint | null;
}

const executedProtocolFee: z.ZodType<ExecutedProtocolFee> = z.looseObject({
  policy: z.exactOptional(z.nullable(feePolicy)),
  amount: atoms,
  token: address,
});

/** Schema of {@linkcode Trade}. */
export const trade: z.ZodType<Trade> = z.looseObject({
  blockNumber: integer,
  logIndex: integer,
  orderUid,
  buyAmount: atoms,
  sellAmount: atoms,
  sellAmountBeforeFees: atoms,
  owner: address,
  buyToken: address,
  sellToken: address,
  txHash: z.nullable(hash32),
  executedProtocolFees: z.exactOptional(z.array(executedProtocolFee)),
  gasCost: z.exactOptional(z.nullable(atoms)),
});

/**
 * Decodes one fill of `v2/trades` or `v1/trades`.
 *
 * @throws {DecodeError} If the body is not a trade.
 * @example A fill whose settlement is not indexed yet
 * ```ts
 * import { decodeTrade, encodeTrade } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const body = {
 *   blockNumber: 23_000_000,
 *   logIndex: 5,
 *   orderUid: `0x${"ab".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   sellAmount: "2000000000000000000",
 *   sellAmountBeforeFees: "2000000000000000000",
 *   buyAmount: "5000000000",
 *   txHash: null,
 * };
 * const trade = decodeTrade(body);
 *
 * assertEquals([trade.sellAmount, trade.buyAmount], [2000000000000000000n, 5000000000n]);
 * assertEquals(encodeTrade(trade), body);
 * ```
 */
export function decodeTrade(body: unknown, options: DecodeOptions = {}): Trade {
  return decode(trade, body, "a trade", options);
}

/**
 * Writes a trade in its wire format; the inverse of {@linkcode decodeTrade}.
 *
 * @throws {InputError} If the record is not a complete trade.
 */
export function encodeTrade(record: Trade): unknown {
  return encode(trade, record, "a trade");
}
