import { InputError } from "orderlens";
import { openSpark } from "orderlens/sql";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

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
