/** Prints what queries about times return at each door, in the time zone of the process. */
import { explorer } from "orderlens/explorer";
import { openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { openSql } from "orderlens/sql";

const SINCE = "SELECT count(*) AS fills FROM fills WHERE filled_at_utc >= '2026-11-21 15:13:00'";
const DAYS = `SELECT date_trunc('day', filled_at_utc) AS day, count(*) AS fills,
  strftime(min(filled_at_utc), '%H:%M:%S %A %B') AS first,
  list(filled_at_utc ORDER BY filled_at_utc)[1:1] AS listed
  FROM fills GROUP BY ALL`;
const LITERAL = "SELECT TIMESTAMPTZ '2026-11-21 00:30:00' AS t";

const [folder = ""] = Deno.args;
const texts: Record<string, string> = {};
for (const format of ["csv", "parquet"]) {
  const output = `${folder}/days.${format}`;
  using sql = await openSql("market_1", { output });
  texts.since = JSON.stringify(await sql.query(SINCE));
  texts.days = JSON.stringify(await sql.query(DAYS));
  texts[format] = JSON.stringify((await sql.write(DAYS, output)).files);
}
const market = await openMarket("market_1", { last: 10 });
texts.market = JSON.stringify(await market.sql(LITERAL));
const { fetch } = explorer(await replay("edges"));
const url = `http://localhost/sql.csv?${new URLSearchParams({ q: LITERAL })}`;
texts.page = await (await fetch(new Request(url))).text();
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(texts)));
