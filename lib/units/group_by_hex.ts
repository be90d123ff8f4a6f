import { HexMap } from "./hex_map.ts";

/**
 * Groups items by a hex text (an address, a hash, a UID), ignoring its letter case.
 *
 * @param items The items.
 * @param hexOf Returns the hex text of an item.
 * @returns The groups, in the order of first occurrence.
 *
 * @example Two spellings of one address
 * ```ts
 * import { groupByHex } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const groups = groupByHex(["0xA0", "0xb0", "0xa0"], (address) => address);
 *
 * assertEquals(groups.get("0xa0"), ["0xA0", "0xa0"]);
 * ```
 */
export function groupByHex<Item>(
  items: Iterable<Item>,
  hexOf: (item: Item) => string,
): HexMap<Item[]> {
  const groups = new HexMap<Item[]>();
  for (const item of items) {
    const hex = hexOf(item);
    const group = groups.get(hex);
    if (group === undefined) groups.set(hex, [item]);
    else group.push(item);
  }
  return groups;
}
