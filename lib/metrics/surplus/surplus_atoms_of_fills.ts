import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/**
 * The surplus of several fills of one order, each computed separately: the sum of their
 * {@linkcode surplusAtoms}.
 *
 * Every fill rounds its own limit in the trader's favour, so the sum is at most the surplus of the
 * totals, `surplusAtoms(sumFills(fills), order)`, and below it by less than one atom per fill.
 *
 * @param fills Fills of one order, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Atoms of the surplus token, `0n` for no fills; or `"limit_without_price"` for fills of
 * an order that fixes `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service, which sees one fill at a time}
 *
 * @example Two fills of a limit that divides badly
 * ```ts
 * import { sumFills, surplusAtoms, surplusAtomsOfFills } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 3n, buyAmount: 10n } as const;
 * const fills = [{ sellAmount: 1n, buyAmount: 5n }, { sellAmount: 1n, buyAmount: 5n }];
 *
 * assertEquals(surplusAtomsOfFills(fills, order), 2n);
 * assertEquals(surplusAtoms(sumFills(fills), order), 3n);
 * ```
 */
export function surplusAtomsOfFills(
  fills: Iterable<Fill>,
  order: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  let sum = 0n;
  for (const fill of fills) {
    const surplus = surplusAtoms(fill, order);
    if (isNotComputable(surplus)) return surplus;
    sum += surplus;
  }
  return sum;
}
