import * as metrics from "orderlens/metrics";
import { assertEquals } from "@std/assert";

const FOLDER = new URL("./", import.meta.url);

/** Metrics that no test calls with any values, and why. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  accountingWeek: "takes a time, no amounts",
  auctionBrackets: "takes times, no amounts",
  compareSettlement: "compares records; audits of all recorded settlements call it",
  competitionStage: "looks a word up",
  debugFeePolicy: "renames the fields of a policy",
  fillTime: "takes times, no amounts",
  orderFill: "renames three fields of an order",
  pricedSide: "selects two fields",
  rate: "is wilsonInterval() of two counts",
  surplusToken: "selects a token",
};

/** Texts of the tests that draw any values, and of what stands before the first test of a file. */
async function* propertyTests(folder: URL): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* propertyTests(new URL(`${name}/`, folder));
    else if (name.endsWith("_test.ts")) {
      const text = await Deno.readTextFile(new URL(name, folder));
      if (!text.includes("fc.assert(")) continue;
      const [before = "", ...tests] = text.split(/^(?=Deno\.test\()/m);
      yield* [before, ...tests.filter((test) => test.includes("fc.assert("))];
    }
  }
}

Deno.test("every metric is called with any values, or says why not", async () => {
  const texts = (await Array.fromAsync(propertyTests(FOLDER))).join();
  const missing = Object.entries(metrics)
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\\b${name}\\(`).test(texts));
  const uncalled = missing.filter((name) => !Object.hasOwn(NOT_CALLED, name));
  assertEquals(
    uncalled,
    [],
    `No property calls ${
      uncalled.join(", ")
    }: call it in tests/metrics/any_amounts_test.ts, or in ` +
      `any_auctions_test.ts if it takes auctions, or say why not in NOT_CALLED of any_values_test.ts`,
  );
  assertEquals(Object.keys(NOT_CALLED).filter((name) => !missing.includes(name)), []);
});
