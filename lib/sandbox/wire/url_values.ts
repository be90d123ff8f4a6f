import { badRequest, failure, orReject, Rejection, text } from "./reply.ts";
import { InputError } from "../../errors/mod.ts";
import { parseHex, parseU64, parseUid } from "./loose_values.ts";

const ADDRESS_BYTES = 20;

function badPath(reason: string): Rejection {
  return new Rejection(text(`Invalid URL: ${reason}`, 400));
}

function badQuery(reason: string): Rejection {
  return new Rejection(text(`Failed to deserialize query string: ${reason}`, 400));
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
    (reason) => badPath(`Cannot parse \`${name}\` with value \`${value}\`: ${reason}`),
  );
}

/** Hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function pathDocumentHash(value: string): string {
  return orReject(
    () => parseHex(value, 32),
    (reason) =>
      badPath(`failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${reason}`),
  );
}

/** Id of an auction in a path. @throws {Rejection} 400 as text. */
export function pathAuctionId(value: string): number {
  return Number(
    orReject(() => parseU64(value), () => badPath(`Cannot parse \`${value}\` to a \`u64\``)),
  );
}

/** A count in a query. @throws {Rejection} 400 as text. */
export function queryCount(query: URLSearchParams, name: string): number | undefined {
  return queryValue(query, name, (value) => Number(parseU64(value)));
}

/** A UID in a query, in lower case. @throws {Rejection} 400 as text. */
export function queryUid(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, parseUid);
}

/** An address in a query, in lower case. @throws {Rejection} 400 as text. */
export function queryAddress(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, (value) => parseHex(value, ADDRESS_BYTES));
}

function queryValue<T>(
  query: URLSearchParams,
  name: string,
  read: (value: string) => T,
): T | undefined {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  if (others.length > 0) throw badQuery(`duplicate field \`${name}\``);
  return orReject(() => read(value), (reason) => badQuery(`${name}: ${reason}`));
}

const DEFAULT_LIMIT = 10;

const MAX_ROWS = 1_000;

/** The page in a query. @throws {Rejection} 400; with `outOfRange` if the limit is out of range. */
export function queryPage(
  query: URLSearchParams,
  outOfRange: { errorType: string; description: string },
): { offset: number; limit: number } {
  const offset = queryCount(query, "offset") ?? FIRST;
  const limit = queryCount(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_ROWS) {
    throw new Rejection(failure(400, outOfRange.errorType, outOfRange.description));
  }
  return { offset, limit };
}

const FIRST = 0;

/**
 * The recoverOrReject signer.
 *
 * @param description Error description for a signature that recovers to no signer.
 * @throws {Rejection} 400 with a type, for such a signature.
 */
export async function recoverOrReject(
  recover: () => Promise<string>,
  description: string,
): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    throw error instanceof InputError ? badRequest("InvalidSignature", description) : error;
  }
}
