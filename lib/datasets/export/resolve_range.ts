import { AuctionReader } from "../../client/auction_reader.ts";
import { type AuctionBounds, findAuction, START_SLACK_MS } from "../../client/find_auction.ts";
import { findFirstExpiryMs, getCompetition } from "../../endpoints/competitions.ts";
import { InputError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { Transport } from "../../http/mod.ts";
import type { NetworkName } from "../../networks/network.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HOUR_MS } from "../../units/instant.ts";
import { formatInstant, parseInstant } from "../../units/mod.ts";
import type { RangeResolution } from "../layout/manifest.ts";

/** What to resolve a range with. */
interface ResolveContext {
  /** The deployment. */
  readonly transport: Transport;
  /** A node of its network; `null` without one. */
  readonly node: NodeSource | null;
  /** The time in unix milliseconds. */
  readonly nowMs: number;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/** Auction ids, and how they were found. */
export interface ResolvedRange {
  /** First id. */
  readonly from: number;
  /** Last id. */
  readonly to: number;
  /** How dates or blocks became ids; `null` if ids were asked for. */
  readonly resolution: RangeResolution | null;
}

/**
 * The auctions that began between two times.
 *
 * With a node, by the timestamps of their start blocks. Without one, by what the orders of an
 * auction prove: it began before the first of them expires and after the newest was created; so the
 * range has every auction of the dates, and some before and after them.
 *
 * @throws {InputError} If there are none, or not all of them can be known yet.
 * @throws {NotFoundError} If the deployment has no auction yet.
 */
export async function resolveDates(
  { from, to }: RequestedDates,
  resolving: ResolveContext,
): Promise<ResolvedRange> {
  const { node, nowMs, signal } = resolving;
  const [fromMs, toMs] = [parseMs(from), to === null ? Infinity : parseMs(to)];
  if (fromMs > nowMs || to !== null && toMs > nowMs) {
    const now = formatInstant(Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs)));
    throw new InputError("Cannot export: the dates end in the future", {
      facts: { from, to: to ?? "none", now },
      remedy: "Pass dates up to now, or follow new auctions with `follow` and no end",
    });
  }
  const looks = new AuctionReader(resolving.transport, signal);
  const latest = await looks.readLatest();
  const values = createStartClock(looks, node, signal);
  const first = await findAuction({ looks, latest, target: fromMs, valueOf: values.latest });
  const end = to === null
    ? { below: null, above: null }
    : await findAuction({ looks, latest, target: toMs + values.slackMs, valueOf: values.earliest });
  const asked = `began from ${from}${to === null ? "" : ` and before ${to}`}`;
  const range = toRange({ first, end, latest }, asked, node !== null);
  if (to !== null && end.above === null && nowMs - toMs < HOUR_MS) {
    throw new InputError(`Cannot export: not all auctions before ${to} are visible yet`, {
      facts: { "newest visible auction": latest.auctionId },
      remedy: "Try again in an hour, pass an earlier end, or follow new auctions with `follow`",
    });
  }
  const basis = node === null ? "bounds" : "timestamps";
  const notes = [
    node === null
      ? "Dates became auction ids without a node, by the dates of orders: the range has every auction of the dates, and some before and after them."
      : "Dates became auction ids by the timestamps of start blocks.",
    ...first.below === null ? [formatFloorNote(range.from)] : [],
    ...to !== null && end.above === null
      ? [`Auction ${latest.auctionId} was the newest, and began before the end of the dates.`]
      : [],
  ];
  return { ...range, resolution: { basis, isPadded: node === null, notes } };
}

/**
 * The auctions whose start block lies in a range, both ends inclusive.
 *
 * @throws {InputError} If there are none, or not all of them can be known yet.
 * @throws {NotFoundError} If the deployment has no auction yet.
 */
export async function resolveBlocks(
  { from, to }: { readonly from: number; readonly to: number },
  { transport, signal }: Omit<ResolveContext, "node" | "nowMs">,
): Promise<ResolvedRange> {
  const looks = new AuctionReader(transport, signal);
  const latest = await looks.readLatest();
  const reached = latest.auctionStartBlock;
  if (to > reached) {
    throw new InputError(`Cannot export: no visible auction has reached block ${to} yet`, {
      facts: { "newest visible auction": latest.auctionId, "which began at block": reached },
      remedy: `Pass blocks up to ${reached}, or try again later`,
    });
  }
  const first = await findAuction({ looks, latest, target: from, valueOf: readStartBlock });
  const end = await findAuction({ looks, latest, target: to + 1, valueOf: readStartBlock });
  const range = toRange({ first, end, latest }, `start in blocks ${from} to ${to}`, true);
  const notes = [
    "Blocks became auction ids by the start blocks of auctions.",
    ...first.below === null ? [formatFloorNote(range.from)] : [],
  ];
  return { ...range, resolution: { basis: "startBlocks", isPadded: false, notes } };
}

function toRange(
  { first, end, latest }: { first: AuctionBounds; end: AuctionBounds; latest: Competition },
  asked: string,
  isExact: boolean,
): { from: number; to: number } {
  // What lies between two auctions has none; where bounds are loose, all that they leave open counts.
  const from = isExact ? first.above?.id : (first.below?.id ?? (first.above?.id ?? 0) - 1) + 1;
  const to = isExact && end.above !== null
    ? end.below?.id
    : end.above === null
    ? latest.auctionId
    : end.above.id - 1;
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  throw new InputError(`Cannot export: no auctions ${asked}`, {
    facts: {
      "auction before": first.below?.id ?? "none: history begins later",
      "auction after": end.above?.id ?? first.above?.id ?? "none yet",
    },
    remedy: "Pass a range that has auctions, or auction ids",
  });
}

function formatFloorNote(id: number): string {
  return `The service keeps no auction before ${id}: the range begins there.`;
}

export function parseMs(instant: string): number {
  return parseInstant(instant).epochMilliseconds;
}

/** The newest auctions, or those from an id on. */
export async function resolveLatest(
  { from, last }: { readonly from?: number; readonly last?: number },
  { transport, signal }: Omit<ResolveContext, "node" | "nowMs">,
): Promise<ResolvedRange> {
  const { auctionId: to } = await getCompetition(transport, "latest", { signal });
  const first = from ?? Math.max(0, to - (last ?? 1) + 1);
  if (first <= to) return { from: first, to, resolution: null };
  throw new InputError(`Cannot export: there is no auction ${first} yet`, {
    facts: { "newest visible auction": to },
    remedy: "Pass an id up to the newest one",
  });
}

/** A time of an auction, in unix milliseconds. */
type AuctionTime = (competition: Competition) => Promise<number>;

/** The block at which an auction starts. */
function readStartBlock({ auctionStartBlock }: Competition): Promise<number> {
  return Promise.resolve(auctionStartBlock);
}

/**
 * When auctions began, in unix milliseconds: a time that each did not begin after, one that it did not
 * begin before, and what that may be above the timestamp of its start block. With a node, both are that
 * timestamp, else bounds that follow from its orders.
 */
function createStartClock(
  looks: AuctionReader,
  node: NodeSource | null,
  signal: AbortSignal | undefined,
): { latest: AuctionTime; earliest: AuctionTime; slackMs: number } {
  if (node !== null) {
    const timeOf = createBlockClock(node, signal);
    const exact = async ({ auctionStartBlock: block }: Competition) => {
      const at = await timeOf(block);
      if (at === null) throw createMissingBlockError(block);
      return at;
    };
    return { latest: exact, earliest: exact, slackMs: 0 };
  }
  return {
    latest: (competition) => Promise.resolve(findFirstExpiryMs(competition)),
    earliest: async (competition) =>
      (await looks.findNewestOrder(competition))?.epochMilliseconds ?? -Infinity,
    slackMs: START_SLACK_MS,
  };
}

/** When blocks were made, each asked for once, in unix milliseconds; `null` where a node lacks one. */
export function createBlockClock(
  node: NodeSource,
  signal: AbortSignal | undefined,
): (block: number) => Promise<number | null> {
  const known = new Map<number, number | null>();
  return async (block) => {
    const before = known.get(block);
    if (before !== undefined) return before;
    const at = (await blockTimes(node, [block], { signal })).get(block)?.epochMilliseconds ?? null;
    known.set(block, at);
    return at;
  };
}

/** The error for a block that dates need. */
export function createMissingBlockError(block: number): InputError {
  return new InputError(`Cannot export: the node does not have block ${block}`, {
    remedy: "Pass a node that has all blocks of the network, or blocks or ids in place of dates",
  });
}

/** Times between which auctions began. */
export interface DateRange {
  /** First time: a day of UTC (`2026-11-01`), a time with its offset (`2026-11-01T12:00Z`). */
  readonly from: string | Temporal.Instant;
  /** End, which does not count; left out to follow new auctions. */
  readonly to?: string | Temporal.Instant | undefined;
}

/** Dates as a manifest has them: RFC 3339 text in UTC. */
interface RequestedDates {
  /** First time. */
  readonly from: string;
  /** End, which does not count; `null` without one. */
  readonly to: string | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads dates.
 *
 * @throws {InputError} If one is not a day or a time with its offset, or the end is not after the
 *   beginning.
 */
export function readDates({ from, to }: DateRange): RequestedDates {
  const begin = parseTime(from, "from");
  const end = to === undefined ? null : parseTime(to, "to");
  if (end !== null && Temporal.Instant.compare(begin, end) >= 0) {
    throw new InputError("Cannot export: the dates are empty", {
      facts: { from: formatInstant(begin), to: formatInstant(end) },
      remedy: "Pass an end after the beginning: the end itself does not count",
    });
  }
  return { from: formatInstant(begin), to: end === null ? null : formatInstant(end) };
}

function parseTime(value: string | Temporal.Instant, name: string): Temporal.Instant {
  if (value instanceof Temporal.Instant) return value;
  try {
    return Temporal.Instant.from(DAY.test(value) ? `${value}T00:00Z` : value);
  } catch (cause) {
    throw new InputError(`Cannot export: dates.${name} is not a time`, {
      facts: { found: String(value).slice(0, 80) },
      remedy:
        'Pass a day of UTC such as "2026-11-01", a time with its offset such as "2026-11-01T12:00Z", or a Temporal.Instant',
      cause,
    });
  }
}

/** What a network's auctions are like, where they were counted. */
export interface UsualNetwork {
  /** Auction ids in a day. */
  readonly idsPerDay: number;
  /** Share of the ids that have an auction. */
  readonly presentShare: number;
}

/** Mainnet makes 5,300 to 5,700 ids a day; of Base's 70,000 most are absent, here three of four. */
const USUAL: Partial<Readonly<Record<NetworkName, UsualNetwork>>> = {
  mainnet: { idsPerDay: 5_500, presentShare: 1 },
  base: { idsPerDay: 70_000, presentShare: 0.25 },
};

/** What a network's auctions are like; `null` where nobody counted. */
export function findUsualNetwork(network: NetworkName | undefined): UsualNetwork | null {
  return network === undefined ? null : USUAL[network] ?? null;
}
