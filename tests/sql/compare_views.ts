import { openDataset } from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import { assertEquals, assertGreater } from "@std/assert";
import { LibraryRows, type Row } from "./library_rows.ts";

/** Labels and whole tokens, which the export took from the deployment. */
const LABEL = /^pair$|_name$|_tokens$|_symbol$|^filled_at/;

/** Compares rows of a view with rows of the library by the columns that both name. */
function assertSame(view: readonly Row[], library: readonly Row[], key: readonly string[]): void {
  const keyOf = (row: Row) => key.map((name) => String(row[name]).toLowerCase()).join(" ");
  const sorted = (rows: readonly Row[]) => rows.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
  assertEquals(sorted(view).map(keyOf), sorted(library).map(keyOf));
  const common = Object.keys(view[0] ?? {})
    .filter((name) => name in (library[0] ?? {}) && !LABEL.test(name));
  if (view.length > 0) assertGreater(common.length, key.length);
  const chosen = (row: Row) => Object.fromEntries(common.map((name) => [name, row[name]]));
  assertEquals(sorted(view).map(chosen), sorted(library).map(chosen));
}

/** What is compared. */
export interface Compared {
  /** Folder, or name, of the dataset that is open in SQL. */
  readonly folder: string;
  /** Folder of the dataset of the library. @default {the same} */
  readonly of?: string;
  /** Rows of this environment alone. @default {all} */
  readonly environment?: string;
}

/**
 * Compares every view over a dataset with the library.
 *
 * @returns The rows of `fills`.
 */
export async function compareViews(
  { folder, of = folder, environment }: Compared,
): Promise<Row[]> {
  const dataset = await openDataset(of);
  const library = await LibraryRows.of(dataset);
  using sql = await openSql(folder, { rulesOf: "mainnet" });
  const where = environment === undefined ? "" : ` WHERE environment = '${environment}'`;
  const rows = async (view: string) => await sql.query<Row>(`SELECT * FROM ${view}${where}`);
  const fill = ["block_number", "log_index"];
  const fills = await rows("fills");
  assertGreater(fills.filter(({ surplus }) => surplus !== null).length, 0);
  assertSame(fills, library.fills(), fill);
  assertSame(await rows("fees"), library.fees, [...fill, "position"]);
  const winners = (await rows("solution_outcomes")).filter(({ is_winner }) => is_winner);
  assertSame(winners, library.outcomes(), ["auction_id", "ranking"]);
  assertSame(await rows("auctions"), library.auctions(), ["auction_id"]);
  assertSame(await rows("leaderboard"), library.leaderboard(), ["solver"]);
  assertSame(await rows("solver_days"), library.solverDays(), ["solver", "day"]);
  assertSame(await rows("pairs"), library.pairs(), ["solver", "sell_token", "buy_token"]);
  const week = ["week_start_ms"];
  assertSame(await rows("consistency_shares"), library.consistency(), ["solver", ...week]);
  const quotes = (await rows("quote_rewards")).map((row) =>
    row.verdict === "possible" ? { ...row, reason: "possible" } : row
  );
  assertSame(quotes, library.quotes(), ["order_uid", ...week]);
  assertSame(await rows("rewards"), library.rewards("mainnet"), ["solver", "week_start"]);
  assertSame(await rows("left_on_the_table"), library.leftOnTheTable(), fill);
  const ended = (row: Row) => row.status === "fulfilled" || row.event_count === 0;
  const lives = (await rows("lifecycle")).filter(ended);
  const names = new Set(lives.map(({ order_uid }) => order_uid));
  const ofLibrary = (await library.lifecycle(dataset))
    .filter(({ order_uid }) => names.has(order_uid));
  assertSame(lives, ofLibrary, ["order_uid"]);
  return fills;
}
