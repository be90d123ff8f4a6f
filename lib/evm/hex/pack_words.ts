const WORD = 32;
const LIMB_BITS = 64n;

/**
 * Values as the 32-byte words that EIP-712 hashes: each padded with zeros on the left.
 *
 * @param values Bytes, at most 32 each, or numbers of 0 to 2^256 - 1.
 */
export function packWords(values: readonly (Uint8Array | bigint)[]): Uint8Array {
  const packed = new Uint8Array(WORD * values.length);
  const view = new DataView(packed.buffer);
  let end = 0;
  for (const value of values) {
    end += WORD;
    if (typeof value !== "bigint") {
      packed.set(value, end - value.length);
      continue;
    }
    let rest = value;
    for (let at = end - 8; rest > 0n; at -= 8, rest >>= LIMB_BITS) {
      view.setBigUint64(at, BigInt.asUintN(64, rest));
    }
  }
  return packed;
}
