import { sameHex } from "./same_hex.ts";

/**
 * The value of a record by hex text (an address, a hash, a UID), in whatever case either is written.
 *
 * For one look-up or a few: the records of an answer are small, and most keys come in the service's
 * own spelling. For many look-ups make a `HexMap`.
 */
export function valueByHex<Value>(
  record: Readonly<Record<string, Value>>,
  hex: string,
): Value | undefined {
  if (Object.hasOwn(record, hex)) return record[hex];
  return Object.entries(record).find(([each]) => sameHex(each, hex))?.[1];
}
