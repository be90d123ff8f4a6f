import { InputError } from "orderlens";
import { openSpark } from "orderlens/sql";
import { neededBy, onDemand } from "../../../lib/sql/catalogue.ts";
import { DatasetFiles } from "../../../lib/sql/dataset_files.ts";
import { definitions, requireMaster, sparkConf } from "../../../lib/sql/spark/spark_session.ts";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

Deno.test("what Spark cannot be opened with is rejected before anything is installed", async () => {
  const steps: string[] = [];
  const onStep = (text: string) => void steps.push(text);
  const open = (folders: string | string[], options: object) =>
    assertRejects(() => openSpark(folders, { onStep, ...options }), InputError);
  assertStringIncludes((await open("market_1", { master: "spark:7077" })).message, "local[*]");
  assertStringIncludes((await open("s3a://bucket/set", {})).message, "under the same path");
  assertStringIncludes((await open("no/such/folder", {})).message, "manifest.json");
  assertStringIncludes((await open("market_1", { conf: { a: 1 } })).message, "texts");
  assertStringIncludes((await open(["market_1", "market_1"], {})).message, "twice");
  assertEquals(steps, []);
});

const PLACE = { folder: "/tmp/session" };

Deno.test("settings that numbers depend on are the library's own", () => {
  const master = "yarn";
  const conf = sparkConf(
    { "spark.executor.memory": "4g", "spark.jars": "/own.jar", "spark.ui.enabled": "true" },
    { master, ...PLACE },
  );
  assertEquals(conf["spark.executor.memory"], "4g");
  assertEquals(conf["spark.jars"], "/own.jar");
  assertEquals(conf["spark.ui.enabled"], "true");
  assertEquals(conf["spark.sql.ansi.enabled"], "true");
  for (
    const own of [
      { "spark.sql.ansi.enabled": "false" },
      { "spark.sql.session.timeZone": "CET" },
      { "spark.master": "local" },
      { "executor.memory": "4g" },
    ]
  ) assertThrows(() => sparkConf({ ...own }, { master, ...PLACE }), InputError);
});

Deno.test("a cluster of this machine alone listens on loopback, any other is reached by its name", () => {
  const host = (master: string) => sparkConf({}, { master, ...PLACE })["spark.driver.bindAddress"];
  assertEquals(["local[2]", "local-cluster[2,1,1024]"].map(host), ["127.0.0.1", "127.0.0.1"]);
  assertEquals(["spark://host:7077", "yarn", "k8s://https://host"].map(host), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("masters are those of Spark", () => {
  for (
    const master of [
      "local",
      "local[*]",
      "local[2]",
      "local-cluster[2,1,1024]",
      "spark://a:7077,b:7077",
      "yarn",
      "k8s://https://host:6443",
    ]
  ) requireMaster(master);
  for (const master of ["", "localhost", "http://host", "spark:7077", "local-cluster[2]"]) {
    assertThrows(() => requireMaster(master), InputError, "spark://host:7077");
  }
});

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
