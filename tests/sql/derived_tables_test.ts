import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { InputError } from "orderlens";
import { openMarket } from "orderlens/market";
import { openSql, querySql } from "orderlens/sql";
import { copyFolder } from "../../tools/cluster/copy_folder.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

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

/** Copies the dataset, with some of its files and without some of its tables. */
async function copyPart(
  to: string,
  isKept: (path: string) => boolean,
  without: readonly string[] = [],
): Promise<void> {
  await copyFolder(`${SHIPPED_FOLDER}/market_1`, to);
  const file = `${to}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(file));
  const { request } = manifest;
  request.tables = request.tables.filter((name: string) => !without.includes(name));
  const files = manifest.files.filter(({ path }: { path: string }) => isKept(path));
  await Deno.writeTextFile(file, JSON.stringify({ ...manifest, files }));
}

Deno.test("derived tables of several datasets add their rows up, and say what they lack", async () => {
  await withFolder(async (folder) => {
    const parts = [`${folder}/first`, `${folder}/second`];
    for (const [place, part] of parts.entries()) {
      await copyPart(part, (path) => path.includes(place === 0 ? "/0000001000" : "/0000002000"));
    }
    const query = "SELECT * FROM concentration ORDER BY ALL";
    assertEquals(await querySql(parts, query), await querySql("market_1", query));
    const deployment = `${parts[0]}/deployment.json`;
    const named = (await Deno.readTextFile(deployment)).replace(
      /"symbol": ?"T3"/,
      '"symbol":"OWN"',
    );
    await Deno.writeTextFile(deployment, named);
    const sold =
      "SELECT symbol, sold_tokens FROM cow_shares WHERE auction_id = 1990 AND sold_atoms > 0";
    // 161314643658000000000 atoms of a token with 18 decimals, by the name that the deployment has for it.
    assertEquals(await querySql(parts[0]!, sold), [{ symbol: "OWN", sold_tokens: 161.314643658 }]);
    const bare = `${folder}/bare`;
    await copyPart(bare, (path) => !path.startsWith("fills/"), ["fills"]);
    const { message } = await assertRejects(
      () => querySql(bare, "SELECT * FROM concentration"),
      InputError,
    );
    assertMatch(message, /has no table fills/);
  });
});
