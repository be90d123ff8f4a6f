import { oneOf, type OptionRule, type OptionRules, rule } from "../../errors/option_rules.ts";
import { requireWord } from "../../errors/require_word.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";

const OWNER_START = 2 + 2 * 32;
const OWNER_END = OWNER_START + 2 * 20;

/**
 * What a settled order was to its auction, which decides what the service charges and credits.
 *
 * - `"listed"`: one of the auction's orders; the usual formulas hold
 * - `"capturing"`: not listed, but its owner captures surplus; the usual formulas hold, without fee
 *   policies
 * - `"liquidity"`: not listed, and its owner does not capture surplus; taken to have traded at its
 *   limit, so that fees, surplus and score are 0
 * - `"unknown"`: not listed, and it is not known whether its owner captures surplus
 */
export type AuctionRole = "listed" | "capturing" | "liquidity" | "unknown";

const AUCTION_ROLES: readonly AuctionRole[] = [
  "listed",
  "capturing",
  "liquidity",
  "unknown",
];

/** What a `role` option may be. */
export const ROLE: OptionRule<AuctionRole> = oneOf(...AUCTION_ROLES);

/** What of an order supports its role where the auction is not known. An `Order` has it as it is. */
export interface RoleHints {
  /** Class of the order: orders that solvers bring are `liquidity`. */
  readonly class?: string | undefined;
  /** The app data document as text: the service has none of orders that solvers bring. */
  readonly fullAppData?: string | null | undefined;
}

/** What of an order tells its role. An `Order` has it as it is, and a UID alone is enough. */
export interface RoleFacts extends RoleHints {
  /** UID of the order, which has its owner. */
  readonly uid: string;
}

/** The auction that an order was settled from. The `auction` of a `Competition` is one as it is. */
export interface AuctionOfFill {
  /** UIDs of the auction's orders. */
  readonly orders: readonly string[];
}

/** What {@linkcode auctionRole} may know beside the auction. */
export interface RoleOptions {
  /**
   * Owners whose orders capture surplus although they are in no auction. `GET auction` lists those of
   * the current one, and no answer those of a past one; `null`, or leave it out, where they are not
   * known.
   */
  readonly surplusCapturingJitOrderOwners?: readonly string[] | null | undefined;
}

/** What each of the {@linkcode RoleOptions} may be. */
export const ROLE_OPTIONS: OptionRules<RoleOptions> = {
  surplusCapturingJitOrderOwners: rule(
    "an array of addresses, or null",
    (value) =>
      value === null || Array.isArray(value) && value.every((one) => typeof one === "string"),
  ),
};

/**
 * What a settled order was to the auction that it was settled from: one of its orders, or one that a
 * solver brought ("just in time"), with or without the right to surplus.
 *
 * The auction's list of UIDs decides. A user's own order that was settled from an auction that does
 * not list it is such an order as well. Class and app data decide nothing where the auction is
 * known. Where it is not, or where it lists nothing and the owners are not known either, an order
 * counts as listed, unless the service gives it the class `liquidity` and no app data, as it does
 * with orders that solvers bring.
 *
 * @param order The order, or its UID alone.
 * @param auction The auction; `null` or `undefined` where it is not known.
 * @param options Owners who capture surplus.
 * @returns The role, for the `role` option of `networkFee`, `settledSurplus`, `slippage`,
 * `decomposeSlippage`, `checkUniformPrices` and `totals`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/mod.rs | trades of the service}
 *
 * @example An order that a solver brought
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
 * The role that a caller gave, or what there is without one.
 *
 * @throws {InputError} If it is no role.
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

/** Why what depends on the role of an order is not known, where its role is not. */
export const ROLE_UNKNOWN: NotComputable<"jit_owner_unknown"> = Object.freeze({
  reason: "jit_owner_unknown",
  detail: "The auction does not list the order, and whether its owner captures surplus is not " +
    "known: pass surplusCapturingJitOrderOwners",
});
