import { type OptionRule, rule } from "../errors/option_rules.ts";

/** One decoded record, or `null` if none is known. */
export function decoded<Value>(): OptionRule<Value> {
  return rule("a decoded record", (value) => typeof value === "object");
}

/** An iterable of decoded records. */
export function list<Value>(): OptionRule<Value> {
  return rule(
    "an array",
    (value) =>
      typeof value === "object" && value !== null &&
      typeof Reflect.get(value, Symbol.iterator) === "function",
  );
}

/** An amount. */
export const ATOMS: OptionRule<bigint> = rule("atoms as a bigint", isBigint);

/** Basis points; their range is checked where they are read. */
export const BPS: OptionRule<number | string> = rule(
  "basis points, as a number or decimal text,",
  (value) => typeof value === "number" || typeof value === "string",
);

function isBigint(value: unknown): boolean {
  return typeof value === "bigint";
}
