import { assertEquals, assertRejects } from "@std/assert";
import { join, resolve } from "node:path";
import { SHIPPED_FOLDER } from "../../../tools/datasets/write_shipped.ts";
import { Code } from "../../../tools/notebooks/inject_parameters.ts";
import { parseRun } from "../../../tools/notebooks/parse_run.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const XDAI = { source: "xdai", cacheFolder: "../build/cache" };
const SETTLEMENT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";

Deno.test("parseRun() without options keeps the notebooks' own parameters", async () => {
  const run = await parseRun(["01", "02", "--update"]);
  assertEquals(run.names, ["01", "02"]);
  assertEquals(run.isUpdate, true);
  assertEquals(run.parameters, null);
  assertEquals(run.isLive, false);
  assertEquals([run.out, run.gallery], [join("build", "notebooks"), join("build", "gallery")]);
});

Deno.test("parseRun() reads a public network, few auctions unless told otherwise", async () => {
  const run = await parseRun(["--network", "xdai"]);
  assertEquals(run.parameters, { ...XDAI, last: 20 });
  assertEquals(run.isLive, true);
  assertEquals(run.out, join("build", "notebooks-xdai"));
  assertEquals(run.gallery, join("build", "notebooks-xdai", "gallery"));
  const staging = await parseRun(["--network=xdai", "--env", "staging", "--last", "200"]);
  assertEquals(staging.parameters, { ...XDAI, environment: "staging", last: 200 });
  assertEquals(staging.out, join("build", "notebooks-xdai-staging"));
});

Deno.test("parseRun() reads any deployment by its URL", async () => {
  const run = await parseRun([
    ...["--url", "http://127.0.0.1:8080", "--chain-id", "100", "--settlement", SETTLEMENT],
    ...["--out", "there"],
  ]);
  assertEquals(run.parameters, {
    source: "http://127.0.0.1:8080",
    chainId: 100,
    settlementContract: SETTLEMENT,
    last: 20,
  });
  assertEquals(run.isLive, true);
  assertEquals(run.out, resolve("there"));
});

Deno.test("parseRun() reads datasets by name and by folder, as long as they are", async () => {
  const shipped = await parseRun(["--dataset", "market_1", "--last", "20"]);
  assertEquals(shipped.parameters, { source: "dataset://market_1", last: 20 });
  assertEquals([shipped.out, shipped.isLive], [join("build", "notebooks-dataset-market_1"), false]);
  const folder = join(SHIPPED_FOLDER, "market_1");
  assertEquals((await parseRun(["--dataset", folder])).parameters, { source: folder });
  await assertRejects(
    () => parseRun(["--dataset", SHIPPED_FOLDER]),
    TaskError,
    "There is no dataset in",
  );
});

Deno.test("parseRun() reads recordings by name and by path, as long as they are", async () => {
  const shipped = await parseRun(["--recording", "simulated_1"]);
  assertEquals(shipped.parameters, { source: "simulated_1" });
  assertEquals([shipped.isLive, shipped.out], [false, join("build", "notebooks-simulated_1")]);
  const file = new URL("../../../data/recorded/market_1.ndjson.gz", import.meta.url).pathname;
  const own = await parseRun(["--recording", file]);
  assertEquals(own.parameters, { source: file });
  assertEquals(own.out, join("build", "notebooks-market_1"));
});

Deno.test("parseRun() takes other parameters as JSON or text", async () => {
  const run = await parseRun(["--set", "uid=0x12", "--set", "accounts=3", "--set", "text=a=b"]);
  assertEquals(run.parameters, { uid: "0x12", accounts: 3, text: "a=b" });
});

Deno.test("parseRun() asks the node of the environment, without its URL", async () => {
  const variables = { ORDERLENS_RPC_URL: "https://node.example/a1b2c3d4e5f6a7b8" };
  const live = await parseRun(["--network", "xdai"], variables);
  assertEquals(JSON.stringify(live).includes("a1b2c3"), false);
  assertEquals(live.parameters?.node, new Code('Deno.env.get("ORDERLENS_RPC_URL")'));
  assertEquals((await parseRun(["01"], variables)).parameters, null);
  assertEquals((await parseRun(["--recording", "edges"], variables)).parameters, {
    source: "edges",
  });
});

for (
  const [args, message] of [
    [["--upgrade"], "There is no option --upgrade: deno task notebooks --help lists the options"],
    [["--last"], "--last has no value: deno task notebooks --help lists the options"],
    [["--update=no"], "--update takes no value: deno task notebooks --help lists the options"],
    [["--last", "0"], "--last 0 is no whole number above 0: deno task notebooks --help lists"],
    [["--last", "-3"], "--last has no value"],
    [["--out", "--last", "3"], "--out has no value"],
    [["--network", "gnosis"], "There is no network gnosis: there are mainnet, xdai, "],
    [["--env", "staging"], "--env says nothing without --network"],
    [["--network", "xdai", "--env", "barn"], "There is no environment barn: there are production"],
    [["--network", "xdai", "--recording", "edges"], "--network and --recording name different"],
    [["--url", "127.0.0.1:8080", "--chain-id", "1"], "--url is no URL of http or https: pass one"],
    [["--url", "http://127.0.0.1:8080"], "--url does not say which chain it is: pass --chain-id"],
    [
      ["--url", "https://me:key@host", "--chain-id", "1"],
      "--url has credentials or a query, which",
    ],
    [["--url", "http://a", "--chain-id", "x"], "--chain-id x is no whole number above 0"],
    [
      ["--url", "http://a", "--chain-id", "1", "--settlement", "0x12"],
      "--settlement is no address",
    ],
    [["--chain-id", "1"], "--chain-id says nothing without --url"],
    [["--recording", "no_such"], "There is no recording no_such: pass a file, a folder, or one of"],
    [["--set", "source=xdai"], "--set does not take source: use --network, --url, --recording or"],
    [["--set", "uid"], "--set uid gives no parameter a value: pass --set name=value"],
    [
      ["--rpc-url", "https://node/key"],
      "--rpc-url would show the URL, and any key in it, to other",
    ],
    [["--update", "--last", "3"], "--update writes the committed notebooks, which keep their own"],
    [["--update", "--out", "x"], "--update writes the committed notebooks, which keep their own"],
  ] as const
) {
  Deno.test(`parseRun() rejects ${args.join(" ")}`, async () => {
    await assertRejects(() => parseRun(args), TaskError, message);
  });
}
