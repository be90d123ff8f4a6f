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
import { encodeOrderRecords, type FactIndex } from "./fact_index.ts";
import type { ResolvedShard } from "./resolve_references.ts";
import type { TableContext } from "./table_context.ts";
import type { ShardContents } from "./shard_contents.ts";

const ACTION = "Cannot derive rewards";
/** The week of auctions whose time is not known. */
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

/** An auction, and the weeks that it has to do with: its own, and those in which it was settled. */
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

/** The accounting weeks of a shard's auctions, and of their settlements. */
export function listWeeks(contents: ShardContents): string[] {
  const placed = assignWeeks(contents, contents.trades);
  return [...new Set(placed.flatMap(({ weeks }) => weeks))];
}

/** What rewards follow from, of one shard and one week; records are texts. */
interface WeekPart {
  /** The first day of the week. */
  readonly week: string;
  /** Its auctions in the shard, and those that were settled in it. */
  readonly auctions: readonly {
    /** Its response, as far as rewards follow from it. */
    readonly body: string;
    /** Bounds of the time by which it belongs to a week. */
    readonly time: RewardTime | undefined;
    /** Times of the blocks of its settlements. */
    readonly blocks: WeekAuction["blocks"];
    /** How it was decided, which needs all of it. */
    readonly path: RecognizedPath;
  }[];
  /** Orders by UID. */
  readonly orders: readonly (readonly [uid: string, body: string])[];
  /** UIDs of winners' orders whose fills were answered, in lower case. */
  readonly answered: readonly string[];
}

/** The parts of a shard. */
export function splitByWeek({ contents, orders }: ResolvedShard): WeekPart[] {
  const byUid = new HexMap(orders.map((one) => [one.order.uid, one]));
  const paths = new HexMap(orders.map(({ order }) => [order.uid, order]));
  const trades = orders.flatMap((one) => [...one.trades]);
  const placed = assignWeeks(contents, trades);
  // What other shards say of an order may place a settlement in a week of its own.
  const known = new Set(listWeeks(contents));
  const weeks = Map.groupBy(
    placed.flatMap((auction) =>
      auction.weeks.filter((week) => known.has(week)).map((week) => ({ ...auction, week }))
    ),
    ({ week }) => week,
  );
  return Array.from(weeks, ([week, auctions]) => {
    const executed = new Set(
      auctions.flatMap(({ competition }) => [...collectExecuted(competition)]),
    );
    const bidOn = new HexMap(
      auctions.flatMap(({ competition }) => competition.solutions)
        .flatMap(({ orders }) => orders.map(({ id }) => [id, byUid.get(id)] as const)),
    );
    const bidders = bidOn.entries().filter((one): one is [string, OrderRecords] =>
      one[1] !== undefined
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
      // One of them says that orders are known, even if none counts.
      orders: bidders.filter(([uid, { trades, debugReport }], at) =>
        at === 0 || executed.has(uid) || debugReport != null || Array.from(trades).length > 0
      ).map(([uid, one]) => [uid, encodeOrderRecords(trimOrder(one))] as const),
    };
  });
}

function collectExecuted({ solutions }: Competition): Set<string> {
  return new Set(
    solutions.filter(({ isWinner }) => isWinner)
      .flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase())),
  );
}

/**
 * Of an auction what rewards follow from: its winners, of other solutions the bids on what it executed,
 * and those of a solver on orders that it quoted, and the prices of what was charged as a fee.
 */
function trimCompetition(competition: Competition, orders: HexMap<OrderRecords>): Competition {
  const { auction, solutions } = competition;
  const executed = collectExecuted(competition);
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

/** Of an order what rewards follow from: in its report the attempts to settle, and bids of who quoted. */
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
  /** Place of the shard with its first auction. */
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
  /** Rows by the shard in which their weeks began, while others that began there go on. */
  readonly #ended = new Map<number, readonly SolverWeek[]>();

  /** Begins without a week; records of weeks are kept in an index. */
  constructor(context: TableContext, index: FactIndex) {
    [this.#context, this.#index] = [context, index];
  }

  /** Notes which weeks a shard has auctions of, before any is added. */
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
    for (const [place, rows] of this.#ended) {
      if (begun.has(place)) continue;
      this.#ended.delete(place);
      frames.set(place, buildRewardFrames(rows, this.#context));
    }
    return frames;
  }

  #computeRewards(week: string, { answered }: OpenWeek): SolverWeek[] {
    const { rewardsOf } = this.#context;
    const { latestBlock } = this.#index;
    const auctions = this.#index.readWeekAuctions(week, (facts, body) => {
      const { path, ...placed }: Omit<WeekPart["auctions"][number], "body"> = JSON.parse(facts);
      return { ...placed, competition: markAuctionPath(decodeCompetition(JSON.parse(body)), path) };
    });
    const competitions = auctions.map(({ competition }) => competition);
    const records = this.#index.readWeekOrders(week);
    const rows = calculateWeeklyRewards(competitions, rewardsOf, {
      times: createClock(auctions, competitions),
      // The times are those of deadlines already.
      deadlineMs: 0,
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

/** The times of auctions and of the blocks that settled them. */
function createClock(
  auctions: readonly Pick<WeekPart["auctions"][number], "time" | "blocks">[],
  competitions: readonly Competition[],
): RewardClock {
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
  const timeOf = (min: number, max: number | null): RewardClockTime => ({
    at: instant(min),
    bracket: { min: instant(min), max: max === null ? null : instant(max) },
  });
  const blocks = new Map(
    auctions.flatMap((one) => one.blocks).map(([block, min, max]) => [block, timeOf(min, max)]),
  );
  const began = new Map(competitions.flatMap(({ auctionId }, at) => {
    const { min, max } = Object(auctions[at]!.time);
    return min === undefined ? [] : [[auctionId, timeOf(min, max)] as const];
  }));
  return {
    auction: (id) => began.get(id) ?? null,
    block: (number) => blocks.get(number) ?? null,
  };
}

/** Tables of rewards. */
export function buildRewardFrames(
  rows: readonly SolverWeek[],
  { tokens }: Pick<TableContext, "tokens">,
): RewardFrames {
  const auctions = rows.flatMap(({ rewards }) => rewards);
  const frame = ({ name, columns, key }: Table, rows: readonly unknown[]) =>
    sortByKey(buildFrame({ name, columns }, rows as never[], tokens), key);
  return { rewards: frame(REWARDS, rows), auction_rewards: frame(AUCTION_REWARDS, auctions) };
}
