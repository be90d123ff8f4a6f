import { InputError, MismatchError } from "../errors/mod.ts";
import { checkOptions, isWhole, type OptionRules } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import {
  type Auction,
  type Competition,
  decodeAuction,
  decodeCompetition,
} from "../schemas/mod.ts";
import { HOUR_MS } from "../units/instant.ts";
import { sameHex } from "../units/mod.ts";
import { CALL_OPTIONS, type CallOptions, NO_EXPIRY, requireSame, splitUid } from "./calls.ts";
import { requestJson } from "./send.ts";

/**
 * Gets the competition of one auction by its id, by the hash of a transaction that settled it, or
 * the latest one.
 *
 * Calls `GET /api/v2/solver_competition/{auctionId}`, `…/by_tx_hash/{txHash}` or `…/latest`. A
 * response by id or hash may be cached on disk, if the transport has a cache folder, once it can no
 * longer change: every winner has its settlement transaction, or the first of the auction's orders
 * expired two hours ago.
 *
 * @param transport Transport that sends the request.
 * @param selector An auction id, a transaction hash, or `"latest"`.
 * @returns The competition; solutions worst first, amounts in atoms.
 * @throws {InputError} If `selector` is none of these; nothing is sent.
 * @throws {NotFoundError} If the service does not have the competition, or hides it until its
 * deadline.
 * @throws {DecodeError} If the response is not a competition.
 * @throws {MismatchError} If it is for another auction, or does not name the requested transaction.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/solver_competition_v2.rs | the service}
 * @example By the transaction that settled it
 * ```ts
 * import { getCompetition } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const txHash = "0xf6cd30be1044908507d0561a99cecabb1ad288d00313e475784806955b2076f1";
 * const { auctionId, solutions } = await getCompetition(recording, txHash);
 *
 * assertEquals(auctionId, 2624);
 * assertEquals(solutions.filter((solution) => solution.isWinner).length, 2);
 * assertEquals((await getCompetition(recording, "latest")).auctionId, 2624);
 * ```
 */
export async function getCompetition(
  transport: Transport,
  selector: number | string,
  options: GetCompetitionOptions = {},
): Promise<Competition> {
  checkOptions(options, COMPETITION_OPTIONS, "Cannot get a competition");
  const { segment, label } = parseSelector(selector);
  const { isRestricted = false, now = Date.now } = options;
  if (isRestricted && typeof selector !== "number") {
    throw new InputError(`Cannot get ${label} of the restricted operation`, {
      remedy: "Pass an auction id: the restricted operation takes no other",
    });
  }
  const path = `${isRestricted ? "/restricted" : ""}/api/v2/solver_competition/${segment}`;
  function read(body: unknown): Competition {
    const source = `GET ${path}`;
    const competition = decodeCompetition(body, { source });
    requireMatch(selector, competition, source);
    return competition;
  }
  const { json } = await requestJson(transport, {
    path,
    action: `get ${label}`,
    notFound:
      "Retry later if the auction is recent: a competition is hidden until its deadline, and is found by its transaction only once that is indexed; auction ids have gaps",
    ...isRestricted && {
      unauthorized:
        "Pass a partner's key in the option `headers`, or omit `isRestricted` and wait for the deadline",
    },
    isImmutable: ({ body }) =>
      selector !== "latest" && isFinalCompetition(read(JSON.parse(body)), now()),
  }, options);
  return read(json);
}

/** Options of {@linkcode getCompetition}. */
export interface GetCompetitionOptions extends CallOptions {
  /**
   * Whether to call the operation for partners, `GET /restricted/api/v2/solver_competition/{auctionId}`,
   * which does not hide an auction until its deadline. It is in no specification.
   *
   * @default {false}
   */
  isRestricted?: boolean | undefined;
  /** Clock in unix milliseconds, by which a competition is final. @default {Date.now} */
  now?: (() => number) | undefined;
}

const COMPETITION_OPTIONS: OptionRules<GetCompetitionOptions> = {
  ...CALL_OPTIONS,
  isRestricted: Boolean,
  now: Function,
};

/**
 * Rejects a competition of another auction or of other transactions; any competition may be the
 * latest.
 */
function requireMatch(selector: number | string, competition: Competition, request: string): void {
  const { auctionId, transactionHashes, solutions } = competition;
  if (typeof selector === "number") {
    requireSame(request, { field: "auctionId", asked: selector, answered: auctionId });
  } else if (selector !== "latest") {
    const hashes = [...transactionHashes, ...solutions.map(({ txHash }) => txHash ?? "")];
    if (hashes.some((hash) => sameHex(hash, selector))) return;
    const answered = transactionHashes.join(", ") || "none";
    throw new MismatchError({ request, field: "transaction", asked: selector, answered });
  }
}

/** A settlement is indexed at most this long after the expiry of its auction's orders. */
const MAX_SETTLEMENT_DELAY_MS = 2 * HOUR_MS;

/**
 * Whether a competition can no longer change: every winner has its settlement, or none can get one
 * any more. An auction begins before the first of its orders expires, and hashes come up to half an
 * hour late.
 */
export function isFinalCompetition(competition: Competition, nowMs: number): boolean {
  return isSettled(competition) ||
    nowMs - findFirstExpiryMs(competition) > MAX_SETTLEMENT_DELAY_MS;
}

/** Whether every winner has its settlement transaction. */
function isSettled({ solutions }: Competition): boolean {
  const winners = solutions.filter((solution) => solution.isWinner);
  return winners.length > 0 && winners.every(({ txHash }) => txHash != null);
}

function parseSelector(selector: number | string): { segment: string; label: string } {
  if (selector === "latest") return { segment: selector, label: "the latest competition" };
  if (isWhole(selector, 0)) {
    return { segment: `${selector}`, label: `the competition of auction ${selector}` };
  }
  if (typeof selector === "string" && /^0x[0-9a-fA-F]{64}$/.test(selector)) {
    const label = `the competition of transaction ${selector}`;
    return { segment: `by_tx_hash/${selector}`, label };
  }
  const input = typeof selector === "string" ? JSON.stringify(selector) : String(selector);
  throw new InputError(`Cannot get the competition ${input}`, {
    remedy:
      'Pass an auction id as a number, a transaction hash as 0x and 64 hex digits, or "latest"',
  });
}

/**
 * Gets the current auction, as solvers see it.
 *
 * Calls `GET /api/v1/auction`. The public deployments return it to solvers only.
 *
 * @param transport Transport that sends the request.
 * @returns The orders that may be settled, and the native prices of their tokens.
 * @throws {NotFoundError} If there has been no auction yet.
 * @throws {UnauthorizedError} If the caller is not allowed to see it.
 * @throws {DecodeError} If the response is not an auction.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getAuction } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const auction = await getAuction(await replay("market_1"));
 *
 * assertEquals(auction.id, 2672);
 * assertEquals(auction.block, 3320);
 * ```
 */
export async function getAuction(
  transport: Transport,
  options: CallOptions = {},
): Promise<Auction> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the auction");
  const { json, source } = await requestJson(transport, {
    path: "/api/v1/auction",
    action: "get the current auction",
    notFound: "Retry later: there has been no auction yet",
    unauthorized:
      "Pass a solver's key in the option `headers`, or use past auctions: their competitions are public",
  }, options);
  return decodeAuction(json, { source });
}

/** Time within which an id taken by a quote may get a competition: longer than any quote is valid. */
export const QUOTE_VALIDITY_MS: number = HOUR_MS;

/** Returns the first expiry of an auction's orders, in unix milliseconds: it began before that. */
export function findFirstExpiryMs({ auction }: Pick<Competition, "auction">): number {
  let first = NO_EXPIRY;
  for (const uid of auction.orders) first = Math.min(first, splitUid(uid).validTo);
  return first === NO_EXPIRY ? Infinity : first * 1_000;
}
