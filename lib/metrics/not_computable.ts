import { InputError } from "../errors/mod.ts";
import { defineRule, type OptionRule } from "../errors/option_rules.ts";
import { HexMap } from "../units/mod.ts";

/** Why a result cannot be computed from the records passed; returned in place of the result. */
export interface NotComputable<Reason extends string> {
  /** Why, as one of a closed set of words in snake_case. */
  readonly reason: Reason;
  /** The same as a sentence, with the values that cause it. */
  readonly detail: string;
}

/**
 * Whether a metric returned a reason in place of a result.
 *
 * @param answer What a metric returned.
 * @returns `true` if `reason` and `detail` say why there is no result; `false` for a result, and
 * the compiler narrows its type.
 *
 * @example A fill of an order without a stored quote
 * ```ts
 * import { isNotComputable, slippage } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 2_000n } as const;
 * const fill = { sellAmount: 1n, buyAmount: 2_100n };
 * const ofQuote = slippage(fill, order, null, "gross");
 * const ofLimit = slippage(fill, order, null, "limit");
 *
 * assert(isNotComputable(ofQuote) && !isNotComputable(ofLimit));
 * assertEquals(ofQuote.reason, "no_quote");
 * assertEquals(ofLimit.atoms, 100n);
 * ```
 */
export function isNotComputable<Answer>(
  answer: Answer,
): answer is Extract<Answer, NotComputable<string>> {
  return typeof answer === "object" && answer !== null &&
    "reason" in answer && typeof answer.reason === "string" &&
    "detail" in answer && typeof answer.detail === "string";
}

/**
 * Records to look up by UID: any iterable of records that have a `uid`, or of pairs
 * `[uid, record]`, such as a `Map`. UIDs may be in any letter case.
 */
export type ByUid<Record> =
  | Iterable<Record & { readonly uid: string }>
  | Iterable<readonly [uid: string, record: Record]>;

/** Finds a record by its UID in any letter case; accepted wherever the records themselves are. */
export interface UidIndex<Record> extends Iterable<readonly [uid: string, record: Record]> {
  /** The record; `undefined` if it is absent. */
  get(uid: string): Record | undefined;
}

/** Allowed values of an option that takes records by UID. */
export function byUidRule<Value extends Iterable<unknown>>(what: string): OptionRule<Value> {
  return defineRule(`an array or a Map of ${what}`, (value) => {
    if (Array.isArray(value)) return value.every((one) => Array.isArray(one) || hasUid(one));
    return typeof value === "object" && value !== null &&
      typeof Reflect.get(value, Symbol.iterator) === "function";
  });
}

function hasUid(one: unknown): boolean {
  return typeof one === "object" && one !== null && typeof Reflect.get(one, "uid") === "string";
}

/**
 * Indexes records by UID. A `Map` is not copied, so repeated calls with it stay fast.
 *
 * @throws {InputError} If a record has no `uid`.
 */
export function byUid<Record>(given: ByUid<Record>): UidIndex<Record> {
  if (given instanceof HexMap || given instanceof SpelledMap) return given;
  return given instanceof Map ? new SpelledMap(given) : new HexMap(entriesOf(given));
}

function* entriesOf<Record>(given: ByUid<Record>): Iterable<readonly [string, Record]> {
  for (const one of given) {
    if (isEntry(one)) {
      yield one;
    } else if (hasUid(one)) {
      yield [one.uid, one];
    } else {
      throw new InputError("Cannot look up records by UID: one of them has no uid", {
        facts: { found: String(one).slice(0, 80) },
        remedy:
          "Pass records with a uid, such as those of `book.orders`, or pairs of UID and record",
      });
    }
  }
}

function isEntry<Record>(
  one: Record & { readonly uid: string } | readonly [string, Record],
): one is readonly [string, Record] {
  return Array.isArray(one);
}

/** The keys of a map as written, by their lower-case form. */
const SPELLINGS = new WeakMap<object, HexMap<string>>();

/** A map of the caller, whose keys may be in any letter case, and which may change between calls. */
class SpelledMap<Record> implements UidIndex<Record> {
  readonly #map: ReadonlyMap<string, Record>;
  #newest = new HexMap<string>();

  constructor(map: ReadonlyMap<string, Record>) {
    this.#map = map;
  }

  get(uid: string): Record | undefined {
    const found = this.#map.get(uid) ?? this.#spelled(uid, SPELLINGS.get(this.#map));
    if (found !== undefined) return found;
    // Only what no earlier spelling finds pays for comparing all keys.
    if (this.#newest.size !== this.#map.size) this.#newest = spellingsOf(this.#map);
    return this.#spelled(uid, this.#newest);
  }

  #spelled(uid: string, spellings: HexMap<string> | undefined): Record | undefined {
    const spelling = spellings?.get(uid);
    return spelling === undefined ? undefined : this.#map.get(spelling);
  }

  [Symbol.iterator](): Iterator<readonly [string, Record]> {
    return this.#map[Symbol.iterator]();
  }
}

function spellingsOf(map: ReadonlyMap<string, unknown>): HexMap<string> {
  let spellings = SPELLINGS.get(map);
  if (spellings === undefined || !areKeysOf(map, spellings)) {
    spellings = new HexMap(map.keys().map((key) => [key, key]));
    SPELLINGS.set(map, spellings);
  }
  return spellings;
}

function areKeysOf(map: ReadonlyMap<string, unknown>, spellings: HexMap<string>): boolean {
  const known = spellings.values();
  // A loop takes a third of the time of an iterator's `every`.
  for (const key of map.keys()) if (key !== known.next().value) return false;
  return spellings.size === map.size;
}

/** One decoded record, or `null` if none is known. */
export function decoded<Value>(): OptionRule<Value> {
  return defineRule("a decoded record", (value) => typeof value === "object");
}

/** An iterable of decoded records. */
export function list<Value>(): OptionRule<Value> {
  return defineRule(
    "an array",
    (value) =>
      typeof value === "object" && value !== null &&
      typeof Reflect.get(value, Symbol.iterator) === "function",
  );
}

/** Basis points; their range is checked where they are read. */
export const BPS: OptionRule<number | string> = defineRule(
  "basis points, as a number or decimal text,",
  (value) => typeof value === "number" || typeof value === "string",
);
