import { DatasetFiles } from "../../../lib/sql/opening/dataset_files.ts";
import { definitions, neededBy, scansOf } from "../../../lib/sql/spark/spark_tables.ts";
import { assertEquals } from "@std/assert";

const SOURCE = { network: "gnosis", environment: null, chainId: 100, settlementContract: "0x9008" };

function file(path: string) {
  return { path, rows: 1, leastKey: null, greatestKey: null, sha256: "", bytes: 1 };
}

Deno.test("each environment of a dataset is a scan of its own, with its source", () => {
  const from = (environment: string | null) => ({
    names: { network: "gnosis", environment },
    chainId: 100,
  });
  const shard = "0000000000-0000000999.parquet";
  const several = [
    file(`trades/environment=production/${shard}`),
    file(`trades/environment=staging/${shard}`),
    file(`trades/environment=none/${shard}`),
    file(`orders/environment=staging/${shard}`),
    file(`raw/${shard}`),
  ];
  assertEquals(scansOf({ source: SOURCE, files: several }, "trades"), [
    { files: [`trades/environment=production/${shard}`], ...from("production") },
    { files: [`trades/environment=staging/${shard}`], ...from("staging") },
    { files: [`trades/environment=none/${shard}`], ...from(null) },
  ]);
  const one = { source: { ...SOURCE, environment: "staging" }, files: [file(`trades/${shard}`)] };
  assertEquals(scansOf(one, "trades"), [
    { files: [`trades/${shard}`], ...from("staging") },
  ]);
  assertEquals(scansOf(one, "orders"), []);
});

Deno.test("a query needs the tables and views that it names, and those that they name", async () => {
  const all = await definitions(await DatasetFiles.read(["market_1"]), undefined);
  const names = (query: string) => neededBy(query, all).map(({ name }) => name);
  assertEquals(names("SELECT 1"), []);
  assertEquals(names("SELECT * FROM Trades"), ["trades"]);
  assertEquals(
    new Set(names("SELECT count(*) FROM leaderboard")),
    new Set([
      "raw_auctions",
      "solutions",
      "trades",
      "reference_scores",
      "solution_orders",
      "solution_outcomes",
      "solver_days",
      "leaderboard",
    ]),
  );
});
