/**
 * A `Map` by hex text (addresses, hashes, UIDs) that ignores the letter case of keys.
 *
 * Keys are stored in lower case, as the service writes them; of two entries whose keys differ only
 * in case, the later one remains.
 *
 * @typeParam Value The type of the values.
 *
 * @example A checksummed address finds what was set by the service's spelling
 * ```ts
 * import { HexMap } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const decimals = new HexMap([["0xa0b8", 6]]);
 *
 * assertEquals(decimals.get("0xA0B8"), 6);
 * assertEquals([...decimals.keys()], ["0xa0b8"]);
 * ```
 */
export class HexMap<Value> extends Map<string, Value> {
  /** Returns the value of a key. */
  override get(hex: string): Value | undefined {
    // Most keys are in lower case already, as the service writes them.
    return super.get(hex) ?? super.get(hex.toLowerCase());
  }

  /** Whether a key is present. */
  override has(hex: string): boolean {
    return super.has(hex) || super.has(hex.toLowerCase());
  }

  /** Sets the value of a key. */
  override set(hex: string, value: Value): this {
    return super.set(hex.toLowerCase(), value);
  }

  /** Removes a key. */
  override delete(hex: string): boolean {
    return super.delete(hex.toLowerCase());
  }
}

/**
 * Groups items by a hex text (an address, a hash, a UID), ignoring its letter case.
 *
 * @param items The items.
 * @param readHex Returns the hex text of an item.
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
  readHex: (item: Item) => string,
): HexMap<Item[]> {
  const groups = new HexMap<Item[]>();
  for (const item of items) {
    const hex = readHex(item);
    const group = groups.get(hex);
    if (group === undefined) groups.set(hex, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Finds the value of a record by hex text (an address, a hash, a UID), ignoring letter case.
 *
 * Suitable for a few lookups: the records of a response are small, and most keys are in the
 * service's own spelling. For many lookups use a `HexMap`.
 */
export function findByHex<Value>(
  record: Readonly<Record<string, Value>>,
  hex: string,
): Value | undefined {
  if (Object.hasOwn(record, hex)) return record[hex];
  return Object.entries(record).find(([key]) => sameHex(key, hex))?.[1];
}

/**
 * Whether two hex texts (addresses, hashes, UIDs) denote the same bytes, regardless of case.
 *
 * The service sends lower case, clients send checksummed addresses; records keep what was sent.
 *
 * @param a Hex text with `0x`.
 * @param b Hex text with `0x`.
 * @returns `true` if both have the same digits.
 *
 * @example A checksummed address and the service's spelling of it
 * ```ts
 * import { sameHex } from "orderlens";
 * import { assert } from "@std/assert";
 *
 * assert(
 *   sameHex(
 *     "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
 *     "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
 *   ),
 * );
 * ```
 */
export function sameHex(a: string, b: string): boolean {
  return a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());
}
