import { explorer } from "orderlens/explorer";
import { openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { openSql } from "orderlens/sql";
import pl from "nodejs-polars";
import { assertEquals } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";

// 13 of the 37 fills have a `filled_at` of 15:13 UTC or later, and all are of one day.
const SINCE = "SELECT count(*) AS fills FROM fills WHERE filled_at_utc >= '2026-11-21 15:13:00'";
const DAYS = `SELECT date_trunc('day', filled_at_utc) AS day, count(*) AS fills,
  strftime(min(filled_at_utc), '%H:%M:%S %A %B') AS first,
  list(filled_at_utc ORDER BY filled_at_utc)[1:1] AS listed
  FROM fills GROUP BY ALL`;
const DAY = {
  day: "2026-11-21 00:00:00+00",
  fills: 37,
  first: "15:12:06 Saturday November",
  listed: "[2026-11-21 15:12:06.831221+00]",
};
const LITERAL = "SELECT TIMESTAMPTZ '2026-11-21 00:30:00' AS t";

inFolder.test("times are those of UTC in rows and in files, whatever the zone of the machine", async (folder) => {
  const [csv, parquet] = [`${folder}/days.csv`, `${folder}/days.parquet`];
  using sql = await openSql("market_1", { output: csv });
  assertEquals(await sql.query(SINCE), [{ fills: 13 }]);
  assertEquals(await sql.query(DAYS), [DAY]);
  await sql.write(DAYS, csv);
  assertEquals(
    await Deno.readTextFile(csv),
    `day,fills,first,listed\n${Object.values(DAY).join(",")}\n`,
  );
  using columnar = await openSql("market_1", { output: parquet });
  await columnar.write(DAYS, parquet);
  assertEquals(pl.readParquet(parquet).select("day", "fills", "first").rows(), [
    [new Date("2026-11-21T00:00:00Z"), DAY.fills, DAY.first],
  ]);
});

Deno.test("times are in UTC in SQL of a market and on a page, in any time zone of the machine", async () => {
  const market = await openMarket("market_1", { last: 10 });
  assertEquals(await market.sql(LITERAL), [{ t: "2026-11-21 00:30:00+00" }]);
  const { fetch } = explorer(await replay("edges"));
  const url = `http://localhost/sql.csv?${new URLSearchParams({ q: LITERAL })}`;
  assertEquals(
    await (await fetch(new Request(url))).text(),
    "t\n2026-11-21 00:30:00+00\n",
  );
});
