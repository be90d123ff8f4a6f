import { z } from "zod";
import { type Decode, type Encode, toDecoder, toEncoder } from "./codec/codec.ts";
import { defineLeaf, INVALID } from "./codec/compile.ts";
import * as wire from "./codec/scalars.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type Interaction,
  interaction,
  type OrderClass,
  orderClass,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "./order.ts";
import { type FeePolicy, feePolicy } from "./trade.ts";

/** A token as solvers were told about it. */
export interface InstanceToken {
  /** Decimals; `null` or absent if the contract does not say. */
  decimals?: number | null;
  /** Symbol; `null` or absent if the contract does not say. */
  symbol?: string | null;
  /** Native price in the auction: native atoms per 10^18 token atoms; `null` or absent without one. */
  referencePrice?: bigint | null;
  /** Balance of the settlement contract, in token atoms. */
  availableBalance?: bigint;
  /** Whether solvers may trade with that balance. */
  trusted?: boolean;
}

/** One order as solvers were asked to fill it. */
export interface InstanceOrder {
  /** UID of the order. */
  uid?: string;
  /** Token to sell. */
  sellToken?: string;
  /** Token to buy; the wrapped native token for an order that buys the native one. */
  buyToken?: string;
  /** Still available to sell, in sell-token atoms; less where a volume fee is set aside. */
  sellAmount?: bigint;
  /** Required for that amount, in buy-token atoms; more where a volume fee is set aside. */
  buyAmount?: bigint;
  /** Limit amount to sell, as signed, in sell-token atoms. */
  fullSellAmount?: bigint;
  /** Limit amount to buy, as signed, in buy-token atoms. */
  fullBuyAmount?: bigint;
  /** Fee policies, in the order they apply; absent where the service takes the fees itself. */
  feePolicies?: readonly FeePolicy[] | null;
  /** Expiry, in unix seconds. */
  validTo?: number;
  /** The amount that is fixed. */
  kind?: OrderKind;
  /** Receiver of the buy token; `null` or absent means the owner. */
  receiver?: string | null;
  /** Account or contract that signed the order. */
  owner?: string;
  /** Whether it may be partially filled. */
  partiallyFillable?: boolean;
  /** Contract calls before the trade. */
  preInteractions?: readonly Interaction[];
  /** Contract calls after the trade. */
  postInteractions?: readonly Interaction[];
  /** Source of the sell token. */
  sellTokenSource?: SellTokenSource;
  /** Destination of the buy token. */
  buyTokenDestination?: BuyTokenDestination;
  /** Class. */
  class?: OrderClass;
  /** Hash of the app data document. */
  appData?: string;
  /** Flash loan that the order needs, as sent. */
  flashloanHint?: unknown;
  /** Contracts around the settlement that the order needs, as sent. */
  wrappers?: readonly unknown[];
  /** Signing scheme. */
  signingScheme?: SigningScheme;
  /** The signature. */
  signature?: string;
}

/**
 * The instance of an auction: what solvers were asked to solve. The protocol publishes it for about a
 * month. Any field may be absent: the service may stop sending it.
 */
export interface Instance {
  /** Id of the auction; `null` for a quote. */
  id?: number | null;
  /** Tokens by address. */
  tokens?: Readonly<Record<string, InstanceToken>>;
  /** Orders that could be filled. */
  orders?: readonly InstanceOrder[];
  /** Liquidity that solvers may use, as sent. */
  liquidity?: readonly unknown[];
  /** Gas price that solvers should expect, in wei. */
  effectiveGasPrice?: bigint;
  /** Time by which solvers had to answer. */
  deadline?: Temporal.Instant;
  /** Owners whose JIT orders, placed by solvers, capture surplus in this auction. */
  surplusCapturingJitOrderOwners?: readonly string[];
}

/** An auction id as decimal text, as instances have it. */
const idText: z.ZodType<number> = defineLeaf({
  expected: "an auction id: decimal digits as text, at most 9007199254740991",
  read(value): number | typeof INVALID {
    if (typeof value !== "string" || !/^(?:0|[1-9]\d{0,15})$/.test(value)) return INVALID;
    const id = Number(value);
    return Number.isSafeInteger(id) ? id : INVALID;
  },
  write: (value) => Number.isSafeInteger(value) && value >= 0 ? String(value) : INVALID,
});

const instanceToken: z.ZodType<InstanceToken> = z.looseObject({
  decimals: z.exactOptional(z.nullable(wire.integer)),
  symbol: z.exactOptional(z.nullable(wire.text)),
  referencePrice: z.exactOptional(z.nullable(wire.atoms)),
  availableBalance: z.exactOptional(wire.atoms),
  trusted: z.exactOptional(wire.boolean),
});

const instanceOrder: z.ZodType<InstanceOrder> = z.looseObject({
  uid: z.exactOptional(wire.orderUid),
  sellToken: z.exactOptional(wire.address),
  buyToken: z.exactOptional(wire.address),
  sellAmount: z.exactOptional(wire.atoms),
  buyAmount: z.exactOptional(wire.atoms),
  fullSellAmount: z.exactOptional(wire.atoms),
  fullBuyAmount: z.exactOptional(wire.atoms),
  feePolicies: z.exactOptional(z.nullable(z.array(feePolicy))),
  validTo: z.exactOptional(wire.unixSeconds),
  kind: z.exactOptional(orderKind),
  receiver: z.exactOptional(z.nullable(wire.address)),
  owner: z.exactOptional(wire.address),
  partiallyFillable: z.exactOptional(wire.boolean),
  preInteractions: z.exactOptional(z.array(interaction)),
  postInteractions: z.exactOptional(z.array(interaction)),
  sellTokenSource: z.exactOptional(sellTokenSource),
  buyTokenDestination: z.exactOptional(buyTokenDestination),
  class: z.exactOptional(orderClass),
  appData: z.exactOptional(wire.hash32),
  flashloanHint: z.exactOptional(wire.anything),
  wrappers: z.exactOptional(z.array(wire.anything)),
  signingScheme: z.exactOptional(signingScheme),
  signature: z.exactOptional(wire.bytes),
});

export const instance: z.ZodType<Instance> = z.looseObject({
  id: z.exactOptional(z.nullable(idText)),
  tokens: z.exactOptional(z.record(wire.address, instanceToken)),
  orders: z.exactOptional(z.array(instanceOrder)),
  liquidity: z.exactOptional(z.array(wire.anything)),
  effectiveGasPrice: z.exactOptional(wire.atoms),
  deadline: z.exactOptional(wire.instant),
  surplusCapturingJitOrderOwners: z.exactOptional(z.array(wire.address)),
});

/**
 * Decodes the instance of an auction: the request that the service's driver sent to solvers.
 *
 * Amounts of `fullSellAmount` and `fullBuyAmount` are those that were signed; `sellAmount` and
 * `buyAmount` are what was left of them, made stricter by what the driver sets aside for a volume fee,
 * and are no limit.
 *
 * @throws {DecodeError} If the body is not an instance; one without any field is one.
 * @see {@link https://github.com/cowprotocol/services/blob/main/crates/solvers-dto/src/auction.rs | crates/solvers-dto/src/auction.rs of cowprotocol/services: its fields}
 * @see {@link https://github.com/cowprotocol/services/blob/main/crates/driver/src/infra/solver/dto/auction.rs | crates/driver/src/infra/solver/dto/auction.rs: its amounts}
 * @example The limit of one order
 * ```ts
 * import { decodeInstance } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { id, orders = [] } = decodeInstance({
 *   id: "8339027",
 *   orders: [{
 *     uid: `0x${"ab".repeat(56)}`,
 *     sellAmount: "2385464",
 *     fullSellAmount: "10000000000000",
 *     buyAmount: "2385178",
 *     fullBuyAmount: "9998500224966",
 *   }],
 * });
 *
 * assertEquals(id, 8339027);
 * assertEquals([orders[0]?.fullSellAmount, orders[0]?.fullBuyAmount], [
 *   10_000_000_000_000n,
 *   9_998_500_224_966n,
 * ]);
 * ```
 */
export const decodeInstance: Decode<Instance> = toDecoder(instance, "the instance of an auction");

/**
 * Writes an instance in its wire format; the inverse of {@linkcode decodeInstance}.
 *
 * @throws {InputError} If the record is not an instance.
 */
export const encodeInstance: Encode<Instance> = toEncoder(instance, "the instance of an auction");
