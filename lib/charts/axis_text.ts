/** A number as a person reads it beside a mark: 4 digits, an exponent where it saves many zeros. */
export function axisText(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

const NAME_CHARACTERS = 24;

/** An address cut to its ends, as `0x1234…cdef`; a longer name too, to 24 characters. */
export function shortName(name: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(name)) return `${name.slice(0, 6)}…${name.slice(-4)}`;
  if (name.length <= NAME_CHARACTERS) return name;
  return `${name.slice(0, NAME_CHARACTERS / 2)}…${name.slice(1 - NAME_CHARACTERS / 2)}`;
}
