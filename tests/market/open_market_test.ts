import { connect } from "orderlens";
import { openDataset } from "orderlens/datasets";
import { openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { assertEquals, assertRejects } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";

const DATASET = new URL("../../data/datasets/market_1/", import.meta.url);
const RECORDING = new URL("../../data/recorded/market_3.ndjson.gz", import.meta.url);

Deno.test("openMarket takes names, folders, networks, URLs, and the input of connect", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 3 });
  const deployed = { chainId: 100, settlementContract: `0x${"ab".repeat(20)}` };
  const opened = [
    await openMarket("market_1"),
    await openMarket(DATASET),
    await openMarket(decodeURIComponent(DATASET.pathname)),
    await openMarket(RECORDING.href),
    await openMarket("xdai"),
    await openMarket("mainnet", { environment: "staging", last: 200 }),
    await openMarket("http://127.0.0.1:8080", deployed),
    await openMarket(sandbox),
    await openMarket(await replay("market_3")),
    await openMarket(connect(await openDataset("market_1")), { label: "one of mine" }),
  ];
  assertEquals(opened.map(({ source, nativeSymbol }) => `${source} (${nativeSymbol})`), [
    "market_1, simulated market on the real service (ETH)",
    "dataset://market_1 (ETH)",
    "dataset://market_1 (ETH)",
    "market_3, simulated market on the real service (ETH)",
    "Gnosis Chain (xDAI)",
    "Ethereum, staging (ETH)",
    "http://127.0.0.1:8080 (xDAI)",
    "an order book in this process (ETH)",
    "market_3, simulated market on the real service (ETH)",
    "one of mine (ETH)",
  ]);
  assertEquals(opened[6]!.book.settlementContract, deployed.settlementContract);
});

Deno.test("openMarket lists valid names if nothing has the name", async (t) => {
  const wrong: readonly (readonly [unknown, unknown?])[] = [
    ["market1"],
    ["no/such/folder"],
    ["http://127.0.0.1:8080"],
    ["market_1", { environment: "staging" }],
    ["market_1", { lats: 20 }],
    ["market_1", { cowPrice: 0.1 }],
    ["market_1", { cowPrice: "0" }],
    ["market_1", { chainId: 100 }],
    ["market_1", { decimals: { T0: 18 } }],
    [5],
    ["xdai", { last: 0 }],
    [null],
    [{ fetch }],
  ];
  const messages = await Promise.all(wrong.map(async ([source, options = {}]) => {
    const error = await assertRejects(() => openMarket(source as "xdai", options as never), Error);
    return error.message;
  }));
  await t.assertSnapshot(messages.join("\n\n"));
});

Deno.test("openMarket() rejects a folder that is neither a recording nor a dataset", async () => {
  await withFolder(async (folder) => {
    await assertRejects(() => openMarket(folder), Error, "contains no recording");
  });
});

Deno.test("Market compares no settlement without a node, and says so", async () => {
  const market = await openMarket("market_1", { last: 3, node: null });
  assertEquals((await market.settlements()).height, 0);
  const { missing } = await market.describe();
  assertEquals(missing.filter((one) => one.includes("as `node`")).length, 1);
  const txHash = `0x${"12".repeat(32)}`;
  await assertRejects(() => market.tokenFlows(txHash), Error, "without a node");
});

Deno.test("Market rejects a node of another chain, which would date other blocks", async () => {
  const node = await openSandbox({ seed: 7, auctions: 1 });
  const market = await openMarket("market_1", { last: 3, node });
  await assertRejects(() => market.fills(), Error, "node of another chain");
});
