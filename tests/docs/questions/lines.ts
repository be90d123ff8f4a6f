/** A cell of a line; `null` is empty. */
type Cell = string | number | bigint | boolean | null;

/** Rows as lines of CSV below their names, in the order of their first cells; `null` comes first. */
export function lines(names: string, rows: readonly (readonly Cell[])[], keys: number): string {
  const sorted = rows.toSorted((a, b) => {
    for (let at = 0; at < keys; at++) {
      const [left, right] = [a[at] ?? "", b[at] ?? ""];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
  return [names, ...sorted.map((row) => row.map((cell) => `${cell ?? ""}`).join(","))].join("\n");
}

/** Things by what they have in common, in order of appearance. */
export function grouped<Thing>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => readonly Cell[],
): { key: readonly Cell[]; all: Thing[] }[] {
  const groups = new Map<string, { key: readonly Cell[]; all: Thing[] }>();
  for (const thing of things) {
    const key = keyOf(thing);
    const text = key.join("|");
    const group = groups.get(text) ?? { key, all: [] };
    group.all.push(thing);
    groups.set(text, group);
  }
  return [...groups.values()];
}

export function sum(amounts: Iterable<bigint | string>): bigint {
  let all = 0n;
  for (const amount of amounts) all += BigInt(amount);
  return all;
}

/** An exact number: one whole number over another, which is positive. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export function fraction(over: bigint, under = 1n): Fraction {
  return under < 0n ? { over: -over, under: -under } : { over, under };
}

/** A decimal as it is written, with or without an exponent. */
export function decimal(text: string): Fraction {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", digits = ""] = mantissa.split(".");
  const places = digits.length - Number(exponent);
  return places < 0
    ? fraction(BigInt(whole + digits) * 10n ** BigInt(-places))
    : fraction(BigInt(whole + digits), 10n ** BigInt(places));
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.over, a.under * b.under);
}

export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under, a.under * b.over);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under - b.over * a.under, a.under * b.under);
}

export function compare(a: Fraction, b: Fraction): number {
  const { over } = minus(a, b);
  return over < 0n ? -1 : over > 0n ? 1 : 0;
}

/** The middle one, or the mean of both. */
export function median(numbers: readonly Fraction[]): Fraction {
  const sorted = numbers.toSorted(compare);
  const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return fraction(low.over * high.under + high.over * low.under, 2n * low.under * high.under);
}

/** Rounded half away from zero, in the style of polars: no zeros at the end, but one place. */
export function round(number: Fraction, places: number): string {
  const unit = 10n ** BigInt(places);
  const size = number.over < 0n ? -number.over : number.over;
  const whole = (2n * size * unit + number.under) / (2n * number.under);
  const digits = `${whole % unit}`.padStart(places, "0").replace(/0+$/, "");
  return `${number.over < 0n ? "-" : ""}${whole / unit}.${digits === "" ? "0" : digits}`;
}
