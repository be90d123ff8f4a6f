/**
 * An address, hash or UID cut to its ends, such as `0x1234…cdef`; other text as it is, on one line.
 */
export function shortHex(hex: string): string {
  // Rows come from data that no compiler has seen: a number may stand where a text belongs.
  const text = String(hex);
  if (/^0x[0-9a-fA-F]{12,}$/.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}
