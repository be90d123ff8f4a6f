import type { AuctionTimes, KnownTime, OrderLifecycle } from "../../metrics/mod.ts";
import { bracketedTime, bracketOf, earlierOf, laterOf } from "../../metrics/orders/known_time.ts";
import type { ReportedAuction, ReportedFill } from "./order_report.ts";

/** What bounds the times of auctions and fills. */
export interface BoundFacts {
  /** Its life. */
  readonly life: OrderLifecycle;
  /** Its auctions, by ascending id. */
  readonly auctions: readonly ReportedAuction[];
  /** Its fills, by block. */
  readonly fills: readonly ReportedFill[];
  /** When auctions began and blocks were produced. */
  readonly times: AuctionTimes;
}

/** Times of auctions and fills, in the order of each. */
export interface BoundTimes {
  /** When each auction began. */
  readonly auctions: readonly (KnownTime | null)[];
  /** When each fill happened. */
  readonly fills: readonly (KnownTime | null)[];
}

type Bound = Temporal.Instant | null;

/**
 * When the auctions of an order began and its fills happened: by their blocks where a node told, and
 * otherwise between what must come before and after. An auction begins after the order was created and
 * after the earlier ones ended, and before its own end, its attempts to settle and its fills. A fill
 * comes after its auction began, and before the service indexed it.
 */
export function timelineBounds(facts: BoundFacts): BoundTimes {
  const { life, auctions, fills, times } = facts;
  const ends = auctionEnds(facts);
  const fillMax = fills.map((fill, index) => fillUpper(fill, index, facts));
  const known = auctions.map(({ auctionId, block }) =>
    times.auction(auctionId) ?? times.block(block)
  );
  const max = auctions.map(({ auctionId, attempts }, index): Bound => {
    const settled = fills.flatMap((fill, place) =>
      fill.auctionId === auctionId ? fillMax[place] ?? [] : []
    );
    const began = (attempts ?? []).map(({ startTimestamp }) => startTimestamp);
    const later: Bound[] = [upperOf(known[index]!), ends[index]!, ...began, ...settled];
    return later.reduce(earlierOf, life.expiresAt);
  });
  for (let index = max.length - 2; index >= 0; index--) {
    max[index] = earlierOf(max[index], max[index + 1]);
  }
  const seen = blocksSeen(auctions);
  let earliest: Bound = null;
  const began = auctions.map(({ role, block }, index): KnownTime | null => {
    const time = known[index] ?? null;
    if (role !== "listed") return within(time?.at ?? null, max[index]!, null) ?? time;
    const earlier = seen.flatMap((each) => each.block < block ? each.at : []);
    const since = index === 0 ? life.createdAt : ends[index - 1] ?? null;
    earliest = [time?.at ?? null, since && listableFrom(since, life), ...earlier]
      .reduce<Bound>(laterOf, laterOf(earliest, life.createdAt));
    if (time?.basis === "block" && laterOf(life.createdAt, time.at) === time.at) return time;
    return within(earliest, max[index]!, life.createdAt) ?? time;
  });
  return {
    auctions: began,
    fills: fills.map((fill, index) => {
      const time = times.block(fill.blockNumber);
      if (time !== null && time.basis !== "bracketed") return time;
      const place = auctions.findIndex(({ auctionId }) => auctionId === fill.auctionId);
      const from = began[place]?.at ?? null;
      return within(laterOf(from, time?.at), earlierOf(fillMax[index], upperOf(time)), from) ??
        time;
    }),
  };
}

/** The newest block at some times, by the attempts to settle: later blocks came after them. */
function blocksSeen(auctions: readonly ReportedAuction[]) {
  return auctions.flatMap(({ attempts }) =>
    (attempts ?? []).flatMap(({ startBlock, startTimestamp, endBlock, endTimestamp }) => [
      { block: startBlock, at: startTimestamp },
      ...endBlock == null || endTimestamp == null ? [] : [{ block: endBlock, at: endTimestamp }],
    ])
  );
}

/** When an order could be in an auction again: after the last event before it was `ready`. */
function listableFrom(since: Temporal.Instant, { events }: OrderLifecycle): Temporal.Instant {
  const later = (events ?? []).filter(({ timestamp }) =>
    Temporal.Instant.compare(timestamp, since) >= 0
  );
  const ready = later.findIndex(({ label }) => label === "ready");
  return later[ready - 1]?.timestamp ?? since;
}

/** An interval; from the loose bound if the close one contradicts what must come later. */
function within(min: Bound, max: Bound, loose: Bound): KnownTime | null {
  const bracket = bracketOf(min, max) ?? bracketOf(loose, max);
  return bracket === null ? null : bracketedTime(bracket);
}

function upperOf(time: KnownTime | null): Bound {
  if (time === null) return null;
  return time.bracket === null ? time.at : time.bracket.max;
}

/** When the service had indexed a fill; the end of the order's validity, if no event tells. */
function fillUpper(
  { blockNumber }: ReportedFill,
  index: number,
  { life, times, fills }: BoundFacts,
) {
  const time = times.block(blockNumber);
  if (time !== null && time.basis !== "bracketed") return time.at;
  const traded = (life.events ?? []).filter(({ label }) => label === "traded");
  const event = index === 0 ? traded[0] : index === fills.length - 1 ? traded.at(-1) : undefined;
  return earlierOf(event?.timestamp, life.expiresAt);
}

/**
 * When each auction had its winners, by the events of the order. Each auction with a bid that counts
 * makes the order `considered` or `executing`, so that these events belong to those auctions one by one;
 * without a bid there is none. `null` where their numbers differ.
 */
function auctionEnds({ life, auctions }: BoundFacts): Bound[] {
  const ended = (life.events ?? []).filter(({ label }) =>
    label === "considered" || label === "executing"
  );
  const counts = auctions.map(({ bids }) => bids.some(({ filteredOut }) => !filteredOut));
  if (counts.filter(Boolean).length !== ended.length) return auctions.map(() => null);
  let place = 0;
  return counts.map((isEnded) => isEnded ? ended[place++]!.timestamp : null);
}
