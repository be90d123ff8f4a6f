import { type BlockClock, defineTimesRule } from "./fills.ts";
import { DecodeError } from "../../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules, required } from "../../errors/option_rules.ts";
import {
  type AppData,
  decodeAppData,
  effectiveValidTo,
  isOpenStatus,
  type KnownOrderStatus,
  type Order,
} from "../../schemas/mod.ts";

/** The fields of an order that determine its status. An `Order` has them. */
export type StatusFacts = Pick<
  Order,
  | "kind"
  | "sellAmount"
  | "buyAmount"
  | "executedSellAmount"
  | "executedBuyAmount"
  | "executedFeeAmount"
  | "invalidated"
  | "validTo"
  | "ethflowData"
  | "signingScheme"
>;

/** The time of the status, and facts that the order does not contain. */
export interface StatusOptions {
  /** The time of the status; the service uses that of the request. */
  readonly now: Temporal.Instant;
  /**
   * Whether the latest pre-signature event of the order is absent or negative. No response contains
   * it; omit it if unknown.
   */
  readonly presignaturePending?: boolean;
}

/** Allowed values of the {@linkcode StatusOptions}. */
export const STATUS_OPTIONS: OptionRules<StatusOptions> = {
  now: required(
    defineRule(
      "the time of the responses, a Temporal.Instant,",
      (now) => now instanceof Temporal.Instant,
    ),
  ),
  presignaturePending: Boolean,
};

/** The status by the rules, and the first of the five rules that applied. */
export interface DecidedStatus {
  /** The status. */
  readonly status: KnownOrderStatus;
  /** The rule, from 1 (fulfilled) to 5 (open). */
  readonly rule: 1 | 2 | 3 | 4 | 5;
}

/** A pre-signed order whose signature may or may not be on the chain. */
export interface PresignatureUnknown {
  /** Unknown. */
  readonly status: null;
  /** The two possible statuses. */
  readonly oneOf: readonly ["presignaturePending", "open"];
}

/**
 * Calculates the status of an order by the service's own rules; the first that applies decides:
 *
 * 1. `fulfilled`: a buy order bought `buyAmount`, or a sell order sold `sellAmount` without the
 *    legacy signed fee; and something was executed
 * 2. `cancelled`: off-chain, on-chain or by the EthFlow contract (`invalidated` covers all three)
 * 3. `expired`: its validity ended before `now`, in whole seconds; for an EthFlow order, the
 *    trader's own `ethflowData.userValidTo`
 * 4. `presignaturePending`: pre-signed, and the signature is not on the chain
 * 5. `open`
 *
 * No status means partly filled: an order filled in part and then cancelled is `cancelled`.
 *
 * @returns The status and its rule. If rules 1 to 3 do not apply to a pre-signed order and
 * `presignaturePending` is absent, its two possible statuses.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/orders.rs | calculate_status of the service}
 *
 * @example Filled at the last moment, and never filled
 * ```ts
 * import { calculateStatus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 10n,
 *   buyAmount: 20n,
 *   executedSellAmount: 10n,
 *   executedBuyAmount: 21n,
 *   executedFeeAmount: 0n,
 *   invalidated: false,
 *   validTo: 1_800_000_000,
 *   signingScheme: "eip712",
 * } as const;
 * const now = Temporal.Instant.from("2027-01-15T08:00:01Z");
 *
 * assertEquals(calculateStatus(order, { now }), { status: "fulfilled", rule: 1 });
 * assertEquals(
 *   calculateStatus({ ...order, executedSellAmount: 0n, executedBuyAmount: 0n }, { now }),
 *   { status: "expired", rule: 3 },
 * );
 * ```
 */
export function calculateStatus(
  order: StatusFacts,
  options: StatusOptions,
): DecidedStatus | PresignatureUnknown {
  checkOptions(options, STATUS_OPTIONS, "Cannot calculate the status of an order");
  if (isFulfilled(order)) return { status: "fulfilled", rule: 1 };
  if (order.invalidated) return { status: "cancelled", rule: 2 };
  const now = Math.floor(options.now.epochMilliseconds / 1_000);
  if (effectiveValidTo(order) < now) return { status: "expired", rule: 3 };
  if (order.signingScheme === "presign") {
    if (options.presignaturePending === undefined) {
      return { status: null, oneOf: ["presignaturePending", "open"] };
    }
    if (options.presignaturePending) return { status: "presignaturePending", rule: 4 };
  }
  return { status: "open", rule: 5 };
}

function isFulfilled(order: StatusFacts): boolean {
  if (order.kind === "buy") {
    return order.executedBuyAmount !== 0n && order.executedBuyAmount === order.buyAmount;
  }
  return order.executedSellAmount !== 0n &&
    order.executedSellAmount - order.executedFeeAmount === order.sellAmount;
}

/** The time of the responses, and the times of fills. */
export interface LifecycleTerms extends StatusOptions {
  /**
   * Times of blocks, such as those that `auctionTimes` returns: they date fills without a debug
   * report, and more exactly than its events.
   */
  readonly times?: BlockClock;
}

/** Allowed values of the {@linkcode LifecycleTerms}. */
export const LIFECYCLE_TERMS: OptionRules<LifecycleTerms> = {
  ...STATUS_OPTIONS,
  times: defineTimesRule<BlockClock>(["block"]),
};

/**
 * Parses the app data document of an order, from the text in the order body.
 *
 * @returns `null` if the service does not have the text, or would not accept it as a document.
 */
export function parseOrderAppData(
  order: { readonly fullAppData?: string | null | undefined },
): AppData | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  try {
    return decodeAppData(JSON.parse(text));
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether the service set `validFrom`, so that the solver of the quote alone settles it until then. */
export function isFastPath(order: { readonly fullAppData?: string | null | undefined }): boolean {
  return parseOrderAppData(order)?.metadata?.enableFastPath === true;
}

const NO_PARTNER_FEE: AppData = Object.freeze({});

/**
 * Parses the document for its partner fees: equivalent to {@linkcode parseOrderAppData}, without parsing
 * the many documents that cannot contain any.
 */
export function parsePartnerAppData(
  order: { readonly fullAppData?: string | null | undefined },
): AppData | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  return text.includes("partnerFee") || text.includes("\\u")
    ? parseOrderAppData(order)
    : NO_PARTNER_FEE;
}

/**
 * Returns the latest time up to another one at which an order can have had its reported status: after its
 * expiry if it had expired, and before it while it was open.
 *
 * @param order The order, as it was reported.
 * @param latest The latest time that the responses name.
 */
export function limitToStatus(order: Order, latest: Temporal.Instant): Temporal.Instant {
  const validTo = Temporal.Instant.fromEpochMilliseconds(effectiveValidTo(order) * 1_000);
  const isAfter = Temporal.Instant.compare(latest, validTo) > 0;
  if (order.status === "expired") return isAfter ? latest : validTo.add({ seconds: 1 });
  const isOpen = isOpenStatus(order.status);
  return isOpen && isAfter ? validTo : latest;
}
