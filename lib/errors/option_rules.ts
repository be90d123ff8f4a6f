import { InputError } from "./input_error.ts";
import { nearestText } from "./nearest_text.ts";
import { othersOf, quoted, requireKnown } from "./require_known.ts";

/** What one option may be. */
export interface OptionRule<Value> {
  /** What it may be, as it stands behind "Pass". */
  readonly expected: string;
  /** All that it may be, where it is one of a few words. */
  readonly words?: readonly string[];
  /** Whether a value is that. */
  readonly accepts: (value: unknown) => boolean;
  /** Whether it cannot be left out. @default {false} */
  readonly isNeeded?: boolean;
  /** Never there: lets the compiler see a word that is missing, or one too many. */
  readonly of?: (value: Value) => Value;
}

/** A rule for each option that there is, so that none is forgotten. */
export type OptionRules<Options> = {
  readonly [Name in keyof Options]-?: OptionRule<NonNullable<Options[Name]>>;
};

/** A rule of one's own. */
export function rule<Value>(
  expected: string,
  accepts: (value: unknown) => boolean,
): OptionRule<Value> {
  return { expected, accepts };
}

/** The same for an option that cannot be left out. */
export function needed<Value>(one: OptionRule<Value>): OptionRule<Value> {
  return { ...one, isNeeded: true };
}

/** Any text. */
export const TEXT: OptionRule<string> = rule("a text", (value) => typeof value === "string");

/** Yes or no. */
export const FLAG: OptionRule<boolean> = rule(
  "true or false",
  (value) => typeof value === "boolean",
);

/** One of a few words. */
export function oneOf<const Word extends string>(...words: Word[]): OptionRule<Word> {
  return {
    expected: `one of ${words.join(", ")}`,
    words,
    accepts: (value) => words.includes(value as Word),
  };
}

/** A column to sort by, descending with `-` before it. */
export function orderBy<const Column extends string>(
  ...columns: Column[]
): OptionRule<Column | `-${Column}`> {
  return oneOf(...columns.flatMap((column) => [column, `-${column}` as const]));
}

/** A number from `low` to `high`, both inside. */
export function numberFrom(low: number, high: number, unit: string): OptionRule<number> {
  const digits = (bound: number) => bound.toLocaleString("en-US");
  return rule(
    `a number of ${unit} from ${digits(low)} to ${digits(high)}`,
    (value) => typeof value === "number" && value >= low && value <= high,
  );
}

/** A whole number of at least `least`. */
export function wholeFrom(least: number): OptionRule<number> {
  return rule(
    `a whole number of at least ${least}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
  );
}

/** Something to be called. */
export function callable<Value>(): OptionRule<Value> {
  return rule("a function", (value) => typeof value === "function");
}

/** What stops a call. */
export const SIGNAL: OptionRule<AbortSignal> = rule(
  "the signal of an AbortController",
  (value) => value instanceof AbortSignal,
);

/**
 * Refuses options that there are not, and values that an option cannot have: where types are not
 * checked, as in notebooks, both would otherwise change nothing, silently. `undefined` is an option
 * that is left out, which one that is needed cannot be.
 *
 * @param options What the caller passed.
 * @param rules What each option may be.
 * @param action What could not be done then, as `Cannot open a sandbox`.
 * @throws {InputError} Naming the first option at fault, and what there is.
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
        : `Pass ${nearest} as ${name}${othersOf(words ?? [], nearest)}`,
    });
  }
}

/** The word that was probably meant: the nearest one, or one that only was not written to its end. */
function nearestWord(text: string, words: readonly string[]): string | undefined {
  return nearestText(text, words) ??
    (text.length < 3 ? undefined : words.find((word) => word.startsWith(text)));
}
