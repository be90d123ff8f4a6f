import { hexOf, Mismatch } from "./loose_values.ts";
import { failure, Rejection, text } from "./reply.ts";

const UID_BYTES = 56;
const LARGEST_U64 = 2n ** 64n - 1n;

function badPath(reason: string): Rejection {
  return new Rejection(text(`Invalid URL: ${reason}`, 400));
}

function badQuery(reason: string): Rejection {
  return new Rejection(text(`Failed to deserialize query string: ${reason}`, 400));
}

/** The reason why text is not such hex; `null` if it is. */
function hexFault(value: string, bytes: number): string | null {
  try {
    hexOf(value, bytes);
    return null;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}

/** A UID of a path, in lower case. @throws {Rejection} 400 as text. */
export function uidOf(value: string): string {
  const fault = hexFault(value, UID_BYTES);
  if (fault === null) return hexOf(value, UID_BYTES);
  throw badPath(
    `Cannot parse \`uid\` with value \`${value}\`: failed to decode ${
      JSON.stringify(value)
    } as hex uid: ${fault}`,
  );
}

/** Hex of a path, in lower case. @throws {Rejection} 400 as text. */
export function pathHex(value: string, { name, bytes }: { name: string; bytes: number }): string {
  const fault = hexFault(value, bytes);
  if (fault === null) return hexOf(value, bytes);
  throw badPath(`Cannot parse \`${name}\` with value \`${value}\`: ${fault}`);
}

/** Hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function documentHashOf(value: string): string {
  const fault = hexFault(value, 32);
  if (fault === null) return hexOf(value, 32);
  throw badPath(`failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${fault}`);
}

/** Id of an auction in a path. @throws {Rejection} 400 as text. */
export function auctionIdOf(value: string): number {
  if (/^\+?[0-9]+$/.test(value) && BigInt(value.replace("+", "")) <= LARGEST_U64) {
    return Number(value);
  }
  throw badPath(`Cannot parse \`${value}\` to a \`u64\``);
}

/** A count of a query. @throws {Rejection} 400 as text. */
export function countOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (value === "") throw badQuery(`${name}: cannot parse integer from empty string`);
  if (!/^\+?[0-9]+$/.test(value)) throw badQuery(`${name}: invalid digit found in string`);
  if (BigInt(value.replace("+", "")) > LARGEST_U64) {
    throw badQuery(`${name}: number too large to fit in target type`);
  }
  return Number(value);
}

/** Hex of a query. @throws {Rejection} 400 as text. */
export function queryHex(
  query: URLSearchParams,
  { name, bytes }: { name: string; bytes: number },
): string | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const fault = hexFault(value, bytes);
  if (fault === null) return hexOf(value, bytes);
  throw badQuery(
    bytes === UID_BYTES
      ? `${name}: failed to decode ${JSON.stringify(value)} as hex uid: ${fault}`
      : `${name}: ${fault}`,
  );
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
export function pageOf(
  query: URLSearchParams,
  refusal: { errorType: string; description: string },
): PageBounds {
  const offset = countOf(query, "offset") ?? FIRST;
  const limit = countOf(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MOST_ROWS) {
    throw new Rejection(failure(400, refusal.errorType, refusal.description));
  }
  return { offset, limit };
}

const FIRST = 0;
