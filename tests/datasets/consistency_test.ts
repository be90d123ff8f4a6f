import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { exportDataset, openDataset, rebuildDataset, verifyDataset } from "orderlens/datasets";
import type { RpcNode } from "orderlens/evm";
import { records } from "orderlens/tables";
import { assert, assertEquals } from "@std/assert";
import { formatGaps } from "../../lib/datasets/state/dataset_gaps.ts";
import { copyFolder } from "../copy_folder.ts";
import { alteredBook, changedBook, TestClock } from "./altered_book.ts";
import { newFolder, recorded } from "./exported.ts";
import { changeManifest, rewriteFile } from "./rewrite_table.ts";

const AUCTIONS = { auctions: { from: 2100, to: 2110 } };
const EMPTY = { status: 200, body: "[]" };

/** An order that auction 2107 settled, and its owner. */
const OWNER = "28436801e7093ba424a28a66512aa31760c192b6";
const ORDER = `0x14c1cf9c822fac6b338e0b7ce82dc81cd6fede5b9ff0fca16d432af2ff9c4620${OWNER}6b01b61e`;

/** A book behind which a replica lacks the fills of an order in its first responses. */
async function laggingBook(emptyResponses: number) {
  const recording = await recorded("market_1");
  let left = emptyResponses;
  return changedBook(recording, ({ path }, response) => {
    const isOfOrder = path.includes(`orderUid=${ORDER}`) || path.includes(`owner=0x${OWNER}`);
    if (!path.startsWith("/api/v2/trades?") || !isOfOrder || left-- <= 0) return response;
    return { ...response, ...EMPTY };
  }, new TestClock());
}

const WITHOUT_FILLS = await newFolder();
await exportDataset(await laggingBook(1_000), WITHOUT_FILLS, AUCTIONS);

/** An export in which the fills of the order stayed away. */
async function copyWithoutFills(): Promise<string> {
  const folder = await newFolder();
  await copyFolder(WITHOUT_FILLS, folder);
  return folder;
}

Deno.test("exportDataset() requests fills again that a lagging replica lacks", async () => {
  const options = { ...AUCTIONS, tables: ["orders", "trades"], debugReports: false };
  const whole = await exportDataset(await laggingBook(0), await newFolder(), options);
  const lagging = await exportDataset(await laggingBook(2), await newFolder(), options);
  assertEquals(lagging.manifest, whole.manifest);
});

Deno.test("exportDataset() fails an order whose fills stay missing, and fetches them in the next run", async () => {
  const folder = await copyWithoutFills();
  const { manifest } = await openDataset(folder);
  assert(!manifest.isComplete);
  assertEquals(manifest.failures.map(({ kind, key }) => [kind, key]), [["trades", ORDER]]);
  assertEquals(manifest.contradictions?.map(({ kind, count }) => [kind, count]), [
    ["executed_amounts", 2],
    ["solution_amounts", 1],
  ]);
  const { isWhole, problems } = await verifyDataset(folder);
  assert(!isWhole);
  assert(problems.some(({ problem }) => problem.includes(`order ${ORDER}: `)), `${problems}`);
  const { manifest: next } = await exportDataset(await laggingBook(0), folder, AUCTIONS);
  assert(next.isComplete);
  assertEquals([next.failures, next.contradictions], [[], undefined]);
  assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
});

Deno.test("verifyDataset() finds contradictions that a manifest does not list", async () => {
  const folder = await copyWithoutFills();
  const rebuilt = await rebuildDataset(folder);
  assertEquals(rebuilt.contradictions?.length, 2);
  const { contradictions: _, ...silent } = rebuilt;
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify(silent));
  const { problems } = await verifyDataset(folder, { recompute: true });
  const found = problems.filter(({ problem }) => problem.startsWith("contradiction ("));
  assertEquals(found.length, 3);
});

Deno.test("exportDataset() compares records of one file of auctions, without derived tables too", async () => {
  const found = [["executed_amounts", 2], ["solution_amounts", 1]];
  const folder = await newFolder();
  const tables = ["trades"];
  const { manifest } = await exportDataset(await laggingBook(1_000), folder, {
    ...AUCTIONS,
    tables,
  });
  assertEquals(manifest.failures.map(({ key }) => key), [ORDER]);
  assertEquals(manifest.contradictions?.map(({ kind, count }) => [kind, count]), found);
  // Those of several files are compared when the dataset is recomputed or rebuilt.
  const several = await newFolder();
  const auctions = { from: 1999, to: 2110 };
  const other = await exportDataset(await laggingBook(1_000), several, { auctions, tables });
  assertEquals(other.manifest.contradictions, undefined);
  assertEquals((await verifyDataset(several)).problems, []);
  const { problems } = await verifyDataset(several, { recompute: true });
  assertEquals(problems.map(({ problem }) => /contradiction \((\w+)\)/.exec(problem)?.[1]), [
    "executed_amounts",
    "executed_amounts",
    "solution_amounts",
  ]);
  const { contradictions } = await rebuildDataset(several);
  assertEquals(contradictions?.map(({ kind, count }) => [kind, count]), found);
});

/** A node whose blocks are as many seconds behind the clock of the service. */
async function slowNode(seconds: number) {
  const recording = await recorded("market_3");
  const rpc: RpcNode = async (calls) =>
    (await recording.rpc(calls)).map((answer, index) => {
      if (calls[index]?.method !== "eth_getBlockByNumber" || !("result" in answer)) return answer;
      const block = Object(answer.result);
      if (typeof block.timestamp !== "string") return answer;
      const timestamp = `0x${(Number(block.timestamp) - seconds).toString(16)}`;
      return { ...answer, result: { ...block, timestamp } };
    });
  return { recording, node: { rpc, deployment: recording.deployment } };
}

Deno.test("exportDataset() derives all tables where a chain clock is behind the service", async () => {
  for (const [seconds, tables] of [[60, ["auctions", "trades", "lifecycle"]], [300]] as const) {
    const { recording, node } = await slowNode(seconds);
    const folder = await newFolder();
    const book = changedBook(recording, undefined, new TestClock());
    const { manifest } = await exportDataset(book, folder, { last: 40, node, tables });
    const [found] = manifest.contradictions ?? [];
    assertEquals(found?.kind, "fill_time");
    const dataset = await openDataset(folder);
    const orders = records(await dataset.table("lifecycle").collect());
    const times = orders.flatMap((row) => Number(row.time_to_first_fill_seconds ?? []) || []);
    assert(times.length > 10 && times.every((time) => time > -1), `${times}`);
    assert(orders.length > times.length);
  }
});

Deno.test("verifyDataset() finds an order without a response whose failure was erased", async () => {
  const recording = await recorded("market_1");
  const book = changedBook(
    recording,
    ({ path, body }, response) =>
      path === "/api/v1/orders/by_uids" && body?.includes(ORDER)
        ? { ...response, body: JSON.stringify(JSON.parse(response.body).filter(isOther)) }
        : response,
    new TestClock(),
  );
  const folder = await newFolder();
  await exportDataset(book, folder, AUCTIONS);
  // The response that says so is erased too.
  const raw = "raw/0000002000-0000002999.ndjson.zst";
  await rewriteFile(folder, raw, (file) => {
    const lines = new TextDecoder().decode(zstdDecompressSync(Deno.readFileSync(file))).split("\n");
    const kept = lines.filter((line) => !(line.includes("by_uids") && line.includes(ORDER)));
    assertEquals(kept.length, lines.length - 1);
    Deno.writeFileSync(file, zstdCompressSync(kept.join("\n")));
    return { rows: kept.length - 1 };
  });
  const { contradictions } = await rebuildDataset(folder);
  assertEquals(contradictions?.map(({ kind, count }) => [kind, count]), [["missing_record", 1]]);
});

function isOther({ order }: { readonly order?: { readonly uid: string } }): boolean {
  return order?.uid !== ORDER;
}

Deno.test("verifyDataset() finds a network over another contract or chain", async () => {
  const folder = await newFolder();
  await exportDataset(await laggingBook(0), folder, { ...AUCTIONS, tables: ["auctions"] });
  await changeManifest(folder, ({ source }) => source.network = "xdai");
  const { problems } = await verifyDataset(folder);
  const found = problems.flatMap(({ problem }) => /^it names xdai/.test(problem) ? [problem] : []);
  assertEquals(found, [
    "it names xdai, whose chain id is 100, and chain id 1",
    "it names xdai and the contract 0xa513e6e4b8f2a923d98304ec87f64353c4d5c853, " +
    "which is not deployed there",
  ]);
});

Deno.test("verifyDataset() compares blocks, decimals and gas costs with a node", async () => {
  const node = await recorded("market_3");
  const folder = await newFolder();
  const book = changedBook(node, ({ path }, response) => {
    if (!path.startsWith("/api/v2/trades?")) return response;
    const trades = JSON.parse(response.body);
    for (const trade of trades) trade.gasCost = "1";
    return { ...response, body: JSON.stringify(trades) };
  }, new TestClock());
  await exportDataset(book, folder, { last: 20, node });
  const honest = await verifyDataset(folder, { chain: node });
  assert(honest.chain!.facts.blocks > 5);
  assertEquals(honest.chain!.facts.differing, []);
  assertEquals(honest.chain!.differences.map(({ kind }) => kind), ["gas_cost"]);
  const facts = JSON.parse(await Deno.readTextFile(`${folder}/deployment.json`));
  const [token] = facts.tokens;
  const shifted = { ...token, decimals: token.decimals + 1 };
  await Deno.writeTextFile(
    `${folder}/deployment.json`,
    JSON.stringify({ ...facts, tokens: [shifted, ...facts.tokens.slice(1)] }),
  );
  const { node: slow } = await slowNode(7);
  const { chain } = await verifyDataset(folder, { chain: slow });
  assertEquals(
    chain!.facts.differing.length,
    chain!.facts.blocks + (chain!.facts.tokens > 0 ? 1 : 0),
  );
});

/** A token of the recording; its native price is about 0.01. */
const TOKEN = "0x84ea74d481ee0a5332c457a4d796187f6ba67feb";

/** A book whose service prices a token this many times too high, in auctions and in reports. */
async function overpricedBook(times: bigint) {
  const raise = (prices: Record<string, string> = {}) => {
    if (prices[TOKEN] !== undefined) prices[TOKEN] = String(BigInt(prices[TOKEN]) * times);
  };
  return alteredBook(await recorded("market_1"), (_path, body) => {
    raise(body.auction?.prices);
    for (const { nativePrices } of body.auctions ?? []) raise(nativePrices);
  }, new TestClock());
}

Deno.test("exportDataset() and verifyDataset() name fills at absurd native prices, with the gap", async () => {
  const folder = await newFolder();
  const { manifest } = await exportDataset(await overpricedBook(10n ** 9n), folder, AUCTIONS);
  const fills = records(await (await openDataset(folder)).table("fills").collect());
  const isOverpriced = (row: Record<string, unknown>) =>
    [row.sell_token, row.buy_token].includes(TOKEN);
  const overpriced = fills.filter((row) => isOverpriced(row) && row.auction_id !== null);
  assert(overpriced.length > 2 && overpriced.length < fills.length);
  for (const row of fills) {
    if (row.price_sides === null) continue;
    assertEquals(row.price_sides, isOverpriced(row) ? "absurd" : "consistent");
  }
  assertEquals(manifest.contradictions?.map(({ kind, count }) => [kind, count]), [
    ["price_sides", fills.filter((row) => row.price_sides === "absurd").length],
  ]);
  const gap = formatGaps(manifest).find((line) => line.startsWith("Contradiction (price_sides): "));
  assert(gap !== undefined && gap.includes("at the native price of ") && gap.includes(TOKEN), gap);
  const { problems } = await verifyDataset(folder);
  assert(problems.some(({ problem }) => problem === `c${gap.slice(1)}`), `${problems}`);
});

Deno.test("exportDataset() counts suspect native prices, and names no gap", async () => {
  const folder = await newFolder();
  const { manifest } = await exportDataset(await overpricedBook(50n), folder, AUCTIONS);
  const fills = records(await (await openDataset(folder)).table("fills").collect());
  assert(fills.some((row) => row.price_sides === "suspect"));
  assert(!fills.some((row) => row.price_sides === "absurd"));
  assertEquals(manifest.contradictions, undefined);
});
