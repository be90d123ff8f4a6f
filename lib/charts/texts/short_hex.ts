/**
 * An address, hash or UID cut to its ends, such as `0x1234…cdef`; other text as it is, on one line.
 */
export function shortHex(hex: string): string {
  // Rows are unchecked data: a number may come where a text is expected.
  const text = String(hex);
  if (/^0x[0-9a-fA-F]{12,}$/.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}
