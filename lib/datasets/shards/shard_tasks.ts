import { localFiles } from "../../http/local_files.ts";
import type { AuditOutcome, Frame } from "../../tables/mod.ts";
import { DatasetPaths, hashWritten, moveFile } from "../layout/files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { findShardContradictions } from "./shard_contradictions.ts";
import { collectReferences, FactIndex, findReferenced, type ReferencedKeys } from "./fact_index.ts";
import { describeRows, freeFrames, toFileFrame, writeTable } from "./file_columns.ts";
import {
  includesRewards,
  PUBLISHED_TABLES,
  selectSiblingTables,
  SETTLEMENT_TABLES,
} from "./published_tables.ts";
import { listWeeks, splitByWeek } from "./reward_weeks.ts";
import { type ResolvedShard, resolveReferences, toDerivedRecords } from "./resolve_references.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";
import { toTableRecords } from "./table_records.ts";

/**
 * Builds the tables of one shard from its responses alone, and writes each into a file, which is
 * opened again and counted.
 *
 * @param raw File of the responses.
 * @param fileOf Returns the path of a table's file.
 * @returns Its tables, its records, and the drift of its responses.
 * @throws {InputError} If a written file does not have the rows that were written.
 */
export async function buildShard(
  raw: string,
  context: TableContext,
  fileOf: (table: string) => string,
) {
  const isAudited = context.tables.some((table) => SETTLEMENT_TABLES.includes(table));
  const contents = await readShard(raw, context, { isAudited });
  const tables:
    ({ readonly name: string; readonly rows: number } & ReturnType<typeof describeRows>)[] = [];
  const synced: Promise<void>[] = [];
  const records = toTableRecords(contents, context);
  for (const table of selectSiblingTables(raw, context.tables)) {
    if (table.kind !== "record") continue;
    const frame = toFileFrame(table, table.build(records), context.source);
    const writing = writeTable(table, frame, fileOf(table.name));
    // It fails when all of them are awaited.
    writing.catch(() => {});
    synced.push(writing);
    tables.push({ name: table.name, rows: frame.height, ...describeRows(frame, table.key) });
  }
  await Promise.all(synced);
  await freeFrames();
  return { tables, drift: contents.drift, contents };
}

/** Collects the references of a loaded shard, and the accounting weeks of its auctions for rewards. */
export function indexShard(contents: ShardContents, { tables }: TableContext) {
  const weeks = includesRewards(tables) ? listWeeks(contents) : [];
  return { ...collectReferences(contents), weeks };
}

export async function writeReferences(
  file: string,
  contents: ShardContents,
  context: TableContext,
): Promise<void> {
  await localFiles().writeFile(file, JSON.stringify(indexShard(contents, context)));
}

/** Destination of derived tables. */
interface DeriveTarget {
  readonly folder: string;
  /** Path of the file of the service's responses. */
  readonly raw: string;
  /** Context of the tables; the derived ones among them are written. */
  readonly context: TableContext;
}

/**
 * Derives and writes the tables of a loaded shard, except rewards.
 *
 * @returns The files, inputs of rewards, and contradictions of its records.
 */
export async function deriveShard(
  contents: ShardContents,
  index: FactIndex,
  target: DeriveTarget,
) {
  const shard = resolveReferences(contents, index);
  const files: DatasetFile[] = [];
  const audits = await auditAgain(shard, target.context);
  const records = { ...toDerivedRecords(shard, target.context, index), audits };
  for (const { name, kind, build } of PUBLISHED_TABLES) {
    // Rewards follow from whole weeks.
    if (kind !== "derived" || includesRewards([name])) continue;
    files.push(...await writeDerivedTable(target, name, () => build(records)));
  }
  return {
    files,
    weeks: includesRewards(target.context.tables) ? splitByWeek(shard) : [],
    ...findShardContradictions(shard, target.context, index),
  };
}

/** Audits settlements against the records of all files, where a derived table needs it. */
async function auditAgain(
  { contents: { settlements, answeredFills, instances }, auctions, orders }: ResolvedShard,
  context: TableContext,
): Promise<AuditOutcome[]> {
  const isNeeded = PUBLISHED_TABLES.some(({ name, kind, of }) =>
    kind === "derived" && of.includes("audits") && context.tables.includes(name)
  );
  if (!isNeeded || settlements.length === 0) return [];
  const { auditSettlements } = await import("./settlement_audits.ts");
  return await auditSettlements(settlements, {
    competitions: auctions,
    orders: orders.map(({ order }) => order),
    trades: orders.flatMap(({ trades }) => [...trades]),
    answeredFills,
    instances,
  }, context);
}

/** Writes a derived table and moves it into place, if it was requested; returns its file. */
export async function writeDerivedTable(
  { folder, raw, context }: DeriveTarget,
  name: string,
  build: () => Frame,
): Promise<DatasetFile[]> {
  const [table] = context.tables.includes(name) ? selectSiblingTables(raw, [name]) : [];
  if (table === undefined) return [];
  const paths = new DatasetPaths(folder);
  const frame = toFileFrame(table, build(), context.source);
  const path = `${name}/${raw.slice("raw/".length).replace(/\..*$/, "")}.parquet`;
  const [temporary, file] = [paths.toTemporary(path), paths.file(path)];
  await writeTable(table, frame, temporary);
  const facts = await hashWritten(temporary);
  await moveFile(temporary, file);
  return [{ path, ...facts, rows: frame.height, ...describeRows(frame, table.key) }];
}

interface RawTask {
  readonly raw: string;
  readonly context: TableContext;
}

/** Tasks on one file of responses, in this thread or in workers. */
export const SHARD_TASKS = {
  /** Builds the tables of its records, each into a file, and writes its references. */
  async build(
    { raw, context, files, names }: RawTask & {
      readonly files: Readonly<Record<string, string>>;
      readonly names: string;
    },
  ) {
    const built = await buildShard(raw, context, (table) => files[table]!);
    await writeReferences(names, built.contents, context);
    // Records do not leave a worker.
    return built as Omit<typeof built, "contents"> & Partial<typeof built>;
  },
  async name({ raw, context }: RawTask) {
    return indexShard(await readShard(raw, context), context);
  },
  /** Finds records that other shards reference. */
  find: ({ raw, context, wanted }: RawTask & { readonly wanted: ReferencedKeys }) =>
    findReferenced(raw, context, wanted),
  /** Derives its tables, with a complete index. */
  async derive(
    { facts: file, latest, ...target }: DeriveTarget & {
      readonly facts: string;
      readonly latest: string;
    },
  ) {
    using index = FactIndex.open(file, latest);
    const { raw, context, folder } = target;
    const contents = await readShard(`${folder}/${raw}`, context);
    await freeFrames();
    return await deriveShard(contents, index, target);
  },
};

type ShardTasks = typeof SHARD_TASKS;

export type TaskName = keyof ShardTasks;
export type TaskInput<Name extends TaskName> = Parameters<ShardTasks[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<ShardTasks[Name]>>;
