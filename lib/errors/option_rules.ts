import { InputError, nearestText } from "./orderlens_error.ts";
import { hideSecrets, redactUrls } from "./secrets.ts";

/** Allowed values, whatever their type. */
interface ValueRule {
  /** Allowed values in words, as they follow "Pass". */
  readonly expected: string;
  /** All allowed values, where the option is one of a few words. */
  readonly words?: readonly string[];
  /** Whether a value is allowed. */
  readonly accepts: (value: unknown) => boolean;
  /** Whether the option is required. @default {false} */
  readonly isNeeded?: boolean;
}

/** Allowed values of one option. */
export interface OptionRule<Value> extends ValueRule {
  /** Never set: lets the compiler detect a missing or superfluous word. */
  readonly of?: (value: Value) => Value;
}

/** Allowed values of one option: a rule, or the class that all values of a type have. */
type OptionKind<Value> =
  | OptionRule<Value>
  | ([Value] extends [boolean] ? BooleanConstructor : never)
  | (string extends Value ? StringConstructor : never)
  | ([Value] extends [bigint] ? BigIntConstructor : never)
  | ([Value] extends [(...args: never) => unknown] ? FunctionConstructor : never)
  | ([Value] extends [AbortSignal] ? typeof AbortSignal : never);

/** The kind of every option, so that none is forgotten. */
export type OptionRules<Options> = {
  readonly [Name in keyof Options]-?: OptionKind<NonNullable<Options[Name]>>;
};

/** What classes stand for. */
const CLASSES: ReadonlyMap<unknown, ValueRule> = new Map<unknown, ValueRule>([
  [Boolean, { expected: "true or false", accepts: (value) => typeof value === "boolean" }],
  [String, { expected: "a text", accepts: (value) => typeof value === "string" }],
  [BigInt, { expected: "atoms as a bigint", accepts: (value) => typeof value === "bigint" }],
  [Function, { expected: "a function", accepts: (value) => typeof value === "function" }],
  [AbortSignal, {
    expected: "the signal of an AbortController",
    accepts: (value) => value instanceof AbortSignal,
  }],
]);

function toRule(kind: unknown): ValueRule {
  return CLASSES.get(kind) ?? kind as ValueRule;
}

/** A custom rule. */
export function rule<Value>(
  expected: string,
  accepts: (value: unknown) => boolean,
): OptionRule<Value> {
  return { expected, accepts };
}

/** Makes an option required. */
export function needed<Value>(kind: OptionKind<Value>): OptionRule<Value> {
  return { ...toRule(kind), isNeeded: true };
}

/** An address, in any letter case. */
export const ADDRESS: OptionRule<string> = rule(
  "an address",
  (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value),
);

/** Any text. */
export const TEXT: OptionRule<string> = rule("a text", (value) => typeof value === "string");

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
    isNeeded: names.some((name) => toRule(rules[name]).isNeeded === true),
  });
  for (const name of names) {
    const { expected, words, accepts, isNeeded = false } = toRule(rules[name]);
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && isNeeded) {
      throw new InputError(`${action} without ${name}`, { remedy: `Pass ${expected} as ${name}` });
    }
    if (value === undefined || accepts(value)) continue;
    const nearest = suggestWord(value, words ?? []);
    throw new InputError(`${action} with ${name} ${quoted(value)}`, {
      remedy: nearest === undefined
        ? `Pass ${expected} as ${name}${isNeeded ? "" : ", or leave it out"}`
        : `Pass ${nearest} as ${name}${othersOf(words ?? [], nearest, "values")}`,
    });
  }
}

/**
 * Whether a value is a whole number from `least` to `most`, both inclusive: the one rule for
 * counts, ids, digits and times. A number beyond 2^53 - 1 does not count, since its last digit is
 * unknown.
 *
 * @param value Anything, such as what a caller passed.
 * @param least Minimum.
 * @param most Maximum.
 */
export function isWhole(
  value: unknown,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

const WITHOUT_OPTIONS = "Leave it out: there are no options";

/**
 * Rejects unknown options: a misspelt one would otherwise be ignored silently.
 *
 * @param options The caller's options.
 * @param known Names of the known options.
 * @param action Start of the message, such as `Cannot open a sandbox`.
 * @param need Whether one of them is required.
 * @throws {InputError} If `options` is not an object or has an unknown option; names that option,
 *   the known ones and the nearest of them.
 */
export function requireKnown(
  options: object,
  known: readonly string[],
  action: string,
  { isNeeded = false }: { readonly isNeeded?: boolean } = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InputError(`${action} with ${quoted(options)} as options`, {
      remedy: known.length === 0
        ? WITHOUT_OPTIONS
        : `Pass an object with ${known.join(", ")}${isNeeded ? "" : ", or leave it out"}`,
    });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestText(unknown, known);
  throw new InputError(`${action} with ${JSON.stringify(unknown)}: unknown option`, {
    remedy: known.length === 0
      ? WITHOUT_OPTIONS
      : nearest === undefined
      ? `Pass ${known.join(", ")}`
      : `Pass ${nearest}${othersOf(known, nearest, "options")}`,
  });
}

/** The words beside the one to pass; nothing where it is the only one. */
export function othersOf(
  words: readonly string[],
  nearest: string,
  noun: "options" | "values" | "names",
): string {
  const others = words.filter((word) => word !== nearest);
  return others.length === 0 ? "" : `; other ${noun} are ${others.join(", ")}`;
}

/** The value that was passed, short enough for a message. */
export function quoted(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(redactUrls(hideSecrets(value)).slice(0, 80));
  }
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  const { name = "" } = Object.getPrototypeOf(value)?.constructor ?? {};
  return name === "" || name === "Object" ? "an object" : `a ${name}`;
}

/** What a word is used for, for the error text. */
interface WordInUse {
  /** What the word names, such as `baseline`. */
  readonly what: string;
  /** Start of the message, such as `Cannot measure slippage`. */
  readonly action: string;
}

/**
 * Rejects an unknown word: notebooks are not type-checked, and a misspelt word would otherwise
 * silently be taken for another one.
 *
 * @param word The caller's word.
 * @param known The known words.
 * @param use What the word is used for.
 * @throws {InputError} Names the word, the nearest known one, and all known ones.
 */
export function requireWord(word: unknown, known: readonly string[], use: WordInUse): void {
  if (typeof word === "string" && known.includes(word)) return;
  const meant = suggestWord(word, known);
  throw new InputError(
    `${use.action} with ${use.what} ${quoted(word)}: ` +
      (meant === undefined ? `unknown ${use.what}` : `did you mean "${meant}"?`),
    { remedy: `Pass one of ${known.map((each) => `"${each}"`).join(", ")}` },
  );
}

/** The word that was probably meant: a near one, or the only one that contains the text. */
function suggestWord(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined;
  const meanings = new Map(words.map((word) => [word.toLowerCase(), word]));
  const plain = value.trim().toLowerCase().replaceAll(/[\s_-]+/g, "");
  if (plain === "") return undefined;
  const nearest = nearestText(value, words) ??
    meanings.get(nearestText(plain, meanings.keys()) ?? "");
  if (nearest !== undefined || plain.length < 3) return nearest;
  const parts = meanings.keys().filter((word) => word.includes(plain)).toArray();
  return parts.length === 1
    ? meanings.get(parts[0]!)
    : words.find((word) => word.startsWith(value));
}

/** Where a list is used, for messages. */
interface ListUse {
  /** Start of the message, such as `Cannot build orders`. */
  readonly action: string;
  /** What to pass instead, such as `an array of orders`. */
  readonly expected: string;
}

/**
 * Rejects values that cannot be iterated synchronously; the usual cause is a missing `await`.
 *
 * @throws {InputError} Names what the value is and how to turn it into a list.
 */
export function requireList(value: unknown, { action, expected }: ListUse): void {
  if (Array.isArray(value)) return;
  const { what, way } = insteadOfList(value);
  if (what === null) return;
  throw new InputError(`${action} from ${what}`, {
    remedy: `Pass ${expected}${way === null ? "" : `: ${way}`}`,
  });
}

/**
 * What a value that is not a list is, and how to turn it into one; `null` where that is not
 * possible.
 */
function insteadOfList(value: unknown): { what: string | null; way: string | null } {
  if (typeof value !== "object" || value === null) return { what: quoted(value), way: null };
  const has = (member: PropertyKey) => typeof Reflect.get(value, member) === "function";
  if (has("then")) return { what: "a promise", way: "`await` it first" };
  if (has(Symbol.asyncIterator)) {
    return { what: "an async iterable", way: "collect it first with `await Array.fromAsync(…)`" };
  }
  if (value instanceof Map) return { what: "a Map", way: "`[...map.values()]` gives its values" };
  if (has("collect")) return { what: "a lazy frame", way: "`await frame.collect()` first" };
  if (has("getColumn") || has("toRecords")) return { what: "a frame", way: null };
  return { what: has(Symbol.iterator) ? null : quoted(value), way: null };
}
