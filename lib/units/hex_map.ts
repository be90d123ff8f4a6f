/**
 * A `Map` by hex text (addresses, hashes, UIDs) that finds a key in whatever case it is written.
 *
 * Keys are kept in lower case, as the service writes them; of two entries whose keys differ only in
 * case the later one stands.
 *
 * @typeParam Value What is found by a key.
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
    // Most keys come in lower case, from the service.
    return super.get(hex) ?? super.get(hex.toLowerCase());
  }

  /** Whether there is a key. */
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
