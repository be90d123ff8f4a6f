import { DuckDBInstance } from "@duckdb/node-api";
import pl from "nodejs-polars";
import { openMarket } from "orderlens/market";
import type { Frame } from "orderlens/tables";
import { recordedObjects } from "../schemas/recorded_bodies.ts";
import { assert, assertEquals } from "@std/assert";
import { measureSpan } from "../../lib/market/describe_market.ts";
import { type FillTotals, sumFillTotals } from "../../lib/market/fill_totals.ts";

// As text the first of them is the last.
const TIMES = ["2026-11-21T15:00:59Z", "2026-11-21T15:00:59.500Z", "2026-11-21T15:00:59.268390Z"];

Deno.test("measureSpan sorts the times of auctions, not their texts", () => {
  const span = measureSpan(pl.DataFrame({
    auction_id: [1, 2, 3],
    auction_start_block: [10, 11, 12],
    auction_at: TIMES,
    time_basis: ["block", "event", "event"],
  }) as Frame);
  assertEquals(span.times, { from: TIMES[0], to: TIMES[1] });
  assertEquals([span.ids, span.blocks], [{ from: 1, to: 3 }, { from: 10, to: 12 }]);
});

Deno.test("sumFillTotals sorts the times of fills, not their texts", async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`CREATE TABLE fills AS
    SELECT *, CAST(filled_at AS TIMESTAMPTZ) AS filled_at_utc, 1 AS volume_atoms,
      2 AS surplus_native_atoms, CAST(NULL AS VARCHAR) AS price_sides
    FROM unnest([${TIMES.map((time) => `'${time}'`)}]) AS times(filled_at)`);
  const { first, last } = await sumFillTotals(async (query) =>
    (await connection.runAndReadAll(query)).getRowObjects() as unknown as FillTotals[]
  );
  connection.closeSync();
  assertEquals([first, last], [TIMES[0], TIMES[1]]);
});

Deno.test("SQL and frames of the shipped dataset have times as the service wrote them", async () => {
  const texts = new Map<string, string>();
  for await (const { kind, body } of recordedObjects()) {
    const { uid, creationDate } = Object(body);
    if (kind === "order") texts.set(uid, creationDate);
  }
  const market = await openMarket("market_1");
  const rows = await market.sql("SELECT order_uid, creation_date FROM orders");
  const expected = rows.map(({ order_uid: uid }) => texts.get(String(uid)));
  assertEquals(rows.map((row) => row.creation_date), expected);
  assert(expected.some((text) => /0Z$/.test(text!)) && rows.length > 0);
  const frame = await market.orders();
  assertEquals(
    frame.toRecords().map((row) => row.creation_date),
    frame.toRecords().map(({ order_uid: uid }) => texts.get(String(uid))),
  );
});
