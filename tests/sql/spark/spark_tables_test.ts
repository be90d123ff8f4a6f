import { assertEquals, assertRejects } from "@std/assert";
import { neededBy, onDemand } from "../../../lib/sql/catalogue.ts";
import { DatasetFiles } from "../../../lib/sql/dataset_files.ts";
import { definitions } from "../../../lib/sql/spark/spark_session.ts";

const ALL = definitions(await DatasetFiles.read(["market_1"]));

Deno.test("only what a query names is made, after what that reads", () => {
  const names = (query: string) => neededBy(query, ALL).map(({ name }) => name);
  assertEquals(names("SELECT 1"), []);
  assertEquals(names("SELECT * FROM Fills"), ["fills"]);
  assertEquals(names("SELECT * FROM leaderboard"), ["bids", "outcomes", "leaderboard"]);
  assertEquals(names("SELECT * FROM refills"), []);
});

Deno.test("what is named is made once, and again if that failed", async () => {
  const begun: string[] = [];
  const makeNeeded = onDemand([{ name: "fills" }, { name: "bids" }], ({ name }) => {
    begun.push(name);
    return begun.length === 1 ? Promise.reject(new Error("no file")) : Promise.resolve();
  });
  await assertRejects(() => makeNeeded("FROM fills"), Error, "no file");
  await Promise.all([makeNeeded("FROM fills"), makeNeeded("FROM fills")]);
  assertEquals(begun, ["fills", "fills"]);
});

Deno.test("a table is its files, with the columns that are amounts", () => {
  const message = ALL.find(({ name }) => name === "outcomes")!.message;
  assertEquals(message.amounts, ["score_atoms", "reference_score_atoms", "margin_atoms"]);
  const files = message.files as string[];
  assertEquals(files.length, 2);
  assertEquals(
    files.every((file) => /^file:\/\/\/.*\/outcomes\/\d+-\d+\.parquet$/.test(file)),
    true,
  );
});
