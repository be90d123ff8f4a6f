import { InputError } from "../errors/mod.ts";
import { defineRule, type OptionRule } from "../errors/option_rules.ts";
import { HexMap } from "../units/mod.ts";

/** The reason why a result cannot be computed from the records passed, in place of the result. */
export interface NotComputable<Reason extends string> {
  /** One of a closed set of words in snake_case. */
  readonly reason: Reason;
  /** The reason as a sentence, with the values that cause it. */
  readonly detail: string;
}

/**
 * Whether a metric returned a reason in place of a result.
 *
 * @param result Return value of a metric.
 * @returns `true` if it has a `reason` and a `detail` in place of a result; `false` for a result. The
 * compiler narrows the type.
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
export function isNotComputable<Result>(
  result: Result,
): result is Extract<Result, NotComputable<string>> {
  return typeof result === "object" && result !== null &&
    "reason" in result && typeof result.reason === "string" &&
    "detail" in result && typeof result.detail === "string";
}

/**
 * Records for lookup by UID: any iterable of records that have a `uid`, or of pairs
 * `[uid, record]`, such as a `Map`. UIDs may be in any letter case.
 */
export type ByUid<Record> =
  | Iterable<Record & { readonly uid: string }>
  | Iterable<readonly [uid: string, record: Record]>;

/** Records by UID in any letter case; accepted wherever the records themselves are. */
export interface UidIndex<Record> extends Iterable<readonly [uid: string, record: Record]> {
  /** The record; `undefined` if it is absent. */
  get(uid: string): Record | undefined;
}

/** Defines the allowed values of an option that takes records by UID. */
export function defineByUidRule<Value extends Iterable<unknown>>(noun: string): OptionRule<Value> {
  return defineRule(`an array or a Map of ${noun}`, (value) => {
    if (Array.isArray(value)) {
      return value.every((record) => Array.isArray(record) || hasUid(record));
    }
    return typeof value === "object" && value !== null &&
      typeof Reflect.get(value, Symbol.iterator) === "function";
  });
}

function hasUid(record: unknown): boolean {
  return typeof record === "object" && record !== null &&
    typeof Reflect.get(record, "uid") === "string";
}

/**
 * Indexes records by UID. A `Map` is not copied, so repeated calls with it stay fast.
 *
 * @throws {InputError} If a record has no `uid`.
 */
export function indexByUid<Record>(records: ByUid<Record>): UidIndex<Record> {
  if (records instanceof HexMap || records instanceof AnyCaseMap) return records;
  if (records instanceof JoinedIndex) return records;
  return records instanceof Map ? new AnyCaseMap(records) : new HexMap(listEntries(records));
}

/** Joins two indexes without copying them; where both have a record, that of the first counts. */
export function joinIndexes<Record>(
  first: UidIndex<Record>,
  second: UidIndex<Record>,
): UidIndex<Record> {
  return new JoinedIndex(first, second);
}

class JoinedIndex<Record> implements UidIndex<Record> {
  readonly #first: UidIndex<Record>;
  readonly #second: UidIndex<Record>;

  constructor(first: UidIndex<Record>, second: UidIndex<Record>) {
    this.#first = first;
    this.#second = second;
  }

  get(uid: string): Record | undefined {
    return this.#first.get(uid) ?? this.#second.get(uid);
  }

  *[Symbol.iterator](): Iterator<readonly [string, Record]> {
    yield* this.#first;
    for (const entry of this.#second) if (this.#first.get(entry[0]) === undefined) yield entry;
  }
}

function* listEntries<Record>(records: ByUid<Record>): Iterable<readonly [string, Record]> {
  for (const record of records) {
    if (isEntry(record)) {
      yield record;
    } else if (hasUid(record)) {
      yield [record.uid, record];
    } else {
      throw new InputError("Cannot look up records by UID: one of them has no uid", {
        facts: { found: String(record).slice(0, 80) },
        remedy:
          "Pass records with a uid, such as those of `book.orders`, or pairs of UID and record",
      });
    }
  }
}

function isEntry<Record>(
  record: Record & { readonly uid: string } | readonly [string, Record],
): record is readonly [string, Record] {
  return Array.isArray(record);
}

/** Keys of a map as written, by their lower-case form. */
const SPELLINGS = new WeakMap<object, HexMap<string>>();

/** A map of the caller: its keys may be in any letter case, and it may change between calls. */
class AnyCaseMap<Record> implements UidIndex<Record> {
  readonly #map: ReadonlyMap<string, Record>;
  #newest = new HexMap<string>();

  constructor(map: ReadonlyMap<string, Record>) {
    this.#map = map;
  }

  get(uid: string): Record | undefined {
    const record = this.#map.get(uid) ?? this.#lookUp(uid, SPELLINGS.get(this.#map));
    if (record !== undefined) return record;
    // Only a UID that no earlier spelling matches pays for comparing all keys.
    if (this.#newest.size !== this.#map.size) this.#newest = indexSpellings(this.#map);
    return this.#lookUp(uid, this.#newest);
  }

  #lookUp(uid: string, spellings: HexMap<string> | undefined): Record | undefined {
    const spelling = spellings?.get(uid);
    return spelling === undefined ? undefined : this.#map.get(spelling);
  }

  [Symbol.iterator](): Iterator<readonly [string, Record]> {
    return this.#map[Symbol.iterator]();
  }
}

function indexSpellings(map: ReadonlyMap<string, unknown>): HexMap<string> {
  let spellings = SPELLINGS.get(map);
  if (spellings === undefined || !hasSameKeys(map, spellings)) {
    spellings = new HexMap(map.keys().map((key) => [key, key]));
    SPELLINGS.set(map, spellings);
  }
  return spellings;
}

function hasSameKeys(map: ReadonlyMap<string, unknown>, spellings: HexMap<string>): boolean {
  const spelledKeys = spellings.values();
  // A loop takes a third of the time of an iterator's `every`.
  for (const key of map.keys()) if (key !== spelledKeys.next().value) return false;
  return spellings.size === map.size;
}

/** Allows one decoded record, or `null` if none is known. */
export function anyRecord<Value>(): OptionRule<Value> {
  return defineRule("a decoded record", (value) => typeof value === "object");
}

/** Allows an iterable of decoded records. */
export function list<Value>(): OptionRule<Value> {
  return defineRule(
    "an array",
    (value) =>
      typeof value === "object" && value !== null &&
      typeof Reflect.get(value, Symbol.iterator) === "function",
  );
}

/** Allows atoms, or `null` if they are unknown. */
export const ATOMS_OR_NULL: OptionRule<bigint> = defineRule(
  "atoms as a bigint, or null",
  (value) => value === null || typeof value === "bigint",
);

/** Basis points; their range is checked where they are read. */
export const BPS: OptionRule<number | string> = defineRule(
  "basis points, as a number or decimal text,",
  (value) => typeof value === "number" || typeof value === "string",
);
