import {
  isMap,
  Mismatch,
  NotAString,
  parseHex,
  parseJson,
  parseU64,
  parseUid,
  unexpected,
} from "./loose_values.ts";
import { badRequest, badText, invalidJson, orReject, wrongShape } from "./reply.ts";

/** How to read a field. */
export interface Field<T> {
  /** Reads its value. @throws {Mismatch} If the value is of another kind. */
  readonly read: (value: unknown) => T;
  /** Value if the field is missing; without a fallback, the field is required. */
  readonly fallback?: { readonly value: T };
}

/** A required field. */
export function required<T>(read: Field<T>["read"]): Field<T> {
  return { read };
}

/** A field that may be missing or `null`. */
export function optional<T>(read: Field<T>["read"]): Field<T | null> {
  return { read: (value) => value === null ? null : read(value), fallback: { value: null } };
}

/** A field that may be missing, but not `null`. */
export function defaulted<T>(read: Field<T>["read"], value: NoInfer<T>): Field<T> {
  return { read, fallback: { value } };
}

type Shape = Readonly<Record<string, Field<unknown>>>;

/** The values of fields. */
export type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** The fields of a JSON object. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws {Mismatch} If the value is not an object. */
  constructor(value: unknown, struct: string) {
    if (!isMap(value)) throw unexpected(value, `struct ${struct}`);
    this.#values = value;
  }

  /**
   * The fields of a body.
   *
   * @throws {Rejection} 400 or 422 as text, if it is not an object.
   */
  static of(body: string, struct: string): Fields {
    const value = parseBody(body);
    return orReject(() => new Fields(value, struct), wrongShape);
  }

  /** Whether a field is present, even if it is `null`. */
  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /**
   * Reads a field.
   *
   * @throws {Mismatch} If it is required and missing, or of another kind.
   */
  get<T>(name: string, { read, fallback }: Field<T>): T {
    if (this.has(name)) return read(this.#values[name]);
    if (fallback === undefined) throw new Mismatch(`missing field \`${name}\``);
    return fallback.value;
  }

  /**
   * Reads fields of a body: present ones in its sequence, then missing ones in the shape's. As in the
   * service, the first error is reported.
   *
   * @throws {Rejection} 400 or 422 as text.
   */
  all<Wanted extends Shape>(shape: Wanted): Values<Wanted> {
    const present = Object.keys(this.#values).filter((name) => Object.hasOwn(shape, name));
    const names = [...present, ...Object.keys(shape).filter((name) => !this.has(name))];
    const values = names.map((name) => {
      try {
        return [name, this.get(name, shape[name]!)];
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        const reason = this.has(name) ? `${name}: ${error.message}` : error.message;
        throw error instanceof NotAString ? invalidJson(reason) : wrongShape(reason);
      }
    });
    return Object.fromEntries(values);
  }

  /**
   * Reads a field whose errors are reported after those of `all`, and without its name.
   *
   * @throws {Rejection} 422 as text.
   */
  deferred<T>(name: string, field: Field<T>): T {
    return orReject(() => this.get(name, field), wrongShape);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Field<T>["read"]): T[] {
  const items = parseBody(body);
  if (!Array.isArray(items)) throw wrongShape(unexpected(items, "a sequence").message);
  return items.map((item, at) =>
    orReject(() => read(item), (reason) => wrongShape(`[${at}]: ${reason}`))
  );
}

function parseBody(body: string): unknown {
  return orReject(() => parseJson(body), invalidJson);
}

/** A UID in a path, in lower case. @throws {Rejection} 400 as text. */
export function pathUid(value: string): string {
  return fromPath("uid", value, parseUid);
}

/** Hex in a path, in lower case. @throws {Rejection} 400 as text. */
export function pathHex(value: string, { name, bytes }: { name: string; bytes: number }): string {
  return fromPath(name, value, (text) => parseHex(text, bytes));
}

function fromPath(name: string, value: string, parse: (text: string) => string): string {
  return orReject(
    () => parse(value),
    (reason) => badText(`Invalid URL: Cannot parse \`${name}\` with value \`${value}\`: ${reason}`),
  );
}

/** Hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function pathDocumentHash(value: string): string {
  return orReject(
    () => parseHex(value, 32),
    (reason) =>
      badText(
        `Invalid URL: failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${reason}`,
      ),
  );
}

/** Id of an auction in a path. @throws {Rejection} 400 as text. */
export function pathAuctionId(value: string): number {
  const parsed = orReject(
    () => parseU64(value),
    () => badText(`Invalid URL: Cannot parse \`${value}\` to a \`u64\``),
  );
  return Number(parsed);
}

/** A count in a query. @throws {Rejection} 400 as text. */
export function queryCount(query: URLSearchParams, name: string): number | undefined {
  return queryValue(query, name, (value) => Number(parseU64(value)));
}

/** A value in a query; `undefined` if it has none. @throws {Rejection} 400 as text. */
export function queryValue<T>(
  query: URLSearchParams,
  name: string,
  read: (value: string) => T,
): T | undefined {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  if (others.length > 0) {
    throw badText(`Failed to deserialize query string: duplicate field \`${name}\``);
  }
  return orReject(
    () => read(value),
    (reason) => badText(`Failed to deserialize query string: ${name}: ${reason}`),
  );
}

const DEFAULT_LIMIT = 10;
const MAX_ROWS = 1_000;

/**
 * The page of a list that a query asks for, newest first.
 *
 * @param outOfRange Error type and description if the limit is out of range.
 * @throws {Rejection} 400.
 */
export function pageOf<T>(
  oldestFirst: readonly T[],
  query: URLSearchParams,
  outOfRange: readonly [errorType: string, description: string],
): T[] {
  const offset = queryCount(query, "offset") ?? 0;
  const limit = queryCount(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_ROWS) throw badRequest(...outOfRange);
  return oldestFirst.toReversed().slice(offset, offset + limit);
}
