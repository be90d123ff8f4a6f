import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { amountsByToken } from "./competition.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { type FeePolicy, feePolicy } from "../trades/fee_policy.ts";
import { address, appDataField, bytes, orderUid } from "../codec/hex.ts";
import { type Interaction, interaction } from "../orders/interaction.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type OrderClass,
  orderClass,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "../orders/order_words.ts";
import { boolean, double, instant, integer, unixSeconds } from "../codec/scalars.ts";

/** An order's quote in an auction. */
export interface AuctionQuote {
  /** Quoted sell amount, in sell-token atoms. */
  sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms. */
  fee: bigint;
  /** Address of the solver that gave the quote. */
  solver?: string;
}

/**
 * One order as seen by solvers. Bodies from 2023 have the fields of {@linkcode Order} instead of
 * `created`, `executed`, `protocolFees` and the two lists of interactions; those are kept too.
 */
export interface AuctionOrder {
  /** UID of the order. */
  uid: string;
  /** Token to sell. */
  sellToken: string;
  /** Token to buy. */
  buyToken: string;
  /** Limit amount to sell, in sell-token atoms. */
  sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  buyAmount: bigint;
  /** Expiry, in unix seconds. */
  validTo: number;
  /** Which amount is fixed. */
  kind: OrderKind;
  /** Receiver of the buy token; `null` means the owner. */
  receiver: string | null;
  /** Account or contract that signed the order. */
  owner: string;
  /** Whether it may be partially filled. */
  partiallyFillable: boolean;
  /** Where the sell token is taken from. */
  sellTokenBalance: SellTokenSource;
  /** Where the buy token is sent to. */
  buyTokenBalance: BuyTokenDestination;
  /** Class. */
  class: OrderClass;
  /** Hash of the app data document. */
  appData: string;
  /** How the order was signed. */
  signingScheme?: SigningScheme;
  /** The signature. */
  signature: string;
  /** When the service received the order, in unix seconds. */
  created?: number;
  /** Filled so far: sell-token atoms of a sell order, buy-token atoms of a buy order. */
  executed?: bigint;
  /** Fee policies, in the order they apply. */
  protocolFees?: readonly FeePolicy[];
  /** Contract calls before the trade. */
  preInteractions?: readonly Interaction[];
  /** Contract calls after the trade. */
  postInteractions?: readonly Interaction[];
  /** The quote the order was placed with. */
  quote?: AuctionQuote;
  /** When the service received the order; in bodies from 2023. */
  creationDate?: Temporal.Instant;
  /** Legacy signed fee, in sell-token atoms; in bodies from 2023. */
  feeAmount?: bigint;
  /** Fee the solver was to take, in sell-token atoms; in bodies from 2023. */
  surplusFee?: bigint | null;
}

/** The current auction, as returned by `GET auction` to permitted callers. */
export interface Auction {
  /** Id of the auction. */
  id?: number;
  /** Block at which the auction started. */
  block: number;
  /** Last block with a settlement; in bodies from 2023. */
  latestSettlementBlock?: number;
  /** Orders eligible for settlement. */
  orders: readonly AuctionOrder[];
  /** Native price of each token: native atoms per 10^18 token atoms. */
  prices: Readonly<Record<string, bigint>>;
  /** Owners whose JIT orders, placed by solvers, capture surplus. */
  surplusCapturingJitOrderOwners?: readonly string[];
  /** Rewards by order, in COW; in bodies from 2023. */
  rewards?: Readonly<Record<string, number>>;
}

const auctionOrder: z.ZodType<AuctionOrder> = z.looseObject({
  uid: orderUid,
  sellToken: address,
  buyToken: address,
  sellAmount: atoms,
  buyAmount: atoms,
  validTo: unixSeconds,
  kind: orderKind,
  receiver: z.nullable(address),
  owner: address,
  partiallyFillable: boolean,
  sellTokenBalance: sellTokenSource,
  buyTokenBalance: buyTokenDestination,
  class: orderClass,
  appData: appDataField,
  signingScheme: z.exactOptional(signingScheme),
  signature: bytes,
  created: z.exactOptional(integer),
  executed: z.exactOptional(atoms),
  protocolFees: z.exactOptional(z.array(feePolicy)),
  preInteractions: z.exactOptional(z.array(interaction)),
  postInteractions: z.exactOptional(z.array(interaction)),
  quote: z.exactOptional(z.looseObject({
    sellAmount: atoms,
    buyAmount: atoms,
    fee: atoms,
    solver: z.exactOptional(address),
  })),
  creationDate: z.exactOptional(instant),
  feeAmount: z.exactOptional(atoms),
  surplusFee: z.exactOptional(z.nullable(atoms)),
});

/** Schema of {@linkcode Auction}. */
export const auction: z.ZodType<Auction> = z.looseObject({
  id: z.exactOptional(integer),
  block: integer,
  latestSettlementBlock: z.exactOptional(integer),
  orders: z.array(auctionOrder),
  prices: amountsByToken,
  surplusCapturingJitOrderOwners: z.exactOptional(z.array(address)),
  rewards: z.exactOptional(z.record(orderUid, double)),
});

/**
 * Decodes the current auction.
 *
 * @throws {DecodeError} If the body is not an auction.
 * @example Prices of an auction without orders
 * ```ts
 * import { decodeAuction } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const token = `0x${"bb".repeat(20)}`;
 * const { prices } = decodeAuction({
 *   id: 7,
 *   block: 100,
 *   orders: [],
 *   prices: { [token]: "400000000000000" },
 * });
 *
 * assertEquals(prices[token], 400000000000000n);
 * ```
 */
export function decodeAuction(body: unknown, options: DecodeOptions = {}): Auction {
  return decode(auction, body, "an auction", options);
}

/**
 * Writes an auction in its wire format; the inverse of {@linkcode decodeAuction}.
 *
 * @throws {InputError} If the record is not a complete auction.
 */
export function encodeAuction(record: Auction): unknown {
  return encode(auction, record, "an auction");
}
