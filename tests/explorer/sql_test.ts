import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { openDataset } from "../../lib/datasets/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { openSql } from "../../lib/sql/mod.ts";
import { QUERY_LIMITS } from "../../lib/explorer/sql_queries.ts";
import type { Explorer } from "../../lib/explorer/mod.ts";
import { ask, explorer } from "./explore.ts";

const DATASET = await openDataset("market_1");
const FROM: Explorer = explorer(DATASET);

const linkTo = (query: string, ending = "", more = {}) =>
  `/sql${ending}?${new URLSearchParams({ q: query, ...more })}`;

const BY_PAIR = "SELECT pair, count(*) AS fills FROM fills GROUP BY pair ORDER BY fills DESC, pair";

Deno.test("the page of a query has its text, its rows, and the same as CSV and JSON", async () => {
  const { status, text } = await ask(linkTo(BY_PAIR), { from: FROM });
  assertEquals(status, 200);
  assertStringIncludes(text, `>${BY_PAIR}</textarea>`);
  assertStringIncludes(text, '<td class="number" data-name="fills">');
  using sql = await openSql("market_1");
  const rows = await sql.query<{ pair: string; fills: number }>(BY_PAIR);
  const csv = await ask(linkTo(BY_PAIR, ".csv"), { from: FROM });
  assertEquals(
    csv.text,
    ["pair,fills", ...rows.map((row) => `${row.pair},${row.fills}`), ""].join("\r\n"),
  );
  assertStringIncludes(csv.headers.get("content-disposition")!, '"result.csv"');
  const json = await ask(linkTo(BY_PAIR, ".json"), { from: FROM });
  assertEquals(JSON.parse(json.text).rows, rows);
});

Deno.test("without a query the page lists tables and columns with their notes, and examples that run", async () => {
  const { text } = await ask("/sql", { from: FROM });
  assertStringIncludes(text, "<summary>solution_orders</summary>");
  assertStringIncludes(text, "<dt>volume_native</dt><dd>native tokens: ");
  const examples = [...text.matchAll(/<li><a href="(\/sql\?[^"]+)"/g)].map(([, link]) => link!);
  assertEquals(examples.length, 5);
  for (const example of examples) {
    const page = await ask(example, { from: FROM });
    assertMatch(page.heading, /^[1-9]\d* rows?$/);
    assertMatch(page.text, /<h2 id="chart-title">|orderlens-explore/);
  }
});

Deno.test("a recording and a sandbox are asked as a dataset is, and a deployment elsewhere is not", async () => {
  const query = "SELECT count(*) AS fills FROM fills";
  const recorded = await ask(linkTo(query, ".json"));
  assertEquals(JSON.parse(recorded.text).rows, [{ fills: 664 }]);
  const sandbox = explorer(await openSandbox({ seed: 7, auctions: 10 }));
  const simulated = await ask(linkTo("SELECT count(*) AS auctions FROM auctions", ".json"), {
    from: sandbox,
  });
  assert(JSON.parse(simulated.text).rows[0].auctions > 0);
  const page = await ask(linkTo(query), { from: explorer(connect("xdai")) });
  assertEquals(page.status, 404);
  assertStringIncludes(page.text, "orderlens export");
});

Deno.test("a query that fails is a page with its text and what is wrong, escaped", async () => {
  const page = await ask(linkTo('SELECT "<img src=x>" FROM fills'), { from: FROM });
  assertEquals([page.status, page.heading], [400, "The query failed"]);
  assertStringIncludes(page.text, "Referenced column");
  assert(!page.text.includes("<img src=x"));
  for (const query of ["SELECT * FROM read_csv('/etc/passwd')", "COPY fills TO 'x.csv'"]) {
    const { status, text } = await ask(linkTo(query), { from: FROM });
    assertEquals(status, 400);
    assertMatch(text, /Cannot run the query: it (?:reads read_csv\(\)|is COPY)/);
  }
  assertEquals((await ask("/sql.csv", { from: FROM })).status, 400);
  assertEquals((await ask(linkTo("x".repeat(12_001)), { from: FROM })).status, 414);
});

Deno.test("a large result is cut, and says so", async () => {
  const page = await ask(linkTo("FROM range(2000)"), { from: FROM });
  assertEquals(page.heading, "The first 1,000 rows; the result has more");
  assert(page.text.length <= 300_000);
  const wide = await ask(linkTo("SELECT f.*, a.* FROM fills f, auctions a"), { from: FROM });
  assert(wide.text.length <= 300_000, String(wide.text.length));
  assertMatch(wide.text, /\d+ more rows are left out of this page/);
  const csv = await ask(linkTo("FROM range(200000)", ".csv"), { from: FROM });
  assertStringIncludes(csv.headers.get("content-disposition")!, '"first_100000_rows.csv"');
  assertEquals(csv.text.split("\r\n").length, 100_002);
});

Deno.test("the chart follows the types of columns, and the address", async () => {
  const bars = await ask(linkTo(BY_PAIR), { from: FROM });
  assertStringIncludes(bars.text, "Fills by pair");
  const query = "SELECT filled_at, volume_native, slippage_net_bps FROM fills";
  const series = await ask(linkTo(query), { from: FROM });
  assertStringIncludes(series.text, "<option selected>filled_at</option>");
  assertStringIncludes(series.text, 'id="chart-title"');
  const chosen = await ask(linkTo(query, "", { x: "volume_native", y: "slippage_net_bps" }), {
    from: FROM,
  });
  assertStringIncludes(chosen.text, "<option selected>volume_native</option>");
  assertStringIncludes(chosen.text, "orderlens-explore");
  const none = await ask(linkTo("SELECT 'a' AS text"), { from: FROM });
  assert(!none.text.includes("<select"));
});

/** Lets timers of a length end after a tenth of it. */
function hurriedTimers(ms: number): Disposable {
  const { setTimeout } = globalThis;
  globalThis.setTimeout =
    ((run: () => void, after: number) =>
      setTimeout(run, after === ms ? ms / 10 : after)) as typeof setTimeout;
  return { [Symbol.dispose]: () => void (globalThis.setTimeout = setTimeout) };
}

Deno.test("a query that never ends is stopped at its limit, and others are answered meanwhile", async () => {
  const ended: string[] = [];
  using _hurried = hurriedTimers(QUERY_LIMITS.timeoutMs);
  await ask("/orders", { from: FROM });
  const endless = Array.from(
    { length: 3 },
    (_, at) =>
      ask(linkTo(`SELECT count(*) + ${at} FROM range(100000000000)`), { from: FROM })
        .finally(() => ended.push("endless")),
  );
  await ask("/orders", { from: FROM });
  ended.push("page");
  const refused = await ask(linkTo("SELECT 1 AS one"), { from: FROM });
  assertEquals([refused.status, ended], [503, ["page"]]);
  for (const { status, text } of await Promise.all(endless)) {
    assertEquals(status, 400);
    assertStringIncludes(text, "it took longer than 5 s");
  }
  assertEquals((await ask(linkTo("SELECT 1 AS one"), { from: FROM })).status, 200);
});

Deno.test("no answer says where the dataset is", async () => {
  for (
    const query of [
      "SHOW TABLES",
      "DESCRIBE fills",
      "FROM duckdb_views()",
      "FROM fills, nothing",
      "FROM './x'",
    ]
  ) {
    const { text } = await ask(linkTo(query), { from: FROM });
    assert(!text.includes(DATASET.folder), query);
  }
});
