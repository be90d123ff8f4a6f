import { checkOptions, type OptionRules, requireList } from "../../errors/option_rules.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import { type ByUid, byUid, byUidRule } from "../not_computable.ts";
import { bracketOf, laterOf, type TimeBracket } from "../orders/known_time.ts";

/** The fields of an auction that bound its time. A `Competition` has them. */
export type DatedAuction = Pick<Competition, "auctionId" | "auctionStartBlock"> & {
  /** The orders in the auction. */
  readonly auction: Pick<Competition["auction"], "orders">;
};

/** What the brackets follow from besides the auctions. */
export interface AuctionBracketsOptions {
  /** Orders of the auctions: their creation dates are the lower bounds. */
  readonly orders?: ByUid<Pick<Order, "creationDate">>;
}

const BRACKETS_OPTIONS: OptionRules<AuctionBracketsOptions> = { orders: byUidRule("orders") };

/** Length of an order UID as text. */
const UID_CHARS = 114;
/** Hex digits at the end of a UID: the expiry that was signed. */
const VALID_TO_DIGITS = 8;
/** The expiry that all EthFlow orders are signed with. */
const NO_EXPIRY = 2 ** 32 - 1;

/**
 * The interval in which each auction began, without a node: after the newest `creationDate` among
 * its orders, and not after the smallest `validTo` among their UIDs.
 *
 * Auctions begin in the order of their ids, so the lower bound is the running maximum over all
 * earlier ids, and the upper one the running minimum over all later ids. The signed expiry of EthFlow
 * orders is always the maximum and does not count. Pass consecutive auctions and all of their orders:
 * the more of them there are, the closer the bounds.
 *
 * The lower bound is close: in recorded auctions it is within 5 seconds of the start block's timestamp
 * for nine of ten. An auction begins up to one block interval after its start block, so the bound can
 * be after the block's timestamp by as much. The upper one is loose: services include an order only
 * if it is valid for another minute or so.
 *
 * @param competitions Auctions of one network and environment, in any order.
 * @param options Orders of the auctions.
 * @returns The interval of each auction by id, ascending. An auction is absent if no creation date of
 * its or earlier orders is known, or if the bounds contradict each other.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example An order that was created at noon and was valid for ten minutes
 * ```ts
 * import { auctionBrackets } from "orderlens/metrics";
 * import { packOrderUid } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const creationDate = Temporal.Instant.from("2026-11-21T12:00:00.5Z");
 * const uid = packOrderUid({
 *   digest: `0x${"01".repeat(32)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   validTo: Date.parse("2026-11-21T12:10:00Z") / 1_000,
 * });
 * const auction = { auctionId: 7, auctionStartBlock: 100, auction: { orders: [uid] } };
 *
 * const bracket = auctionBrackets([auction], { orders: [{ uid, creationDate }] }).get(7);
 *
 * assertEquals([`${bracket?.min}`, `${bracket?.max}`], [
 *   "2026-11-21T12:00:00.5Z",
 *   "2026-11-21T12:10:00Z",
 * ]);
 * ```
 */
export function auctionBrackets(
  competitions: Iterable<DatedAuction>,
  options: AuctionBracketsOptions = {},
): Map<number, TimeBracket> {
  checkOptions(options, BRACKETS_OPTIONS, ACTION);
  requireList(competitions, { action: ACTION, expected: "an array of decoded competitions" });
  const auctions = [...competitions].sort((a, b) => a.auctionId - b.auctionId);
  const mins = lowerBounds(auctions, options);
  const maxs = upperBounds(auctions);
  return new Map(auctions.flatMap(({ auctionId }, index) => {
    const bracket = bracketOf(mins[index]!, maxs[index]!);
    return bracket === null ? [] : [[auctionId, bracket] as const];
  }));
}

const ACTION = "Cannot compute times of auctions";

/** The newest creation date up to each auction; an order counts where it is first listed. */
function lowerBounds(
  auctions: readonly DatedAuction[],
  { orders = [] }: AuctionBracketsOptions,
): (Temporal.Instant | null)[] {
  const known = byUid(orders);
  const seen = new Set<string>();
  let newest: Temporal.Instant | null = null;
  return auctions.map(({ auction }) => {
    for (const uid of auction.orders) {
      if (seen.has(uid)) continue;
      seen.add(uid);
      newest = laterOf(newest, known.get(uid)?.creationDate);
    }
    return newest;
  });
}

/** The earliest signed expiry from each auction on; an order counts where it is last listed. */
function upperBounds(auctions: readonly DatedAuction[]): (Temporal.Instant | null)[] {
  let first = NO_EXPIRY;
  const bounds = auctions.toReversed().map(({ auction }) => {
    for (const uid of auction.orders) first = Math.min(first, validToOf(uid));
    return first === NO_EXPIRY ? null : Temporal.Instant.fromEpochMilliseconds(first * 1_000);
  });
  return bounds.reverse();
}

function validToOf(uid: string): number {
  return uid.length === UID_CHARS ? Number.parseInt(uid.slice(-VALID_TO_DIGITS), 16) : NO_EXPIRY;
}
