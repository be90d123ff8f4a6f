import type { DatabaseSync } from "node:sqlite";
import { isCorruptDatabase } from "../layout/folders.ts";

/**
 * Opens the database of an export's state, and creates its tables; every commit is synced. A damaged
 * one, or one of another version, is replaced by an empty one: the responses are in the folder.
 */
export function openDatabase(file: string): DatabaseSync {
  const intact = openIntact(file);
  if (intact !== null) return intact;
  removeState(file);
  return createDatabase(file);
}

/** Removes a state: the next export restores it from the responses in the folder. */
export function removeState(file: string): void {
  for (const end of ["", "-wal", "-shm"]) {
    process.getBuiltinModule("node:fs").rmSync(`${file}${end}`, { force: true });
  }
}

/** Opens a database if it certainly has every row that was committed. */
function openIntact(file: string): DatabaseSync | null {
  if (!process.getBuiltinModule("node:fs").existsSync(file)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = connect(file);
    if (isIntact(database)) return database;
  } catch (error) {
    if (!isCorruptDatabase(error)) throw error;
  }
  database?.close();
  return null;
}

/** The schema of every new state. */
let expectedSchema: string | undefined;

function isIntact(database: DatabaseSync): boolean {
  const readSchema = (connection: DatabaseSync) =>
    JSON.stringify(connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all());
  if (expectedSchema === undefined) {
    const fresh = createDatabase(":memory:");
    expectedSchema = readSchema(fresh);
    fresh.close();
  }
  if (readSchema(database) !== expectedSchema) return false;
  // A header may require a later SQLite for writing.
  database.exec("UPDATE sums SET value = value");
  const [checked] = database.prepare("PRAGMA integrity_check(1)").all();
  const sums = Object.keys(TABLES).map((table) =>
    `(SELECT coalesce(sum(${formatRowSum(database, table, table)}), 0) FROM ${table})`
  );
  const [summed] = database.prepare(`SELECT value = ${sums.join(" + ")} AS isSame FROM sums`).all();
  return checked?.integrity_check === "ok" && summed?.isSame === 1;
}

function createDatabase(file: string): DatabaseSync {
  const database = connect(file);
  const tables = Object.entries(TABLES).map(([table, columns]) =>
    `CREATE TABLE ${table} (${columns}) WITHOUT ROWID;`
  );
  database.exec(`BEGIN; ${tables.join("\n")} ${INDEXES}
    CREATE TABLE sums (value INTEGER NOT NULL); INSERT INTO sums VALUES (0);`);
  for (const table of Object.keys(TABLES)) {
    const [before, after] = ["OLD", "NEW"].map((row) => formatRowSum(database, table, row));
    const changes = {
      INSERT: `+ ${after}`,
      DELETE: `- ${before}`,
      UPDATE: `- ${before} + ${after}`,
    };
    for (const [event, change] of Object.entries(changes)) {
      database.exec(`CREATE TRIGGER ${table}_${event} AFTER ${event} ON ${table}
        BEGIN UPDATE sums SET value = value ${change}; END`);
    }
  }
  database.exec("COMMIT");
  return database;
}

/** Formats the sum of a row of a table, in SQL. */
function formatRowSum(database: DatabaseSync, table: string, row: string): string {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  return `row_sum('${table}', ${columns.map(({ name }) => `${row}.${name}`).join(", ")})`;
}

function connect(file: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { crc32 } = process.getBuiltinModule("node:zlib");
  const database = new DatabaseSync(file);
  try {
    // A row that replaces another one subtracts its sum.
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON;",
    );
    const row = { deterministic: true, varargs: true } as const;
    database.function("row_sum", row, (...values) => BigInt(1 + crc32(JSON.stringify(values))));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * - `items`: all items to request. `state` is null before the first response; `round` is the run of the
 *   last request, so that nothing is requested twice in one, however often it is interrupted.
 * - `answers`: position of each response in the segment of its shard.
 * - `segments`: committed lengths of segments.
 * - `shards`: whether tables are older than responses.
 * - `files`: the files of the folder; the next run renames those that a crash left under another name.
 */
const TABLES: Readonly<Record<string, string>> = {
  meta: "name TEXT PRIMARY KEY, value TEXT",
  items: `kind TEXT, key TEXT, shard INTEGER NOT NULL, state TEXT,
    isFinal INTEGER NOT NULL DEFAULT 0, round INTEGER NOT NULL DEFAULT 0, firstAskedMs REAL,
    askedMs REAL, note TEXT, PRIMARY KEY (kind, key)`,
  answers: `kind TEXT, key TEXT, part INTEGER, shard INTEGER NOT NULL, start INTEGER NOT NULL,
    length INTEGER NOT NULL, sha256 TEXT NOT NULL, route TEXT NOT NULL,
    PRIMARY KEY (kind, key, part)`,
  segments: "shard INTEGER PRIMARY KEY, length INTEGER NOT NULL",
  shards: "shard INTEGER PRIMARY KEY, isStale INTEGER NOT NULL DEFAULT 1",
  files: `path TEXT PRIMARY KEY, shard INTEGER NOT NULL, sha256 TEXT, bytes INTEGER, rows INTEGER,
    leastKey TEXT, greatestKey TEXT, longAmounts TEXT`,
};

const INDEXES = `
CREATE INDEX items_by_shard ON items (shard, kind, key);
CREATE INDEX answers_by_shard ON answers (shard, kind, key, part);
`;
