import type { SolverWeek } from "../../metrics/mod.ts";
import {
  accountingWeek,
  deadlineTimes,
  type RewardTime,
} from "../../metrics/solvers/reward_times.ts";
import { type Competition, decodeCompetition, encodeCompetition } from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { AUCTION_REWARDS, type Frame, type OrderRecords, REWARDS } from "../../tables/mod.ts";
import { rewardsByWeek } from "../../tables/rewards/reward_columns.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { orderOfText, orderText } from "./fact_index.ts";
import { namesIn } from "./record_tables.ts";
import type { WholeShard } from "./shard_answers.ts";
import type { TableContext } from "./table_context.ts";
import type { ShardContents } from "./shard_contents.ts";

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

/** The accounting weeks of a shard's auctions. */
export function weekNames(contents: ShardContents): string[] {
  return [...new Set(datedAuctions(contents).map(({ week }) => week))];
}

/** What rewards follow from, of one shard and one week; records are texts. */
export interface WeekPart {
  /** The first day of the week. */
  readonly week: string;
  /** Its auctions in the shard, with the bounds of their times. */
  readonly auctions: readonly (readonly [body: string, time: RewardTime | undefined])[];
  /** Orders by UID. */
  readonly orders: readonly (readonly [uid: string, body: string])[];
}

/** The parts of a shard. */
export function weekPartsOf({ contents, orders }: WholeShard): WeekPart[] {
  const byUid = new HexMap(orders.map((one) => [one.order.uid, one]));
  const weeks = Map.groupBy(datedAuctions(contents), ({ week }) => week);
  return Array.from(weeks, ([week, auctions]) => {
    const executed = new Set(auctions.flatMap(({ competition }) => [...executedIn(competition)]));
    const bidOn = new HexMap(
      auctions.flatMap(({ competition }) => competition.solutions)
        .flatMap(({ orders }) => orders.map(({ id }) => [id, byUid.get(id)] as const)),
    );
    const known = bidOn.entries().filter((one): one is [string, OrderRecords] =>
      one[1] !== undefined
    ).toArray();
    return {
      week,
      auctions: auctions.map(({ competition, time }) =>
        [JSON.stringify(encodeCompetition(rewardedIn(competition, byUid))), time] as const
      ),
      // One of them says that orders are known, even if none counts.
      orders: known.filter(([uid, { trades, debugReport }], at) =>
        at === 0 || executed.has(uid) || debugReport != null || Array.from(trades).length > 0
      ).map(([uid, one]) => [uid, orderText(withoutOthers(one))] as const),
    };
  });
}

function executedIn({ solutions }: Competition): Set<string> {
  return new Set(
    solutions.filter(({ isWinner }) => isWinner)
      .flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase())),
  );
}

/**
 * Of an auction what rewards follow from: its winners, of other solutions the bids on what it executed,
 * and those of a solver on orders that it quoted, and the prices of what was charged as a fee.
 */
function rewardedIn(competition: Competition, orders: HexMap<OrderRecords>): Competition {
  const { auction, solutions } = competition;
  const executed = executedIn(competition);
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
function withoutOthers({ order, trades, debugReport }: OrderRecords): OrderRecords {
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

/** Everything known of one week so far. */
interface OpenWeek {
  /** Place of the shard with its first auction. */
  readonly shard: number;
  readonly auctions: WeekPart["auctions"][number][];
  readonly orders: Map<string, string>;
}

/** Rewards of solvers: rows of weeks that began in one shard. */
export interface RewardFrames {
  /** One row per solver and week. */
  readonly rewards: Frame;
  /** One row per winning solver and auction. */
  readonly auction_rewards: Frame;
}

/**
 * Collects weeks over shards: the rewards of a week need all of it. Memory holds of the weeks that have
 * begun and not ended what rewards follow from.
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
  expect(weeks: readonly string[], shard: number): void {
    for (const week of weeks) this.#lastShards.set(week, shard);
  }

  /** Adds a shard; all shards are added in the order of their auctions. */
  add(parts: readonly WeekPart[], shard: number): void {
    for (const { week, auctions, orders } of parts) {
      const open: OpenWeek = this.#open.get(week) ??
        { shard, auctions: [], orders: new Map() };
      this.#open.set(week, open);
      for (const auction of auctions) open.auctions.push(auction);
      for (const [uid, body] of orders) open.orders.set(uid, body);
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
      frames.set(place, rewardFrames(rows, this.#context));
    }
    return frames;
  }

  #rewardsOf({ auctions, orders }: OpenWeek): SolverWeek[] {
    const { network } = this.#context.source;
    const competitions = auctions.map(([body]) => decodeCompetition(JSON.parse(body)));
    const records = Array.from(orders.values(), orderOfText);
    return rewardsByWeek(competitions, {
      ...network === null ? {} : { network },
      times: competitions.flatMap(({ auctionId }, at) => {
        const time = auctions[at]![1];
        return time === undefined ? [] : [[auctionId, time] as const];
      }),
      // The times are those of deadlines already.
      deadlineMs: 0,
      orders: records.map(({ order }) => order),
      trades: records.flatMap(({ trades }) => [...trades]),
      debugReports: records.flatMap(({ debugReport }) => debugReport ?? []),
    });
  }
}

/** Tables of rewards. */
export function rewardFrames(rows: readonly SolverWeek[], context: TableContext): RewardFrames {
  const names = namesIn(context);
  const auctions = rows.flatMap(({ rewards }) => rewards);
  return {
    rewards: buildFrame(REWARDS, rows, names),
    auction_rewards: buildFrame(AUCTION_REWARDS, auctions, names),
  };
}
