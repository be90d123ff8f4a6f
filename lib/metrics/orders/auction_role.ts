import { oneOf, type OptionRule, type OptionRules, rule } from "../../errors/option_rules.ts";
import { requireWord } from "../../errors/require_word.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";

const OWNER_START = 2 + 2 * 32;
const OWNER_END = OWNER_START + 2 * 20;

/**
 * The role of a settled order in its auction, which determines what the service charges and
 * credits.
 *
 * - `"listed"`: one of the auction's orders; the usual formulas apply
 * - `"capturing"`: not listed, but its owner captures surplus; the usual formulas apply, without
 *   fee policies
 * - `"liquidity"`: not listed, and its owner does not capture surplus; it counts as traded at its
 *   limit, so that fees, surplus and score are 0
 * - `"unknown"`: not listed, and whether its owner captures surplus is unknown
 */
export type AuctionRole = "listed" | "capturing" | "liquidity" | "unknown";

const AUCTION_ROLES: readonly AuctionRole[] = [
  "listed",
  "capturing",
  "liquidity",
  "unknown",
];

/** Allowed values of a `role` option. */
export const ROLE: OptionRule<AuctionRole> = oneOf(...AUCTION_ROLES);

/** The fields of an order that suggest its role if the auction is unknown. An `Order` has them. */
export interface RoleHints {
  /** Class of the order: `liquidity` for orders that solvers provide. */
  readonly class?: string | undefined;
  /** The app data document as text; the service has none for orders that solvers provide. */
  readonly fullAppData?: string | null | undefined;
}

/**
 * The fields of an order that determine its role. An `Order` has them, and the UID alone is enough.
 */
export interface RoleFacts extends RoleHints {
  /** UID of the order, which contains its owner. */
  readonly uid: string;
}

/** The auction that an order was settled from, such as the `auction` of a `Competition`. */
export interface AuctionOfFill {
  /** UIDs of the auction's orders. */
  readonly orders: readonly string[];
}

/** Options of {@linkcode auctionRole}. */
export interface RoleOptions {
  /**
   * Owners whose orders capture surplus although no auction lists them. `GET auction` lists those
   * of the current auction; no answer lists those of a past one. `null` or absent if unknown.
   */
  readonly surplusCapturingJitOrderOwners?: readonly string[] | null | undefined;
}

/** Allowed values of the {@linkcode RoleOptions}. */
export const ROLE_OPTIONS: OptionRules<RoleOptions> = {
  surplusCapturingJitOrderOwners: rule(
    "an array of addresses, or null",
    (value) =>
      value === null || Array.isArray(value) && value.every((one) => typeof one === "string"),
  ),
};

/**
 * The role of a settled order in its auction: one of the auction's orders, or one that a solver
 * provided ("just in time"), with or without the right to surplus.
 *
 * The auction's list of UIDs decides. A user's order that the auction does not list counts as
 * provided by the solver. Class and app data are ignored if the auction is known. If it is unknown,
 * or if it lists nothing and the owners are unknown too, an order counts as listed, unless the
 * service gives it the class `liquidity` and no app data, as for orders that solvers provide.
 *
 * @param order The order, or its UID alone.
 * @param auction The auction; `null` or `undefined` if unknown.
 * @param options Owners who capture surplus.
 * @returns The role, for the `role` option of `networkFee`, `settledSurplus`, `slippage`,
 * `decomposeSlippage`, `checkUniformPrices` and `totals`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/mod.rs | trades of the service}
 *
 * @example An order that a solver provided
 * ```ts
 * import { auctionRole } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const owner = "0x00000000000000000000000000000000000000aa";
 * const uid = `0x${"01".repeat(32)}${owner.slice(2)}ffffffff`;
 * const auction = { orders: ["0x0f"] };
 *
 * assertEquals(auctionRole({ uid: "0x0F" }, auction), "listed");
 * assertEquals(auctionRole({ uid }, auction), "unknown");
 * assertEquals(auctionRole({ uid }, auction, { surplusCapturingJitOrderOwners: [] }), "liquidity");
 * assertEquals(
 *   auctionRole({ uid }, auction, { surplusCapturingJitOrderOwners: [owner] }),
 *   "capturing",
 * );
 * ```
 */
export function auctionRole(
  order: RoleFacts,
  auction: AuctionOfFill | null | undefined,
  options: RoleOptions = {},
): AuctionRole {
  const { uid } = order;
  if (auction == null) return roleByHints(order);
  const { orders } = auction;
  const areOwnersKnown = options.surplusCapturingJitOrderOwners != null;
  if (orders.length === 0 && !areOwnersKnown) return roleByHints(order);
  if (orders.includes(uid) || orders.some((each) => sameHex(each, uid))) return "listed";
  return unlistedRole(uid, options);
}

function roleByHints(order: RoleHints): AuctionRole {
  return order.class === "liquidity" && order.fullAppData == null ? "unknown" : "listed";
}

/**
 * The role that the caller passed, or the one without an auction.
 *
 * @throws {InputError} If it is not a role.
 */
export function givenRole(
  role: AuctionRole | undefined,
  order: RoleHints,
  action: string,
): AuctionRole {
  if (role === undefined) return roleByHints(order);
  requireWord(role, AUCTION_ROLES, { what: "role", action });
  return role;
}

/** The role of an order that its auction does not list. */
export function unlistedRole(uid: string, options: RoleOptions): AuctionRole {
  const owners = options.surplusCapturingJitOrderOwners;
  if (owners === null || owners === undefined) return "unknown";
  const owner = ownerOf(uid);
  return owners.some((each) => sameHex(each, owner)) ? "capturing" : "liquidity";
}

/** The owner in a UID, in bytes 32 to 52, in lower case. */
export function ownerOf(uid: string): string {
  return `0x${uid.slice(OWNER_START, OWNER_END)}`.toLowerCase();
}

/** Why a value that depends on the role of an order is unknown. */
export const ROLE_UNKNOWN: NotComputable<"jit_owner_unknown"> = Object.freeze({
  reason: "jit_owner_unknown",
  detail: "The auction does not list the order, and whether its owner captures surplus is " +
    "unknown: pass surplusCapturingJitOrderOwners",
});
