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

interface ResolveContext {
  readonly transport: Transport;
  /** A node of its network; `null` without one. */
  readonly node: NodeSource | null;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface ResolvedRange {
  readonly from: number;
  readonly to: number;
  /** Resolution of dates or blocks into ids; `null` if ids were requested. */
  readonly resolution: RangeResolution | null;
}

/**
 * Resolves the auctions that began between two times.
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
  context: ResolveContext,
): Promise<ResolvedRange> {
  const { node, nowMs, signal } = context;
  const [fromMs, toMs] = [parseMs(from), to === null ? Infinity : parseMs(to)];
  if (fromMs > nowMs || to !== null && toMs > nowMs) {
    const now = formatInstant(Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs)));
    throw new InputError("Cannot export: the dates end in the future", {
      facts: { from, to: to ?? "none", now },
      remedy: "Pass dates up to now, or follow new auctions with `follow` and no end",
    });
  }
  const looks = new AuctionReader(context.transport, signal);
  const latest = await looks.readLatest();
  const values = createStartClock(looks, node, signal);
  const first = await findAuction({ looks, latest, target: fromMs, valueOf: values.latest });
  const end = to === null
    ? { below: null, above: null }
    : await findAuction({ looks, latest, target: toMs + values.slackMs, valueOf: values.earliest });
  const description = `began from ${from}${to === null ? "" : ` and before ${to}`}`;
  const range = toRange({ first, end, latest }, description, node !== null);
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
 * Resolves the auctions whose start block lies in a range, both ends inclusive.
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
  description: string,
  isExact: boolean,
): { from: number; to: number } {
  // There is no auction between two neighbours; where bounds are loose, every possible id counts.
  const from = isExact ? first.above?.id : (first.below?.id ?? (first.above?.id ?? 0) - 1) + 1;
  const to = isExact && end.above !== null
    ? end.below?.id
    : end.above === null
    ? latest.auctionId
    : end.above.id - 1;
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  throw new InputError(`Cannot export: no auctions ${description}`, {
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

/** Resolves the newest auctions, or those from an id on. */
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

function readStartBlock({ auctionStartBlock }: Competition): Promise<number> {
  return Promise.resolve(auctionStartBlock);
}

/**
 * Creates bounds of the start times of auctions, in unix milliseconds: the latest, the earliest, and by
 * how much the earliest may exceed the timestamp of the start block. With a node, both are that
 * timestamp, else they follow from its orders.
 */
function createStartClock(
  looks: AuctionReader,
  node: NodeSource | null,
  signal: AbortSignal | undefined,
): { latest: AuctionTime; earliest: AuctionTime; slackMs: number } {
  if (node !== null) {
    const readTime = createBlockClock(node, signal);
    const readStart = async ({ auctionStartBlock: block }: Competition) => {
      const atMs = await readTime(block);
      if (atMs === null) throw createMissingBlockError(block);
      return atMs;
    };
    return { latest: readStart, earliest: readStart, slackMs: 0 };
  }
  return {
    latest: (competition) => Promise.resolve(findFirstExpiryMs(competition)),
    earliest: async (competition) =>
      (await looks.findNewestOrder(competition))?.epochMilliseconds ?? -Infinity,
    slackMs: START_SLACK_MS,
  };
}

/**
 * Creates a clock of blocks, each requested once, in unix milliseconds; `null` where a node lacks one.
 */
export function createBlockClock(
  node: NodeSource,
  signal: AbortSignal | undefined,
): (block: number) => Promise<number | null> {
  const cache = new Map<number, number | null>();
  return async (block) => {
    const cached = cache.get(block);
    if (cached !== undefined) return cached;
    const ms = (await blockTimes(node, [block], { signal })).get(block)?.epochMilliseconds ?? null;
    cache.set(block, ms);
    return ms;
  };
}

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

/** Dates of a manifest: RFC 3339 text in UTC. */
interface RequestedDates {
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

/** Usual numbers of a network's auctions, as counted. */
export interface UsualNetwork {
  readonly idsPerDay: number;
  readonly presentShare: number;
}

/** Mainnet makes 5,300 to 5,700 ids a day; of Base's 70,000 most are absent, here three of four. */
const USUAL: Partial<Readonly<Record<NetworkName, UsualNetwork>>> = {
  mainnet: { idsPerDay: 5_500, presentShare: 1 },
  base: { idsPerDay: 70_000, presentShare: 0.25 },
};

/** Finds the usual numbers of a network's auctions; `null` where nobody counted. */
export function findUsualNetwork(network: NetworkName | undefined): UsualNetwork | null {
  return network === undefined ? null : USUAL[network] ?? null;
}
