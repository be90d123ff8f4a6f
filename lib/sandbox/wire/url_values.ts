import { hexOf, u64In, uidIn } from "./loose_values.ts";
import { orRefuse } from "./or_refuse.ts";
import { failure, Rejection, text } from "./reply.ts";

const ADDRESS_BYTES = 20;

function badPath(reason: string): Rejection {
  return new Rejection(text(`Invalid URL: ${reason}`, 400));
}

function badQuery(reason: string): Rejection {
  return new Rejection(text(`Failed to deserialize query string: ${reason}`, 400));
}

/** A UID of a path, in lower case. @throws {Rejection} 400 as text. */
export function pathUid(value: string): string {
  return orRefuse(
    () => uidIn(value),
    (reason) => badPath(`Cannot parse \`uid\` with value \`${value}\`: ${reason}`),
  );
}

/** Hex of a path, in lower case. @throws {Rejection} 400 as text. */
export function pathHex(value: string, { name, bytes }: { name: string; bytes: number }): string {
  return orRefuse(
    () => hexOf(value, bytes),
    (reason) => badPath(`Cannot parse \`${name}\` with value \`${value}\`: ${reason}`),
  );
}

/** Hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function pathDocumentHash(value: string): string {
  return orRefuse(
    () => hexOf(value, 32),
    (reason) =>
      badPath(`failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${reason}`),
  );
}

/** Id of an auction in a path. @throws {Rejection} 400 as text. */
export function pathAuctionId(value: string): number {
  return Number(
    orRefuse(() => u64In(value), () => badPath(`Cannot parse \`${value}\` to a \`u64\``)),
  );
}

/** A count of a query. @throws {Rejection} 400 as text. */
export function queryCount(query: URLSearchParams, name: string): number | undefined {
  return queryValue(query, name, (value) => Number(u64In(value)));
}

/** A UID of a query, in lower case. @throws {Rejection} 400 as text. */
export function queryUid(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, uidIn);
}

/** An address of a query, in lower case. @throws {Rejection} 400 as text. */
export function queryAddress(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, (value) => hexOf(value, ADDRESS_BYTES));
}

function queryValue<T>(
  query: URLSearchParams,
  name: string,
  read: (value: string) => T,
): T | undefined {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  if (others.length > 0) throw badQuery(`duplicate field \`${name}\``);
  return orRefuse(() => read(value), (reason) => badQuery(`${name}: ${reason}`));
}

/** Where a page begins and how long it is. */
export interface PageBounds {
  /** Rows to leave out. */
  readonly offset: number;
  /** Rows at most. */
  readonly limit: number;
}

const DEFAULT_LIMIT = 10;
const MOST_ROWS = 1_000;

/** The page that a query asks for. @throws {Rejection} 400, with this type where it is too long. */
export function queryPage(
  query: URLSearchParams,
  refusal: { errorType: string; description: string },
): PageBounds {
  const offset = queryCount(query, "offset") ?? FIRST;
  const limit = queryCount(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MOST_ROWS) {
    throw new Rejection(failure(400, refusal.errorType, refusal.description));
  }
  return { offset, limit };
}

const FIRST = 0;
