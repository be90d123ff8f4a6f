import { replay } from "orderlens/recordings";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { toExitCode } from "../../lib/cli/commands/run_command.ts";
import { toNodeError } from "../../lib/evm/node/json_rpc.ts";
import { AlteredNode } from "../datasets/altered_node.ts";
import { serveNode } from "../evm/node_server.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";

const RECORDING = await replay("market_1");
/** Three auctions with a settlement each, as the service stored them. */
const AUCTIONS = ["--recording", "market_1", "--auctions", "1998..2000"];
const RECORDS = "auctions,solutions,orders,trades";
const WITHOUT_NODE = ["--no-debug-reports", "--tables", RECORDS];
const WITH_NODE = [
  "--no-block-times",
  "--tables",
  `${RECORDS},settlements,imbalances,chain_differences`,
];
/** Two settlements, of which that in block 1425 is two after its deadline: so the service has it. */
const LATE = ["--recording", "market_1", "--auctions", "2077..2078"];
const KEY = "k3yOfTheNode0123456789abcdef";

/** An export with the settlements of an honest node. */
const folder = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));
const exported = await (async () => {
  await using node = serveNode(RECORDING.rpc);
  return await orderlens(
    ["export", folder, ...LATE, "--rpc-url", node.url, ...WITH_NODE, "--json"],
  );
})();

Deno.test("orderlens export --rpc-url keeps settlements, and verify --check-chain proves them, also a late one", async () => {
  let isLying = false;
  const lying = new AlteredNode(RECORDING, (_, { receipt }) => {
    if (isLying) receipt.gasUsed = "0x5208";
  });
  await using server = serveNode((calls) => lying.rpc(calls));
  const variables = { ORDERLENS_RPC_URL: `${server.url}/v3/${KEY}` };
  const verify = (...more: string[]) =>
    orderlens(["verify", folder, "--check-chain", ...more], { variables });
  assertEquals(exported.code, 0, exported.err);
  const { items, rows } = JSON.parse(exported.out);
  const count = items.receipt.present;
  assertEquals(count, 2);
  assertEquals([rows.settlements, rows.chain_differences, rows.blocks], [count, 1, undefined]);

  const proved = await verify();
  assertEquals(proved.code, 0, proved.err);
  assertMatch(
    proved.out,
    new RegExp(
      `^On the chain\\n  settlements  ${count} requested, ${count} stored\\n` +
        `  responses    ${count} equal to the stored ones, 0 not\\n` +
        `  compared     \\d+ trades, \\d+ rows of tables, \\d+ block headers, decimals of \\d+ tokens\\n` +
        `  late: 1 difference\\n    0x64de[0-9a-f]{60}\\n      chain 1425, reported 1423\\n` +
        `\\d+ files, \\d+ rows: whole\\n$`,
    ),
  );
  const sampled = await verify("--sample", "2", "--json");
  const { schema, chain } = JSON.parse(sampled.out);
  assertEquals([schema, chain.settlements, chain.kept], ["orderlens/verification@1", 2, 2]);

  isLying = true;
  const lied = await verify("--sample", "1");
  assertEquals(lied.code, 6);
  assertStringIncludes(lied.out, "has another response today: receipt.gasUsed was ");
  assertStringIncludes(lied.out, "  responses    0 equal to the stored ones, 1 not\n");
  for (const { out, err } of [proved, sampled, lied]) {
    assertEquals(`${out}${err}`.includes(KEY), false);
  }
});

inFolder.test("orderlens verify --check-chain exits with 6 and lists differences from the chain", async (folder) => {
  const altered = new AlteredNode(RECORDING, (_, { receipt }) => {
    receipt.effectiveGasPrice = null;
  });
  await using server = serveNode((calls) => altered.rpc(calls));
  await succeeds(["export", folder, ...AUCTIONS, ...WITHOUT_NODE]);
  const words = ["verify", folder, "--check-chain", "--rpc-url", server.url];
  const proved = await succeeds(words);
  for (const part of [", 0 stored\n", "\n  nothing differs from the chain\n"]) {
    assertStringIncludes(proved.out, part);
  }
  const { files } = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  const { path } = files.find((one: { path: string }) => one.path.startsWith("trades/00000020"));
  const other = path.replace("2000-0000002999", "1000-0000001999");
  await Deno.copyFile(`${folder}/${other}`, `${folder}/${path}`);
  const differs = await orderlens(words);
  assertEquals(differs.code, 6);
  assertMatch(differs.out, /\n {2}table_trade: \d+ differences?\n {4}0x[0-9a-f]{64}, order 0x/);
  assertMatch(
    differs.out,
    /\n {6}chain 0x[0-9a-f]+ sold \d+, bought \d+, block \d+, log \d+, reported no row\n/,
  );
});

Deno.test("orderlens verify --check-chain shows where a long response differs, and proves nothing without responses", async () => {
  let isPruned = false;
  await using server = serveNode(async (calls) =>
    (await RECORDING.rpc(calls)).map((answer, place) => {
      if (!/Receipt$/.test(calls[place]!.method)) return answer;
      if (isPruned) return { result: null };
      const receipt = JSON.parse(JSON.stringify(Object(answer).result));
      const trade = receipt.logs.find(({ data }: { data: string }) => data.length > 500);
      trade.data = trade.data.replace(
        /(?<=^.{257})./,
        (digit: string) => digit === "7" ? "8" : "7",
      );
      return { result: receipt };
    })
  );
  const verify = ["verify", folder, "--check-chain", "--sample", "1", "--rpc-url", server.url];
  const lied = await orderlens(verify);
  assertEquals(lied.code, 6);
  const [, before, after] = /\.data was (\S+) and is (\S+)/.exec(lied.out) ?? [];
  assertEquals([before?.[0], before === after], ["…", false], lied.out);
  isPruned = true;
  const pruned = await orderlens(verify);
  assertEquals(pruned.code, 6);
  assertStringIncludes(pruned.out, "The node does not have a receipt of it");
  assertEquals(pruned.out.includes("nothing differs"), false);
});

Deno.test("toExitCode() treats a node that limits calls like one that limits requests", () => {
  const codeOf = (code: number, message: string) =>
    toExitCode(toNodeError({ error: { code, message } }, "the chain id"));
  assertEquals(codeOf(-32005, "rate limit exceeded"), 75);
  assertEquals(codeOf(429, "capacity exceeded"), 75);
  // More logs than a node returns are no matter of time.
  assertEquals(codeOf(-32005, "limit exceeded"), 1);
  assertEquals(codeOf(-32000, "header not found"), 1);
});

inFolder.test("a node that denies access gets a remedy that the command line has", async (folder) => {
  await using server = serveNode(RECORDING.rpc, () => new Response("no", { status: 403 }));
  const words = ["export", `${folder}/denied`, ...AUCTIONS, "--rpc-url", server.url];
  await refused(words, 4, "\nFix: Check the key in the node's address\n");
});
