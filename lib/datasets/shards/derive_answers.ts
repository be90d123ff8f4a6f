import type { SolverWeek } from "../../metrics/mod.ts";
import {
  accountingWeek,
  deadlineTimes,
  type RewardTime,
} from "../../metrics/solvers/reward_times.ts";
import type { Competition } from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { AUCTION_REWARDS, type Frame, type OrderRecords, REWARDS } from "../../tables/mod.ts";
import { rewardsByWeek } from "../../tables/rewards/reward_columns.ts";
import { HexMap } from "../../units/mod.ts";
import { type DatasetPaths, factsOfMade, folderOf, syncFolder } from "../layout/files.ts";
import { sourceOfFile } from "../layout/id_ranges.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { fileFrame, keysOf, sortedBy, writeTable } from "./build_shard.ts";
import {
  FactIndex,
  SHARD_ANSWERS,
  shardAnswers,
  type WholeShard,
  wholeShard,
} from "./fact_index.ts";
import { freeFrames } from "./file_columns.ts";
import { ANSWER_NAMES, hasAnswers, isOfAuctions, tablesBeside } from "./published_tables.ts";
import { readShard } from "./shard_contents.ts";
import type { ShardContents, TableContext } from "./table_context.ts";

/** What answers are derived from. */
export interface AnswerSources {
  /** The folder. */
  readonly paths: DatasetPaths;
  /** Files of the service's answers, by path. */
  readonly raws: readonly DatasetFile[];
  /** What the tables are built with; the answers among them are written. */
  readonly context: TableContext;
  /** Ends it between two files. */
  readonly signal?: AbortSignal | undefined;
  /** Records that are at hand, by the path of their file: those of an only file of auctions. */
  readonly atHand?: ReadonlyMap<string, ShardContents> | undefined;
}

/** A table of answers that was written, and the file of the service's answers that it belongs to. */
interface AnswerFile extends DatasetFile {
  /** Path of the file of the service's answers. */
  readonly raw: string;
}

/** The files of a dataset with answers that are derived anew; those of records stay as they are. */
export async function withAnswers(
  files: readonly DatasetFile[],
  sources: Omit<AnswerSources, "raws">,
): Promise<DatasetFile[]> {
  const isAnswer = ({ path }: DatasetFile) => ANSWER_NAMES.includes(path.split("/")[0]!);
  const records = files.filter((file) => !isAnswer(file));
  const raws = records.filter(({ path }) => path.startsWith("raw/"))
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const answers = await deriveAnswers({ ...sources, raws });
  return [...records, ...answers.map(({ raw: _, ...file }) => file)];
}

/**
 * Writes what follows from all answers of the service: one file for each of theirs. What an order or a
 * fill needs of other files is looked up there, so the same answers give the same bytes in whatever
 * order and in however many runs they came.
 *
 * Of files in several partitions, each partition is a market of its own.
 */
export async function deriveAnswers(sources: AnswerSources): Promise<AnswerFile[]> {
  const { raws, context, paths } = sources;
  if (!hasAnswers(context.tables)) return [];
  await Deno.mkdir(paths.temporary, { recursive: true });
  const files: AnswerFile[] = [];
  const partitions = Map.groupBy(raws, ({ path }) => folderOf(path));
  for (const own of partitions.values()) files.push(...await derivePartition(sources, own));
  return files;
}

async function derivePartition(
  { paths, context, signal, atHand }: AnswerSources,
  raws: readonly DatasetFile[],
): Promise<AnswerFile[]> {
  const place = paths.temporaryOf("facts.sqlite");
  const ofAuctions = raws.filter(({ path }) => isOfAuctions(path));
  const isSingle = ofAuctions.length <= 1;
  const known = raws.map(({ path }) => ({
    ...context,
    source: sourceOfFile(context.source, path),
  }));
  const weeks = new RewardWeeks(known[0] ?? context);
  const kept = new Map<number, ShardContents>();
  const read = async (at: number) => {
    signal?.throwIfAborted();
    const { path } = raws[at]!;
    const contents = kept.get(at) ?? atHand?.get(path) ??
      await readShard(paths.file(path), { ...known[at]!, tables: [] });
    if (isSingle) kept.set(at, contents);
    return contents;
  };
  if (!isSingle) await Deno.remove(place).catch(() => {});
  const index = new FactIndex(isSingle ? ":memory:" : place);
  try {
    for (const at of raws.keys()) {
      const contents = await read(at);
      index.count(contents);
      if (!isSingle) index.keep(contents);
      weeks.expect(contents, at);
    }
    const writer = new AnswerWriter(paths, context.tables);
    const rewarded = new Map<number, RewardFrames>();
    for (const [at, raw] of raws.entries()) {
      const shard = wholeShard(await read(at), index);
      const answers = shardAnswers(shard, known[at]!, index);
      for (const name of SHARD_ANSWERS) await writer.write(raw, name, answers[name]!, known[at]!);
      weeks.add(shard, at);
      for (const [begun, frames] of weeks.close(at)) rewarded.set(begun, frames);
      await freeFrames();
    }
    for (const [at, raw] of raws.entries()) {
      const frames = rewarded.get(at) ?? noRewards(known[at]!);
      await writer.write(raw, "rewards", () => frames.rewards, known[at]!);
      await writer.write(raw, "auction_rewards", () => frames.auction_rewards, known[at]!);
    }
    return writer.files;
  } finally {
    index[Symbol.dispose]();
    if (!isSingle) await Deno.remove(place).catch(() => {});
  }
}

/** Writes tables and puts them in place, those that were asked for. */
class AnswerWriter {
  readonly files: AnswerFile[] = [];
  readonly #paths: DatasetPaths;
  readonly #tables: readonly string[];

  constructor(paths: DatasetPaths, tables: readonly string[]) {
    this.#paths = paths;
    this.#tables = tables;
  }

  async write(
    raw: DatasetFile,
    name: string,
    build: () => Frame,
    { source }: TableContext,
  ): Promise<void> {
    const [table] = this.#tables.includes(name) ? tablesBeside(raw.path, [name]) : [];
    if (table === undefined) return;
    const frame = sortedBy(table.key, fileFrame(table.table, build(), source));
    const path = `${name}/${raw.path.slice("raw/".length).replace(/\..*$/, "")}.parquet`;
    const [made, file] = [this.#paths.temporaryOf(path), this.#paths.file(path)];
    await writeTable(table.table, frame, made);
    const facts = await factsOfMade(made);
    await Deno.mkdir(folderOf(file), { recursive: true });
    await Deno.rename(made, file);
    await syncFolder(folderOf(file));
    this.files.push({
      raw: raw.path,
      path,
      ...facts,
      rows: frame.height,
      ...keysOf(frame, table.key),
    });
  }
}

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
interface RewardFrames {
  /** One row per solver and week. */
  readonly rewards: Frame;
  /** One row per winning solver and auction. */
  readonly auction_rewards: Frame;
}

/**
 * Collects weeks over shards: the rewards of a week need all of it. Memory holds the weeks that have
 * begun and not ended.
 */
class RewardWeeks {
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
function noRewards(context: TableContext): RewardFrames {
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
