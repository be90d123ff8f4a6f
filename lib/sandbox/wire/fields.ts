import {
  isMap,
  Mismatch,
  parseHex,
  parseJson,
  parseU64,
  parseUid,
  type Reader,
  unexpected,
} from "./loose_values.ts";
import { badRequest, badText, invalidJson, orReject, wrongShape } from "./reply.ts";

/** Makes a reader accept a missing field or `null`. */
export function optional<T>(read: Reader<T>): Reader<T | null> {
  return (value) => value === undefined || value === null ? null : read(value);
}

/** Makes a reader accept a missing field, but not `null`. */
export function defaulted<T>(read: Reader<T>, fallback: NoInfer<T>): Reader<T> {
  return (value) => value === undefined ? fallback : read(value);
}

/** A JSON object whose fields are not read yet. */
export type Fields = Readonly<Record<string, unknown>>;

type Shape = Readonly<Record<string, Reader<unknown>>>;

/** The values of fields. */
type Values<Read extends Shape> = { readonly [Name in keyof Read]: ReturnType<Read[Name]> };

/** Reads a field of an object. @throws {Mismatch} If it is missing or of the wrong type. */
export function readField<T>(fields: Fields, name: string, read: Reader<T>): T {
  const value = fields[name];
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof Mismatch) || value !== undefined) throw error;
    throw new Mismatch(`missing field \`${name}\``);
  }
}

/**
 * Reads fields of a body: present ones in its sequence, then missing ones in the shape's. As in the
 * service, the first error is reported.
 *
 * @throws {Mismatch} Names the field.
 */
export function readFields<Read extends Shape>(fields: Fields, shape: Read): Values<Read> {
  const present = Object.keys(fields).filter((name) => Object.hasOwn(shape, name));
  const values = [...new Set([...present, ...Object.keys(shape)])].map((name) => {
    try {
      return [name, readField(fields, name, shape[name]!)];
    } catch (error) {
      if (!(error instanceof Mismatch) || fields[name] === undefined) throw error;
      throw new Mismatch(`${name}: ${error.message}`, error.isSyntax);
    }
  });
  return Object.fromEntries(values);
}

/** Reads fields that the service flattens: errors do not name them. @throws {Mismatch} The first. */
export function readFlattened<Read extends Shape>(fields: Fields, shape: Read): Values<Read> {
  const values = Object.entries(shape).map(([name, read]) => [name, readField(fields, name, read)]);
  return Object.fromEntries(values);
}

/** Creates a reader of objects within a document; errors do not name the field. */
export function struct<Read extends Shape>(name: string, shape: Read): Reader<Values<Read>> {
  return (value) => readFlattened(requireMap(value, name), shape);
}

/** Requires an object. @throws {Mismatch} If the value is anything else. */
export function requireMap(value: unknown, struct: string): Fields {
  if (!isMap(value)) throw unexpected(value, `struct ${struct}`);
  return value;
}

/**
 * Reads a body that is an object.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readBody<T>(body: string, struct: string, read: (fields: Fields) => T): T {
  const value = orReject(() => parseJson(body), invalidJson);
  try {
    return read(requireMap(value, struct));
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw error.isSyntax ? invalidJson(error.message) : wrongShape(error.message);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Reader<T>): T[] {
  const items = orReject(() => parseJson(body), invalidJson);
  if (!Array.isArray(items)) throw wrongShape(unexpected(items, "a sequence").message);
  return items.map((item, index) =>
    orReject(() => read(item), (reason) => wrongShape(`[${index}]: ${reason}`))
  );
}

/** Parses a UID in a path, to lower case. @throws {Rejection} 400 as text. */
export function parsePathUid(value: string): string {
  return parsePath("uid", value, parseUid);
}

/** Parses hex in a path, to lower case. @throws {Rejection} 400 as text. */
export function parsePathHex(
  value: string,
  { name, bytes }: { name: string; bytes: number },
): string {
  return parsePath(name, value, (text) => parseHex(text, bytes));
}

function parsePath(name: string, value: string, parse: (text: string) => string): string {
  return orReject(
    () => parse(value),
    (reason) => badText(`Invalid URL: Cannot parse \`${name}\` with value \`${value}\`: ${reason}`),
  );
}

/** Parses the hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function parsePathHash(value: string): string {
  return orReject(
    () => parseHex(value, 32),
    (reason) =>
      badText(
        `Invalid URL: failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${reason}`,
      ),
  );
}

/** Parses the id of an auction in a path. @throws {Rejection} 400 as text. */
export function parsePathAuctionId(value: string): number {
  const auctionId = orReject(
    () => parseU64(value),
    () => badText(`Invalid URL: Cannot parse \`${value}\` to a \`u64\``),
  );
  return Number(auctionId);
}

/** Reads a count in a query. @throws {Rejection} 400 as text. */
export function readQueryCount(query: URLSearchParams, name: string): number | undefined {
  return readQueryValue(query, name, (value) => Number(parseU64(value)));
}

/** Reads a value in a query; `undefined` if it has none. @throws {Rejection} 400 as text. */
export function readQueryValue<T>(
  query: URLSearchParams,
  name: string,
  parse: (value: string) => T,
): T | undefined {
  const [value, ...duplicates] = query.getAll(name);
  if (value === undefined) return undefined;
  if (duplicates.length > 0) {
    throw badText(`Failed to deserialize query string: duplicate field \`${name}\``);
  }
  return orReject(
    () => parse(value),
    (reason) => badText(`Failed to deserialize query string: ${name}: ${reason}`),
  );
}

const DEFAULT_LIMIT = 10;
const MAX_ROWS = 1_000;

/**
 * Returns the page of a list that a query requests, newest first.
 *
 * @param outOfRange Error type and description if the limit is out of range.
 * @throws {Rejection} 400.
 */
export function slicePage<T>(
  oldestFirst: readonly T[],
  query: URLSearchParams,
  outOfRange: readonly [errorType: string, description: string],
): T[] {
  const offset = readQueryCount(query, "offset") ?? 0;
  const limit = readQueryCount(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_ROWS) throw badRequest(...outOfRange);
  return oldestFirst.toReversed().slice(offset, offset + limit);
}
