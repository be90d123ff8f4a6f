import { InputError } from "./input_error.ts";
import { isWhole } from "./is_whole.ts";
import { nearestText } from "./nearest_text.ts";
import { othersOf, quoted, requireKnown } from "./require_known.ts";

/** Allowed values of one option. */
export interface OptionRule<Value> {
  /** Allowed values in words, as they follow "Pass". */
  readonly expected: string;
  /** All allowed values, where the option is one of a few words. */
  readonly words?: readonly string[];
  /** Whether a value is allowed. */
  readonly accepts: (value: unknown) => boolean;
  /** Whether the option is required. @default {false} */
  readonly isNeeded?: boolean;
  /** Never set: lets the compiler detect a missing or superfluous word. */
  readonly of?: (value: Value) => Value;
}

/** One rule per option, so that none is forgotten. */
export type OptionRules<Options> = {
  readonly [Name in keyof Options]-?: OptionRule<NonNullable<Options[Name]>>;
};

/** A custom rule. */
export function rule<Value>(
  expected: string,
  accepts: (value: unknown) => boolean,
): OptionRule<Value> {
  return { expected, accepts };
}

/** The same for a required option. */
export function needed<Value>(one: OptionRule<Value>): OptionRule<Value> {
  return { ...one, isNeeded: true };
}

/** Any text. */
export const TEXT: OptionRule<string> = rule("a text", (value) => typeof value === "string");

/** A boolean. */
export const FLAG: OptionRule<boolean> = rule(
  "true or false",
  (value) => typeof value === "boolean",
);

/** One of the given words. */
export function oneOf<const Word extends string>(...words: Word[]): OptionRule<Word> {
  return {
    expected: `one of ${words.join(", ")}`,
    words,
    accepts: (value) => words.includes(value as Word),
  };
}

/** A column to sort by; a leading `-` sorts descending. */
export function orderBy<const Column extends string>(
  ...columns: Column[]
): OptionRule<Column | `-${Column}`> {
  return oneOf(...columns.flatMap((column) => [column, `-${column}` as const]));
}

/** A number from `low` to `high`, both inclusive. */
export function numberFrom(low: number, high: number, unit: string): OptionRule<number> {
  const digits = (bound: number) => bound.toLocaleString("en-US");
  return rule(
    `a number of ${unit} from ${digits(low)} to ${digits(high)}`,
    (value) => typeof value === "number" && value >= low && value <= high,
  );
}

/** A whole number of at least `least`, and of at most `most` where that is given. */
export function wholeFrom(least: number, most?: number): OptionRule<number> {
  return rule(
    most === undefined
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`,
    (value) => isWhole(value, least, most),
  );
}

/** A number of at least `least`, which may have a fraction or be infinite. */
export function atLeast(least: number): OptionRule<number> {
  return rule(
    `a number of at least ${least}`,
    (value) => typeof value === "number" && value >= least,
  );
}

/** A function. */
export function callable<Value>(): OptionRule<Value> {
  return rule("a function", (value) => typeof value === "function");
}

/** An abort signal. */
export const SIGNAL: OptionRule<AbortSignal> = rule(
  "the signal of an AbortController",
  (value) => value instanceof AbortSignal,
);

/**
 * Rejects unknown options and invalid option values. Where types are not checked, for example in
 * notebooks, both would otherwise be ignored silently. An option that is `undefined` counts as
 * absent, which a required one must not be.
 *
 * @param options What the caller passed.
 * @param rules Allowed values of each option.
 * @param action Start of the message, such as `Cannot open a sandbox`.
 * @throws {InputError} Names the first invalid option, and the allowed ones.
 */
export function checkOptions<Options extends object>(
  options: Options,
  rules: OptionRules<Options>,
  action: string,
): void {
  const names = Object.keys(rules) as (keyof Options & string)[];
  requireKnown(options, names, action, {
    isNeeded: names.some((name) => rules[name].isNeeded === true),
  });
  for (const name of names) {
    const { expected, words, accepts, isNeeded = false } = rules[name];
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && isNeeded) {
      throw new InputError(`${action} without ${name}`, { remedy: `Pass ${expected} as ${name}` });
    }
    if (value === undefined || accepts(value)) continue;
    const nearest = words === undefined ? undefined : nearestWord(String(value), words);
    throw new InputError(`${action} with ${name} ${quoted(value)}`, {
      remedy: nearest === undefined
        ? `Pass ${expected} as ${name}${isNeeded ? "" : ", or leave it out"}`
        : `Pass ${nearest} as ${name}${othersOf(words ?? [], nearest, "values")}`,
    });
  }
}

/** The word that was probably meant: the nearest one, or one that the text is a prefix of. */
function nearestWord(text: string, words: readonly string[]): string | undefined {
  return nearestText(text, words) ??
    (text.length < 3 ? undefined : words.find((word) => word.startsWith(text)));
}
