import { sameHex } from "./same_hex.ts";

/**
 * The value of a record by hex text (an address, a hash, a UID), ignoring letter case.
 *
 * Suitable for a few lookups: the records of an answer are small, and most keys are in the
 * service's own spelling. For many lookups use a `HexMap`.
 */
export function valueByHex<Value>(
  record: Readonly<Record<string, Value>>,
  hex: string,
): Value | undefined {
  if (Object.hasOwn(record, hex)) return record[hex];
  return Object.entries(record).find(([each]) => sameHex(each, hex))?.[1];
}
