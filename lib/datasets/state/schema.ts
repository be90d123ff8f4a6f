import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors/mod.ts";

/** Format of the state that this library writes; 0 is the same without its number. */
const FORMAT = 1;

/**
 * Opens the database of an export's state, and creates its tables; every commit is synced.
 *
 * @throws {InputError} If another version of this library wrote it in another format, or it is
 *   damaged.
 */
export function openDatabase(file: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    requireFormat(database, file);
    database.exec(`${TABLES} PRAGMA user_version = ${FORMAT};`);
    return database;
  } catch (error) {
    database.close();
    throw isNoDatabase(error) ? damagedError(file, error) : error;
  }
}

const REMEDY =
  "Rebuild the dataset to keep what it has, and export into another folder to get the rest";

function requireFormat(database: DatabaseSync, file: string): void {
  const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (found === 0 || found === FORMAT) return;
  throw new InputError(`Cannot resume the export of ${file}: its state has another format`, {
    facts: { expected: FORMAT, found },
    remedy: found > FORMAT
      ? `Use the newer version of the library that wrote it. ${REMEDY}`
      : REMEDY,
  });
}

function isNoDatabase(error: unknown): boolean {
  return error instanceof Error &&
    /not a database|malformed|unsupported file format/.test(error.message);
}

function damagedError(file: string, cause: unknown): InputError {
  return new InputError(`Cannot resume the export of ${file}: its state is damaged`, {
    remedy: REMEDY,
    cause,
  });
}

/**
 * - `items`: everything to ask for. `state` is null before the first answer; `round` is the run in
 *   which it was asked last, so that nothing is asked twice in one, however often it is interrupted.
 * - `answers`: where each kept answer stands in the segment of its shard.
 * - `segments`: lengths of segments that count; what stands behind was never committed.
 * - `shards`: whether tables are older than answers, and whether anything may still change.
 * - `files`: what is in the folder; `intents`: what is about to be.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
  kind TEXT, key TEXT, shard INTEGER NOT NULL, state TEXT, isFinal INTEGER NOT NULL DEFAULT 0,
  round INTEGER NOT NULL DEFAULT 0, firstAskedMs REAL, askedMs REAL, note TEXT,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_by_shard ON items (shard, kind, key);
CREATE TABLE IF NOT EXISTS answers (
  kind TEXT, key TEXT, part INTEGER, shard INTEGER NOT NULL, start INTEGER NOT NULL,
  length INTEGER NOT NULL, sha256 TEXT NOT NULL, route TEXT NOT NULL,
  PRIMARY KEY (kind, key, part)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_by_shard ON answers (shard, kind, key, part);
CREATE TABLE IF NOT EXISTS segments (shard INTEGER PRIMARY KEY, length INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS shards (
  shard INTEGER PRIMARY KEY, isStale INTEGER NOT NULL DEFAULT 1, isSealed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY, shard INTEGER NOT NULL, sha256 TEXT, bytes INTEGER, rows INTEGER,
  leastKey TEXT, greatestKey TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS intents (
  path TEXT PRIMARY KEY, shard INTEGER NOT NULL, oldSha256 TEXT, sha256 TEXT, bytes INTEGER,
  rows INTEGER, leastKey TEXT, greatestKey TEXT
) WITHOUT ROWID;
`;
