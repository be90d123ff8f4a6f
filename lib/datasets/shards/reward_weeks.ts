import { deadlineTimes, type RewardTime } from "../../metrics/solvers/auction_moments.ts";
import type { SolverWeek } from "../../metrics/mod.ts";
import { accountingWeek } from "../../metrics/solvers/accounting_week.ts";
import type { Competition } from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { AUCTION_REWARDS, type Frame, type OrderRecords, REWARDS } from "../../tables/mod.ts";
import { rewardsByWeek } from "../../tables/rewards/reward_options.ts";
import { HexMap } from "../../units/mod.ts";
import type { WholeShard } from "./answer_rows.ts";
import type { ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";

/** The service settles within a minute. */
const DEADLINE_MS = 60_000;
/** The week of auctions whose time is not known. */
const UNDATED = "none";

/** An auction with the bounds of the time by which it belongs to a week. */
interface DatedAuction {
  readonly competition: Competition;
  readonly week: string;
  readonly time: RewardTime | undefined;
}

/** Everything known of one week so far. */
interface OpenWeek {
  /** Place of the shard with its first auction. */
  readonly shard: number;
  readonly auctions: DatedAuction[];
  readonly orders: HexMap<OrderRecords>;
}

/** Rewards of solvers: rows of weeks that began in one shard. */
export interface RewardFrames {
  /** One row per solver and week. */
  readonly rewards: Frame;
  /** One row per winning solver and auction. */
  readonly auction_rewards: Frame;
}

/**
 * Collects weeks over shards: the rewards of a week need all of it. Memory holds the weeks that have
 * begun and not ended.
 */
export class RewardWeeks {
  readonly #context: TableContext;
  readonly #lastShards = new Map<string, number>();
  readonly #open = new Map<string, OpenWeek>();
  /** Rows by the shard in which their weeks began, while others that began there go on. */
  readonly #ended = new Map<number, readonly SolverWeek[]>();

  /** Begins without a week. */
  constructor(context: TableContext) {
    this.#context = context;
  }

  /** Notes which weeks a shard has auctions of, before any is added. */
  expect(contents: ShardContents, shard: number): void {
    for (const { week } of datedAuctions(contents)) this.#lastShards.set(week, shard);
  }

  /** Adds a shard; all shards are added in the order of their auctions. */
  add({ contents, orders }: WholeShard, shard: number): void {
    const byUid = new HexMap(orders.map((one) => [one.order.uid, one]));
    for (const auction of datedAuctions(contents)) {
      const open = this.#open.get(auction.week) ?? { shard, auctions: [], orders: new HexMap() };
      this.#open.set(auction.week, open);
      open.auctions.push(auction);
      for (const { orders } of auction.competition.solutions) {
        for (const { id } of orders) {
          const records = byUid.get(id);
          if (records !== undefined) open.orders.set(id, records);
        }
      }
    }
  }

  /** Rewards by the shard in which their weeks began, of shards whose weeks end with this one. */
  close(shard: number): Map<number, RewardFrames> {
    for (const [week, open] of this.#open) {
      if (this.#lastShards.get(week) !== shard) continue;
      this.#open.delete(week);
      const rows = this.#ended.get(open.shard) ?? [];
      this.#ended.set(open.shard, [...rows, ...this.#rewardsOf(open)]);
    }
    const begun = new Set(this.#open.values().map((open) => open.shard));
    const frames = new Map<number, RewardFrames>();
    for (const [place, rows] of this.#ended) {
      if (begun.has(place)) continue;
      this.#ended.delete(place);
      frames.set(place, framesOf(rows, this.#context));
    }
    return frames;
  }

  #rewardsOf({ auctions, orders }: OpenWeek): SolverWeek[] {
    const { network } = this.#context.source;
    const records = [...orders.values()];
    return rewardsByWeek(auctions.map(({ competition }) => competition), {
      ...network === null ? {} : { network },
      times: auctions.flatMap(({ competition: { auctionId }, time }) =>
        time === undefined ? [] : [[auctionId, time] as const]
      ),
      // The times are those of deadlines already.
      deadlineMs: 0,
      orders: records.map(({ order }) => order),
      trades: records.flatMap(({ trades }) => [...trades]),
      debugReports: records.flatMap(({ debugReport }) => debugReport ?? []),
    });
  }
}

/** Rewards without a week. */
export function noRewards(context: TableContext): RewardFrames {
  return framesOf([], context);
}

function framesOf(rows: readonly SolverWeek[], { tokens }: TableContext): RewardFrames {
  const { network } = tokens;
  const names = network === undefined ? {} : { network };
  const auctions = rows.flatMap(({ rewards }) => rewards);
  return {
    rewards: buildFrame(REWARDS, rows, names),
    auction_rewards: buildFrame(AUCTION_REWARDS, auctions, names),
  };
}

function datedAuctions({ competitions, times }: ShardContents): DatedAuction[] {
  const dueOf = deadlineTimes(times, { deadlineMs: DEADLINE_MS, action: "Cannot derive rewards" });
  return competitions.map((competition) => {
    const due = dueOf(competition);
    if (due === undefined) return { competition, week: UNDATED, time: undefined };
    const { min, max } = due;
    const time = { min, max: Number.isFinite(max) ? max : null };
    return { competition, week: accountingWeek(min).firstDay, time };
  });
}
