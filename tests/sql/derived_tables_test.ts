import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { InputError } from "orderlens";
import { openMarket } from "orderlens/market";
import { sqlTables } from "../../lib/market/market_tables.ts";
import { openFrames } from "../../lib/sql/open_sql.ts";
import { openSql, querySql } from "orderlens/sql";
import { inFolder } from "../sandbox/temp_folder.ts";
import { copyPart, filesWith, withoutTables } from "./copy_part.ts";

const NAMES = ["concentration", "gas_surplus", "cow_shares"] as const;

Deno.test("tables that no sum makes are the library's, of files as of a market's frames", async () => {
  await using market = await openMarket("dataset://market_1");
  using sql = await openSql("market_1");
  const frames = {
    concentration: await market.concentration(),
    gas_surplus: await market.gasSurplus(),
    cow_shares: await market.cowShares(),
  };
  for (const name of NAMES) {
    const query = `SELECT * EXCLUDE (network, environment, chain_id) FROM ${name}`;
    const rows = await sql.query(query);
    // A dataset names no solvers of its own; a market does.
    const unnamed = (row: object) => ({ ...row, solver_name: null });
    assertEquals(rows.map(unnamed), frames[name].toRecords().map(unnamed), name);
    assertEquals(await market.sql(query), frames[name].toRecords(), name);
    const { key } = sql.relations.find((one) => one.name === name)!;
    const twice = `SELECT ${key.join(", ")} FROM ${name} GROUP BY ALL HAVING count(*) > 1`;
    assertEquals(await sql.query(twice), []);
  }
  const joined = `SELECT sum(fills) = (SELECT count(*) FROM fills) AS are_all FROM gas_surplus`;
  assertEquals(await sql.query(joined), [{ are_all: true }]);
});

/** Each has one of the two shards: auctions 1990 to 1999, and 2000 on. */
async function copyHalves(folder: string): Promise<[first: string, second: string]> {
  await copyPart(`${folder}/first`, filesWith("/0000001000"));
  await copyPart(`${folder}/second`, filesWith("/0000002000"));
  return [`${folder}/first`, `${folder}/second`];
}

inFolder.test("datasets of one chain are one, unless they have rows in common", async (folder) => {
  await assertRejects(() => openSql(["market_1", "market_1"]), InputError, "twice");
  const [first, second] = await copyHalves(folder);
  const outcomes = "SELECT count(*) AS n, sum(score_atoms) AS score FROM outcomes";
  assertEquals(await querySql([first, second], outcomes), await querySql("market_1", outcomes));
  await Deno.copyFile(`${second}/manifest.json`, `${first}/manifest.json`);
  const { message } = await assertRejects(() => openSql([first, second]), InputError);
  assertMatch(message, / as one: shared rows of auctions: \d+\n[^]*orderlens merge/);
});

inFolder.test("derived tables of several datasets add their rows up, and say what they lack", async (folder) => {
  const parts = await copyHalves(folder);
  const query = "SELECT * FROM concentration ORDER BY ALL";
  assertEquals(await querySql(parts, query), await querySql("market_1", query));
  const deployment = `${parts[0]}/deployment.json`;
  const text = await Deno.readTextFile(deployment);
  await Deno.writeTextFile(deployment, text.replace(/"symbol": ?"T3"/, '"symbol":"OWN"'));
  const sold =
    "SELECT symbol, sold_tokens FROM cow_shares WHERE auction_id = 1990 AND sold_atoms > 0";
  // 161314643658000000000 atoms of a token with 18 decimals, by the name that the deployment has for it.
  assertEquals(await querySql(parts[0]!, sold), [{ symbol: "OWN", sold_tokens: 161.314643658 }]);
  const bare = `${folder}/bare`;
  await copyPart(bare, withoutTables("fills"));
  const concentration = () => querySql(bare, "SELECT * FROM concentration");
  await assertRejects(concentration, InputError, "has no table fills");
});

const UNNAMED = "SELECT COLUMNS(name -> name NOT LIKE '%solver_name') FROM";

Deno.test("openFrames() has the rows and types of files, and the views over them", async () => {
  const market = await openMarket("dataset://market_1");
  using frames = await openFrames(sqlTables(market), { memoryLimit: "200MB", usesDisk: false });
  using files = await openSql("market_1");
  for (
    const query of [
      // A market also names solvers that no list has.
      `${UNNAMED} fills ORDER BY order_uid, block_number, log_index`,
      `${UNNAMED} auctions ORDER BY auction_id`,
      `${UNNAMED} leaderboard ORDER BY solver`,
      "DESCRIBE orders",
      "SELECT sum(sell_amount_atoms) AS atoms, min(filled_at_utc) AS first FROM trades",
    ]
  ) {
    assertEquals(await frames.query(query), await files.query(query), query);
  }
  const relations = new Map(frames.relations.map((one) => [one.name, one]));
  assertEquals(
    relations.get("fills")?.columns,
    files.relations.find(({ name }) => name === "fills")?.columns,
  );
});
