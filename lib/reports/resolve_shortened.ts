import type { OrderBook } from "../client/order_book.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import { InputError, NotFoundError } from "../errors/mod.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import {
  type Identifier,
  isShortenedFrom,
  parseIdentifier,
  type ShortenedIdentifier,
} from "../networks/identifier.ts";

/** An identifier with all of its digits. */
export type WholeIdentifier = Exclude<Identifier, ShortenedIdentifier>;

/** Auctions of a sandbox that are searched. */
const MAX_AUCTIONS = 1_000;
/** Matches that an error names. */
const MAX_NAMED = 5;

/** Options of {@linkcode resolveShortened}. */
interface ResolveOptions extends CallOptions {
  /**
   * Finds identifiers with some digits elsewhere, such as in tables.
   * @default {the auctions of a sandbox; a deployment is not searched}
   */
  readonly search?: ((shortened: ShortenedIdentifier) => Promise<readonly string[]>) | undefined;
}

/**
 * Finds the one identifier that a shortened one stands for, among those of a recording or a sandbox.
 *
 * @throws {InputError} If the deployment cannot be searched by digits, or several have them.
 * @throws {NotFoundError} If none has them.
 */
export async function resolveShortened(
  book: OrderBook,
  shortened: ShortenedIdentifier,
  { signal, search }: ResolveOptions = {},
): Promise<WholeIdentifier> {
  const { begin, end } = shortened;
  const label = `${begin}…${end}`;
  if (search === undefined && /^https?:/i.test(book.baseUrl)) {
    throw new InputError(`Cannot look up ${label}: a deployment cannot be searched by digits`, {
      remedy: "Pass all digits, which --json and HTML pages show",
    });
  }
  const recorded = readRecordedKeys(book);
  const keys = search === undefined
    ? recorded ?? await readAuctionKeys(book, { signal })
    : [...recorded ?? [], ...await search(shortened)];
  const candidates = new Set(keys.map((key) => key.toLowerCase()));
  const matches = [...candidates].filter((key) => isShortenedFrom(shortened, key));
  const [match, ...otherMatches] = matches;
  if (match === undefined) {
    throw new NotFoundError(`Cannot find ${label}: nothing here matches these digits`, {
      request: null,
      status: null,
      remedy: "Check the digits, or pass all of them",
    });
  }
  if (otherMatches.length > 0) {
    throw new InputError(`Cannot look up ${label}: ${matches.length} identifiers have these ends`, {
      facts: { first: matches.slice(0, MAX_NAMED).join(", ") },
      remedy: "Pass all digits of one of them",
    });
  }
  const identifier = parseIdentifier(match);
  if (identifier !== null && identifier.kind !== "shortened") return identifier;
  throw new TypeError(`${match} is not an identifier`);
}

/** The identifiers that a recording answers for. */
interface RecordedKeys {
  readonly orderUids: readonly string[];
  readonly txHashes: readonly string[];
  readonly accounts: readonly string[];
}

function readRecordedKeys(book: OrderBook): readonly string[] | null {
  const { recorded }: { readonly recorded?: RecordedKeys } = Object(book.transport);
  if (recorded === undefined) return null;
  return [...recorded.orderUids, ...recorded.txHashes, ...recorded.accounts];
}

async function readAuctionKeys(book: OrderBook, { signal }: CallOptions): Promise<string[]> {
  const keys: string[] = [];
  for await (const { competition } of book.competitions({ last: MAX_AUCTIONS }, { signal })) {
    const uids = competition?.auction.orders ?? [];
    keys.push(...uids, ...competition?.transactionHashes ?? []);
    keys.push(...uids.map((uid) => parseOrderUid(uid).owner));
  }
  return keys;
}
