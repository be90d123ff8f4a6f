import { pluralize } from "../../units/format.ts";
import type { ReportedAuction, WalkedAuctions } from "./order_report.ts";

/** The option that reads all auctions of a lifetime, as advice names it. */
export const SEARCH_ALL = "`deep` in code, --deep on the command line";

/** The advice to read them. */
export const WALK_AUCTIONS = `Search the auctions of its lifetime: ${SEARCH_ALL}`;

/** Ids that `deep` looks at, unless a number says otherwise. */
export const DEEP_IDS = 1_000;

/**
 * Says which auctions around a lifetime were looked at, since its first and last id are not known exactly, and
 * what they did with the order: `Looked at 23 of 61 auctions around its lifetime: listed in 20, without a bid`.
 */
export function formatWalk(
  walked: WalkedAuctions,
  auctions: readonly Pick<ReportedAuction, "auctionId" | "bids">[],
): string {
  const { from, to, read, listed, absent, unread, isStartSeen, isEndSeen } = walked;
  const total = to - from + 1;
  const seenCount = read - unread;
  const lifetime = `around its lifetime${isEndSeen ? "" : ` up to ${to}`}`;
  const lookedAt = !isStartSeen
    ? `${pluralize(seenCount, "auction")} up to ${to}`
    : seenCount === total
    ? total === 1 ? `the only auction ${lifetime}` : `all ${total} auctions ${lifetime}`
    : `${seenCount} of ${total} auctions ${lifetime}`;
  const walkedAuctions = auctions.filter(({ auctionId: id }) => id >= from && id <= to);
  const bidCount = walkedAuctions.filter(({ bids }) => bids.length > 0).length;
  const listedText = listed === 0
    ? "listed in none"
    : `listed in ${listed}, ${bidCount === 0 ? "without a bid" : `with bids in ${bidCount}`}`;
  const absentText = absent === 0 ? "" : `; ${absent} not stored`;
  const unreadText = unread === 0 ? "" : `; ${unread} more could not be read`;
  return `Looked at ${lookedAt}: ${listedText}${absentText}${unreadText}`;
}
