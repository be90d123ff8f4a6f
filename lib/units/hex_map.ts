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
  /** The value of a key. */
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
