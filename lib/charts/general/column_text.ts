/** What a column is called in a picture. */
export interface ColumnText {
  /** Its name in words, beginning with a capital: `Slippage net`. */
  readonly name: string;
  /** Unit of its values; `null` if it has none. */
  readonly unit: string | null;
}

/** Last words of a column that say its unit. */
const UNITS: Readonly<Record<string, string>> = {
  native: "native tokens",
  usd: "USD",
  bps: "bps",
  seconds: "s",
  ms: "ms",
  atoms: "atoms",
  percent: "%",
  blocks: "blocks",
  gas: "gas",
};

/**
 * A column in words, with the unit that its name ends with.
 *
 * @param unit Said instead of that unit.
 */
export function columnText(column: string, unit?: string): ColumnText {
  const words = column.split("_").filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  const known = words.length > 1 && Object.hasOwn(UNITS, last) ? UNITS[last]! : null;
  const named = known === null ? words : words.slice(0, -1);
  const name = named.join(" ") || column;
  return { name: name.slice(0, 1).toUpperCase() + name.slice(1), unit: unit ?? known };
}

/** The label of an axis: `Slippage net (bps)`. */
export function columnLabel({ name, unit }: ColumnText, more = ""): string {
  return `${name}${more}${unit === null ? "" : ` (${unit})`}`;
}

/** A value with its unit. */
export function withUnit(text: string, { unit }: ColumnText): string {
  if (unit === null) return text;
  return unit === "%" ? `${text}%` : `${text} ${unit}`;
}

/** The same name inside a sentence. */
export function inSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.slice(0, 1).toLowerCase() + name.slice(1) : name;
}

/** What one of the groups by a column is called: `solver` for `solver_name`. */
export function groupNoun(column: string): string {
  return column.replace(/_name$/, "").replaceAll("_", " ").trim() || "series";
}
