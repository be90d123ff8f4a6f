import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDataset } from "../../lib/datasets/mod.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { connect } from "../../lib/client/mod.ts";
import { exported } from "../datasets/exported.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { ask, askJson } from "./explore.ts";

/** The texts of the cells of a table, by row. */
function readTable(page: string, id: string): string[][] {
  const [section = ""] = RegExp(`<section id="${id}"[^]*?</section>`).exec(page) ?? [];
  return [...section.matchAll(/<tr>(<td[^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<button.*?<\/button>/g, "").replaceAll(/<[^>]*>/g, "").trim()
    )
  );
}

Deno.test("/solvers has who won which auctions and scores, as another program counts the bodies", async () => {
  const { text } = await ask("/solvers");
  const rows = readTable(text, "leaderboard");
  assertEquals(rows.map(([name, won, score]) => [name, won, score]), [
    ["solver_b", "522 of 523 (99.8%)", "4.54418 ETH"],
    ["solver_d", "65 of 404 (16%)", "0.260921 ETH"],
    ["solver_c", "35 of 454 (7.7%)", "0.244726 ETH"],
    ["test_solver", "24 of 417 (5.8%)", "0.130797 ETH"],
  ]);
  // 4544176930469255778 of 5180620973022201046 atoms is 87.71…%.
  assertEquals(rows.map(([, , , share]) => share), ["87.7%", "5.0%", "4.7%", "2.5%"]);
  assertStringIncludes(text, "4544176930469255778 native atoms");
});

Deno.test("/pairs and /tokens count each fill once, and for both of its tokens", async () => {
  const pairs = readTable((await ask("/pairs")).text, "fills");
  const [first] = pairs;
  assertEquals([pairs.length, first?.slice(0, 3)], [20, ["WETH", "T0", "48"]]);
  const tokens = readTable((await ask("/tokens")).text, "tokens");
  assertEquals(tokens.map(([symbol, , , orders, fills]) => [symbol, orders, fills]), [
    ["WETH", "396", "284"],
    ["T0", "404", "282"],
    ["T1", "367", "259"],
    ["T2", "362", "256"],
    ["T3", "347", "247"],
  ]);
  const sum = (rows: string[][], index: number) =>
    rows.reduce((total, row) => total + Number(row[index]), 0);
  assertEquals([sum(pairs, 2), sum(tokens, 4)], [664, 2 * 664]);
});

Deno.test("/dictionary has the columns of a table of a dataset, which its data page links", async () => {
  const folder = await exported("market_1", { auctions: { from: 2622, to: 2622 }, trades: false });
  const from = explorer(await openDataset(folder));
  assertStringIncludes((await ask("/dataset", { from })).text, '<a href="/dictionary/fills">fills');
  const { text } = await ask("/dictionary/solutions", { from });
  assertStringIncludes(text, 'data-name="Column">score_atoms<');
  const unknown = await ask("/dictionary/nothing", { from });
  assertEquals([unknown.status, unknown.heading], [
    404,
    `${folder.split("/").at(-1)} has no table &quot;nothing&quot;`,
  ]);
  // No auction of it has a solution, which its pages say.
  for (const noun of ["solvers", "pairs", "tokens"]) {
    assertEquals((await ask(`/${noun}`, { from })).heading, `No ${noun} to show`);
  }
  await from.close();
});

Deno.test("/pairs and /tokens of a live source count what its queries in SQL count", async () => {
  const from = explorer(await openSandbox({ seed: 7, auctions: 25, clock: "virtual" }));
  const query = "SELECT count(*) AS fills FROM fills";
  const { rows: [{ fills }] } = await askJson(
    `/sql.json?${new URLSearchParams({ q: query })}`,
    from,
  );
  const sum = (rows: { fills: number }[]) => rows.reduce((total, { fills }) => total + fills, 0);
  const [pairs, tokens] = [await askJson("/pairs.json", from), await askJson("/tokens.json", from)];
  assert(fills > 0);
  assertEquals([sum(pairs.rows), sum(tokens.rows)], [fills, 2 * fills]);
  await from.close();
});

Deno.test("a public deployment has no pages that add up whole tables", async () => {
  const from = explorer(connect("http://127.0.0.1:9", { chainId: 1, retries: 0 }));
  const { text } = await ask("/nothing", { from });
  assertStringIncludes(text, '<a href="/auctions">');
  for (const noun of ["solvers", "pairs", "tokens"]) {
    assertEquals(text.includes(`href="/${noun}"`), false);
    assertEquals((await ask(`/${noun}`, { from })).status, 404);
  }
  await from.close();
});
