import {
  type AuctionRole,
  givenRole,
  ROLE_UNKNOWN,
  type RoleHints,
} from "../orders/auction_role.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import type { NotComputable } from "../not_computable.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/**
 * The surplus that the service credits to a fill: {@linkcode surplusAtoms}, or 0 for an order that
 * a solver provided as liquidity, regardless of its price.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param given Role of the order in its auction, from `auctionRole`; by default, that without the
 * auction.
 * @returns Atoms of the surplus token; or why they cannot be computed: the role is unknown, or the
 * order fixes `0n`.
 * @throws {InputError} If `given` is not a role.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/mod.rs | surplus_in_ether of the service}
 *
 * @example An order of the auction, and one that a solver provided
 * ```ts
 * import { settledSurplus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n, buyAmount: 20n } as const;
 * const fill = { sellAmount: 10n, buyAmount: 25n };
 *
 * assertEquals(settledSurplus(fill, order, "listed"), 5n);
 * assertEquals(settledSurplus(fill, order, "liquidity"), 0n);
 * ```
 */
export function settledSurplus(
  fill: Fill,
  order: OrderLimit & RoleHints,
  given?: AuctionRole,
): bigint | NotComputable<"jit_owner_unknown" | "limit_without_price"> {
  const role = givenRole(given, order, "Cannot measure surplus");
  if (role === "unknown") return ROLE_UNKNOWN;
  return role === "liquidity" ? 0n : surplusAtoms(fill, order);
}
