import type { SolverWeek } from "../../metrics/mod.ts";
import { markAuctionPath } from "../../metrics/auctions/fast_path.ts";
import { recognizeAuctionPath, type RecognizedPath } from "../../metrics/mod.ts";
import { listTransactions } from "../../metrics/orders/fills.ts";
import {
  accountingWeek,
  createBlockTimeFinder,
  createDeadlineFinder,
  DEADLINE_MS,
  type RewardClock,
  type RewardClockTime,
  type RewardTime,
} from "../../metrics/solvers/reward_times.ts";
import {
  type Competition,
  decodeCompetition,
  encodeCompetition,
  type Trade,
} from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { sortByKey } from "../../tables/columns/table.ts";
import {
  AUCTION_REWARDS,
  type Frame,
  type OrderRecords,
  REWARDS,
  type Table,
} from "../../tables/mod.ts";
import { calculateWeeklyRewards } from "../../tables/rewards/reward_columns.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { encodeRecords, type FactIndex } from "./fact_index.ts";
import type { ResolvedShard } from "./resolve_references.ts";
import type { TableContext } from "./table_context.ts";
import type { ShardContents } from "./shard_contents.ts";

const ACTION = "Cannot derive rewards";
/** The week of auctions with an unknown time. */
const UNDATED = "none";

/** An auction with the bounds of the time by which it belongs to a week. */
interface DatedAuction {
  readonly competition: Competition;
  readonly week: string;
  readonly time: RewardTime | undefined;
}

function dateAuctions({ competitions, times }: ShardContents): DatedAuction[] {
  const dueOf = createDeadlineFinder(times, { deadlineMs: DEADLINE_MS, action: ACTION });
  return competitions.map((competition) => {
    const due = dueOf(competition);
    if (due === undefined) return { competition, week: UNDATED, time: undefined };
    const { min, max } = due;
    const time = { min, max: Number.isFinite(max) ? max : null };
    return { competition, week: accountingWeek(min).firstDay, time };
  });
}

/** An auction with its weeks: its own, and those in which it was settled. */
interface WeekAuction extends DatedAuction {
  /** Times of the blocks of its settlements. */
  readonly blocks: readonly (readonly [block: number, min: number, max: number | null])[];
  readonly weeks: readonly string[];
}

function assignWeeks(contents: ShardContents, trades: Iterable<Trade>): WeekAuction[] {
  const executionOf = createBlockTimeFinder(contents.times, ACTION);
  const blocks = new HexMap(
    Array.from(trades, ({ txHash, blockNumber }) => [txHash ?? "", blockNumber]),
  );
  return dateAuctions(contents).map((auction) => {
    const settled = new Set(
      listTransactions(auction.competition).flatMap((hash) => blocks.get(hash) ?? []),
    );
    const dated = [...settled].flatMap((block) => {
      const time = executionOf(block);
      if (time === undefined) return [];
      return [[block, time.min, Number.isFinite(time.max) ? time.max : null] as const];
    });
    const weeks = dated.map(([, min]) => accountingWeek(min).firstDay);
    return { ...auction, blocks: dated, weeks: [...new Set([auction.week, ...weeks])] };
  });
}

/** Lists the accounting weeks of a shard's auctions and of their settlements. */
export function listWeeks(contents: ShardContents): string[] {
  const auctions = assignWeeks(contents, contents.trades);
  return [...new Set(auctions.flatMap(({ weeks }) => weeks))];
}

/** Inputs of the rewards of one week in one shard; records are encoded. */
interface WeekPart {
  readonly week: string;
  /** Its auctions in the shard, and those that were settled in it. */
  readonly auctions: readonly {
    /** The parts of its response that rewards need. */
    readonly body: string;
    /** Bounds of the time by which it belongs to a week. */
    readonly time: RewardTime | undefined;
    /** Times of the blocks of its settlements. */
    readonly blocks: WeekAuction["blocks"];
    /** Its decision path, which needs the whole response. */
    readonly path: RecognizedPath;
  }[];
  /** Orders by UID. */
  readonly orders: readonly (readonly [uid: string, body: string])[];
  /** UIDs of winners' orders with a response for their fills, in lower case. */
  readonly answered: readonly string[];
}

export function splitByWeek({ contents, orders }: ResolvedShard): WeekPart[] {
  const byUid = new HexMap(orders.map((records) => [records.order.uid, records]));
  const paths = new HexMap(orders.map(({ order }) => [order.uid, order]));
  const trades = orders.flatMap((records) => [...records.trades]);
  const weekAuctions = assignWeeks(contents, trades);
  // Records of other shards may place a settlement in a week of its own.
  const ownWeeks = new Set(listWeeks(contents));
  const weeks = Map.groupBy(
    weekAuctions.flatMap((auction) =>
      auction.weeks.filter((week) => ownWeeks.has(week)).map((week) => ({ ...auction, week }))
    ),
    ({ week }) => week,
  );
  return Array.from(weeks, ([week, auctions]) => {
    const executed = new Set(auctions.flatMap(({ competition }) => [...listExecuted(competition)]));
    const bidOn = new HexMap(
      auctions.flatMap(({ competition }) => competition.solutions)
        .flatMap(({ orders }) => orders.map(({ id }) => [id, byUid.get(id)] as const)),
    );
    const bidders = bidOn.entries().filter((entry): entry is [string, OrderRecords] =>
      entry[1] !== undefined
    ).toArray();
    return {
      week,
      answered: [...executed].filter((uid) => contents.answeredFills.has(uid)),
      auctions: auctions.map(({ competition, time, blocks }) => ({
        body: JSON.stringify(encodeCompetition(trimCompetition(competition, byUid))),
        time,
        blocks,
        path: recognizeAuctionPath(competition, { orders: paths }),
      })),
      // The first one shows that orders are known, even if none counts.
      orders: bidders.filter(([uid, { trades, debugReport }], index) =>
        index === 0 || executed.has(uid) || debugReport != null || Array.from(trades).length > 0
      ).map(([uid, records]) => [uid, encodeRecords(trimOrder(records))] as const),
    };
  });
}

function listExecuted({ solutions }: Competition): Set<string> {
  return new Set(
    solutions.filter(({ isWinner }) => isWinner)
      .flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase())),
  );
}

/**
 * Trims an auction to what rewards need: its winners, other solutions' bids on executed orders, a
 * solver's bids on orders that it quoted, and the prices of fee tokens.
 */
function trimCompetition(competition: Competition, orders: HexMap<OrderRecords>): Competition {
  const { auction, solutions } = competition;
  const executed = listExecuted(competition);
  const fees = [...executed].flatMap((uid) => Array.from(orders.get(uid)?.trades ?? []))
    .flatMap(({ executedProtocolFees }) => executedProtocolFees ?? []);
  const tokens = new Set(fees.map(({ token }) => token.toLowerCase()));
  const prices = Object.entries(auction.prices).filter(([token]) =>
    tokens.has(token.toLowerCase())
  );
  return {
    ...competition,
    auction: { ...auction, prices: Object.fromEntries(prices) },
    solutions: solutions.map((solution) => ({
      ...solution,
      clearingPrices: {},
      orders: solution.orders.filter(({ id }) =>
        executed.has(id.toLowerCase()) ||
        sameHex(orders.get(id)?.order.quote?.solver ?? "", solution.solverAddress)
      ),
    })),
  };
}

/** Trims an order to what rewards need: in its report the settlement attempts and the quoter's bids. */
function trimOrder({ order, trades, debugReport }: OrderRecords): OrderRecords {
  const quoter = order.quote?.solver ?? "";
  return {
    order,
    trades,
    debugReport: debugReport == null ? null : {
      ...debugReport,
      order,
      events: [],
      auctions: debugReport.auctions.map((auction) => ({
        ...auction,
        nativePrices: {},
        executions: [],
        feePolicies: [],
        proposedSolutions: auction.proposedSolutions.filter(({ solver }) =>
          sameHex(solver, quoter)
        ),
      })).filter(({ proposedSolutions, settlementAttempts }) =>
        proposedSolutions.length + settlementAttempts.length > 0
      ),
    },
  };
}

/** A week that has begun and not ended; its records are in the index. */
interface OpenWeek {
  /** Index of the shard with its first auction. */
  readonly shard: number;
  readonly answered: Set<string>;
}

/** Rewards of solvers: rows of weeks that began in one shard. */
export interface RewardFrames {
  /** One row per solver and week. */
  readonly rewards: Frame;
  /** One row per winning solver and auction. */
  readonly auction_rewards: Frame;
}

/** Collects weeks over shards: the rewards of a week need all of it. Memory holds one week that ends. */
export class RewardWeeks {
  readonly #context: TableContext;
  readonly #index: FactIndex;
  readonly #lastShards = new Map<string, number>();
  readonly #open = new Map<string, OpenWeek>();
  /** Rows by the shard in which their weeks began, while others that began there are open. */
  readonly #ended = new Map<number, readonly SolverWeek[]>();

  /** Begins without a week; stores records of weeks in an index. */
  constructor(context: TableContext, index: FactIndex) {
    [this.#context, this.#index] = [context, index];
  }

  /** Registers the weeks of a shard's auctions, before any is added. */
  expect(weeks: readonly string[], shard: number): void {
    for (const week of weeks) this.#lastShards.set(week, shard);
  }

  /** Adds a shard; all shards are added in the order of their auctions. */
  add(parts: readonly WeekPart[], shard: number): void {
    for (const part of parts) {
      const { week, answered } = part;
      const open = this.#open.get(week) ?? { shard, answered: new Set() };
      this.#open.set(week, open);
      this.#index.addWeek(part);
      for (const uid of answered) open.answered.add(uid);
    }
  }

  /** Rewards by the shard in which their weeks began, of shards whose weeks end with this one. */
  close(shard: number): Map<number, RewardFrames> {
    for (const [week, open] of this.#open) {
      if (this.#lastShards.get(week) !== shard) continue;
      this.#open.delete(week);
      const rows = this.#ended.get(open.shard) ?? [];
      this.#ended.set(open.shard, [...rows, ...this.#computeRewards(week, open)]);
      this.#index.removeWeek(week);
    }
    const begun = new Set(this.#open.values().map((open) => open.shard));
    const frames = new Map<number, RewardFrames>();
    for (const [firstShard, rows] of this.#ended) {
      if (begun.has(firstShard)) continue;
      this.#ended.delete(firstShard);
      frames.set(firstShard, buildRewardFrames(rows, this.#context));
    }
    return frames;
  }

  #computeRewards(week: string, { answered }: OpenWeek): SolverWeek[] {
    const { rewardsOf, cowPrice } = this.#context;
    const { latestBlock } = this.#index;
    const auctions = this.#index.readAuctions(week, (facts, body) => {
      const { path, ...auction }: Omit<WeekPart["auctions"][number], "body"> = JSON.parse(facts);
      return {
        ...auction,
        competition: markAuctionPath(decodeCompetition(JSON.parse(body)), path),
      };
    });
    const competitions = auctions.map(({ competition }) => competition);
    const records = this.#index.readWeekOrders(week);
    const rows = calculateWeeklyRewards(competitions, rewardsOf, {
      times: createClock(auctions, competitions),
      // The times are those of deadlines already.
      deadlineMs: 0,
      ...cowPrice !== undefined && { cowPrice },
      latestBlock,
      hasFills: (uid) => answered.has(uid.toLowerCase()),
      orders: records.map(({ order }) => order),
      trades: records.flatMap(({ trades }) => [...trades]),
      debugReports: records.flatMap(({ debugReport }) => debugReport ?? []),
    });
    // Auctions that were settled in another week than their own are in both.
    return rows.filter((row) => (row.week?.firstDay ?? UNDATED) === week);
  }
}

/** Creates a clock of auctions and of the blocks that settled them. */
function createClock(
  auctions: readonly Pick<WeekPart["auctions"][number], "time" | "blocks">[],
  competitions: readonly Competition[],
): RewardClock {
  const toInstant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
  const toTime = (min: number, max: number | null): RewardClockTime => ({
    at: toInstant(min),
    bracket: { min: toInstant(min), max: max === null ? null : toInstant(max) },
  });
  const blocks = new Map(
    auctions.flatMap((auction) => auction.blocks).map((
      [block, min, max],
    ) => [block, toTime(min, max)]),
  );
  const began = new Map(competitions.flatMap(({ auctionId }, index) => {
    const { min, max } = Object(auctions[index]!.time);
    return min === undefined ? [] : [[auctionId, toTime(min, max)] as const];
  }));
  return {
    auction: (id) => began.get(id) ?? null,
    block: (number) => blocks.get(number) ?? null,
  };
}

export function buildRewardFrames(
  rows: readonly SolverWeek[],
  { tokens }: Pick<TableContext, "tokens">,
): RewardFrames {
  const auctions = rows.flatMap(({ rewards }) => rewards);
  const toFrame = ({ name, columns, key }: Table, rows: readonly unknown[]) =>
    sortByKey(buildFrame({ name, columns }, rows as never[], tokens), key);
  return { rewards: toFrame(REWARDS, rows), auction_rewards: toFrame(AUCTION_REWARDS, auctions) };
}
