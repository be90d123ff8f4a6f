import { findNearestText, InputError } from "./orderlens_error.ts";
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
  readonly isRequired?: boolean;
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

/** The rules that classes stand for. */
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

/** Creates a rule from the allowed values in words, as they follow "Pass", and their check. */
export function defineRule<Value>(
  expected: string,
  accepts: (value: unknown) => boolean,
): OptionRule<Value> {
  return { expected, accepts };
}

/** Makes an option required. */
export function required<Value>(kind: OptionKind<Value>): OptionRule<Value> {
  return { ...toRule(kind), isRequired: true };
}

/** Allows an address, in any letter case. */
export const ADDRESS: OptionRule<string> = defineRule(
  "an address",
  (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value),
);

/** Allows any text. */
export const TEXT: OptionRule<string> = defineRule("a text", (value) => typeof value === "string");

const MAX_LINE_CHARS = 200;

/** Whether a value is one line of text, without characters that end a field of a printed text. */
export function isLine(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_LINE_CHARS &&
    // Characters that control a terminal, or end a fence, a field of BibTeX or a code span.
    !/[\p{Cc}\p{Cf}{}`]/u.test(value);
}

/** Allows one of some words. */
export function oneOf<const Word extends string>(...words: Word[]): OptionRule<Word> {
  return {
    expected: `one of ${words.join(", ")}`,
    words,
    accepts: (value) => words.includes(value as Word),
  };
}

/** Allows a column to sort by; a leading `-` sorts descending. */
export function orderBy<const Column extends string>(
  ...columns: Column[]
): OptionRule<Column | `-${Column}`> {
  return oneOf(...columns.flatMap((column) => [column, `-${column}` as const]));
}

/** Allows a number from `low` to `high`, both inclusive. */
export function numberFrom(low: number, high: number, unit: string): OptionRule<number> {
  const formatBound = (bound: number) => bound.toLocaleString("en-US");
  return defineRule(
    `a number of ${unit} from ${formatBound(low)} to ${formatBound(high)}`,
    (value) => typeof value === "number" && value >= low && value <= high,
  );
}

/** Allows a whole number from `min` to `max`, without a limit if `max` is absent. */
export function wholeNumber(min: number, max?: number): OptionRule<number> {
  return defineRule(
    max === undefined
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`,
    (value) => isWhole(value, min, max),
  );
}

/** Allows a number of at least `min`, which may have a fraction or be infinite. */
export function numberAtLeast(min: number): OptionRule<number> {
  return defineRule(
    `a number of at least ${min}`,
    (value) => typeof value === "number" && value >= min,
  );
}

/** Allows any function. */
export function anyFunction<Value>(): OptionRule<Value> {
  return defineRule("a function", (value) => typeof value === "function");
}

/**
 * Rejects unknown options and invalid option values. Where types are not checked, for example in
 * notebooks, both would otherwise be ignored silently. An option that is `undefined` counts as
 * absent, which a required one must not be.
 *
 * @param options Options of the caller.
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
    isRequired: names.some((name) => toRule(rules[name]).isRequired === true),
  });
  for (const name of names) {
    const { expected, words, accepts, isRequired = false } = toRule(rules[name]);
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && isRequired) {
      throw new InputError(`${action} without ${name}`, { remedy: `Pass ${expected} as ${name}` });
    }
    if (value === undefined || accepts(value)) continue;
    const nearest = suggestWord(value, words ?? []);
    throw new InputError(`${action} with ${name} ${describeValue(value)}`, {
      remedy: nearest === undefined
        ? `Pass ${expected} as ${name}${isRequired ? "" : ", or leave it out"}`
        : `Pass ${nearest} as ${name}${formatAlternatives(words ?? [], nearest, "values")}`,
    });
  }
}

/**
 * Whether a value is a whole number from `min` to `max`, both inclusive: the one rule for counts,
 * ids, digits and times. A number beyond 2^53 - 1 does not count, since its last digit is unknown.
 */
export function isWhole(
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

const WITHOUT_OPTIONS = "Leave it out: there are no options";

/**
 * Rejects unknown options: a misspelt one would otherwise be ignored silently.
 *
 * @param options Options of the caller.
 * @param names Names of the known options.
 * @param action Start of the message, such as `Cannot open a sandbox`.
 * @throws {InputError} If `options` is not an object or has an unknown option; names that option,
 *   the known ones and the nearest of them.
 */
export function requireKnown(
  options: object,
  names: readonly string[],
  action: string,
  { isRequired = false }: { readonly isRequired?: boolean } = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InputError(`${action} with ${describeValue(options)} as options`, {
      remedy: names.length === 0
        ? WITHOUT_OPTIONS
        : `Pass an object with ${names.join(", ")}${isRequired ? "" : ", or leave it out"}`,
    });
  }
  const unknownName = Object.keys(options).find((name) => !names.includes(name));
  if (unknownName === undefined) return;
  const nearest = findNearestText(unknownName, names);
  throw new InputError(`${action} with ${JSON.stringify(unknownName)}: unknown option`, {
    remedy: names.length === 0
      ? WITHOUT_OPTIONS
      : nearest === undefined
      ? `Pass ${names.join(", ")}`
      : `Pass ${nearest}${formatAlternatives(names, nearest, "options")}`,
  });
}

/** Formats the words other than the nearest one; `""` if there are no others. */
export function formatAlternatives(
  words: readonly string[],
  nearest: string,
  noun: "options" | "values" | "names",
): string {
  const alternatives = words.filter((word) => word !== nearest);
  return alternatives.length === 0 ? "" : `; other ${noun} are ${alternatives.join(", ")}`;
}

/** Describes a value that was passed, in a few words for a message. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(redactUrls(hideSecrets(value)).slice(0, 80));
  }
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  const { name = "" } = Object.getPrototypeOf(value)?.constructor ?? {};
  return name === "" || name === "Object" ? "an object" : `a ${name}`;
}

/** Purpose of a word, for messages. */
interface WordUse {
  /** Noun for the word, such as `baseline`. */
  readonly noun: string;
  /** Start of the message, such as `Cannot measure slippage`. */
  readonly action: string;
}

/**
 * Rejects an unknown word: notebooks are not type-checked, and a misspelt word would otherwise
 * silently be taken for another one.
 *
 * @throws {InputError} Names the word, the nearest known one, and all known ones.
 */
export function requireWord(word: unknown, words: readonly string[], use: WordUse): void {
  if (typeof word === "string" && words.includes(word)) return;
  const nearest = suggestWord(word, words);
  throw new InputError(
    `${use.action} with ${use.noun} ${describeValue(word)}: ` +
      (nearest === undefined ? `unknown ${use.noun}` : `did you mean "${nearest}"?`),
    { remedy: `Pass one of ${words.map((allowedWord) => `"${allowedWord}"`).join(", ")}` },
  );
}

/** Finds the word that was probably meant: a near one, or the only one that contains the text. */
function suggestWord(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined;
  const meanings = new Map(words.map((word) => [word.toLowerCase(), word]));
  const plain = value.trim().toLowerCase().replaceAll(/[\s_-]+/g, "");
  if (plain === "") return undefined;
  const nearest = findNearestText(value, words) ??
    meanings.get(findNearestText(plain, meanings.keys()) ?? "");
  if (nearest !== undefined || plain.length < 3) return nearest;
  const parts = meanings.keys().filter((word) => word.includes(plain)).toArray();
  return parts.length === 1
    ? meanings.get(parts[0]!)
    : words.find((word) => word.startsWith(value));
}

/** Purpose of a list, for messages. */
interface ListUse {
  /** Start of the message, such as `Cannot build orders`. */
  readonly action: string;
  /** The value to pass instead, such as `an array of orders`. */
  readonly expected: string;
}

/**
 * Rejects values that cannot be iterated synchronously; the usual cause is a missing `await`.
 *
 * @throws {InputError} Describes the value, and the way to turn it into a list.
 */
export function requireList(value: unknown, { action, expected }: ListUse): void {
  if (Array.isArray(value)) return;
  const { noun, way } = describeNonList(value);
  if (noun === null) return;
  throw new InputError(`${action} from ${noun}`, {
    remedy: `Pass ${expected}${way === null ? "" : `: ${way}`}`,
  });
}

/**
 * Describes a value that is no list, and the way to turn it into one; a `null` noun for what can
 * be iterated, a `null` way where there is none.
 */
function describeNonList(value: unknown): { noun: string | null; way: string | null } {
  if (typeof value !== "object" || value === null) return { noun: describeValue(value), way: null };
  const has = (member: PropertyKey) => typeof Reflect.get(value, member) === "function";
  if (has("then")) return { noun: "a promise", way: "`await` it first" };
  if (has(Symbol.asyncIterator)) {
    return { noun: "an async iterable", way: "collect it first with `await Array.fromAsync(…)`" };
  }
  if (value instanceof Map) return { noun: "a Map", way: "`[...map.values()]` gives its values" };
  if (has("collect")) return { noun: "a lazy frame", way: "`await frame.collect()` first" };
  if (has("getColumn") || has("toRecords")) return { noun: "a frame", way: null };
  return { noun: has(Symbol.iterator) ? null : describeValue(value), way: null };
}
