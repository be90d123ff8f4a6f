import { connect, InputError } from "orderlens";
import type { NodeSource, RpcNode } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { inspectTransaction, transactionPage, transactionText } from "orderlens/reports";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { explorer } from "../../../lib/explorer/mod.ts";
import { addReportCharts } from "../../../lib/reports/page/notebook_report.ts";
import { toPageContent } from "../../../lib/reports/page/report_content.ts";

/** A settlement with an EthFlow order that has hooks, of block 41. */
const RECORDING = await replay("ethflow__eth_flow_tx");
const [TX] = RECORDING.recorded.txHashes;

async function inspect(node?: NodeSource) {
  return await inspectTransaction(connect(RECORDING), TX!, node === undefined ? {} : { node });
}

/** A node whose results are changed. */
function alter(change: (result: Record<string, unknown>) => object): NodeSource {
  const rpc: RpcNode = async (calls) =>
    (await RECORDING.rpc(calls)).map((answer, index) =>
      "result" in answer && /^eth_getTransaction/.test(calls[index]!.method)
        ? { result: change(Object(answer.result)) }
        : answer
    );
  return { rpc };
}

Deno.test("inspectTransaction() reads gas and calls of a settlement from a node", async () => {
  const { onchain, solver, settlementCount } = await inspect(RECORDING);
  assertEquals([onchain?.succeeded, onchain?.sender, onchain?.through], [true, solver, null]);
  assertEquals([onchain?.gasUsed, onchain?.gasPrice], [356_955n, 1_050_000_002n]);
  assertEquals([onchain?.gasCost, settlementCount], [374_802_750_713_910n, 1]);
  const calls = onchain!.calls.map(({ phase, selector }) => [phase, selector]);
  assertEquals(calls, [
    ["pre", "0x4c84c1c8"],
    ["pre", "0x760f2a0b"],
    ["intra", "0x095ea7b3"],
    ["intra", "0x8803dbee"],
    ["post", "0x760f2a0b"],
  ]);
  assertEquals([onchain?.differences, onchain?.flows, onchain?.imbalances], [[], null, null]);
  // The hooks are those of the order's app data, in the calls of the trampoline.
  const order = await connect(RECORDING).order(RECORDING.recorded.orderUids[0]!);
  const { pre: [pre], post: [post] } = JSON.parse(order.fullAppData!).metadata.hooks;
  const hooks = onchain!.calls.flatMap(({ hooks }) => hooks);
  assertEquals(
    hooks.map(({ target, gasLimit }) => [target, gasLimit]),
    [pre, post].map((hook) => [hook.target.toLowerCase(), BigInt(hook.gasLimit)]),
  );
});

Deno.test("transactionText has the gas, the calls by name, and what was not verified", async () => {
  const report = await inspect(RECORDING);
  const text = transactionText(report, { width: 160 });
  assertStringIncludes(transactionText(report, { width: 60 }), report.txHash);
  assertMatch(text, /Result +succeeded\n/);
  assertMatch(text, /Gas used +356,955\n/);
  assertMatch(text, /Paid for gas +0\.000374803 ETH, which is gas used at this price\n/);
  assertMatch(text, /before the trades +0xb7f8bc63…f84f5e +wrapAll +– +–\n/);
  assertMatch(text, /between +0xdc64a140…0cf6c9 +swapTokensForExactTokens +– +–\n/);
  assertMatch(text, /after the trades, as a hook +0x\w+…\w+ +\w+ +[\d,]+ +–\n/);
  assertStringIncludes(
    text,
    "Nothing of what was compared differs from what the service reported.",
  );
  assertStringIncludes(text, "The source does not have all logs: imbalances are unknown");
});

Deno.test("inspectTransaction() says what would show gas and calls without a node", async () => {
  const { onchain, unknown } = await inspect();
  assertEquals(onchain, null);
  const fact = unknown.find(({ what }) => what === "chain");
  assertEquals(fact?.remedy, "Pass the URL of a node");
});

Deno.test("inspectTransaction() warns of a settlement that failed, and of another sender", async () => {
  const reverted = await inspect(
    alter((result) => "logs" in result ? { ...result, status: "0x0", logs: [] } : result),
  );
  assertEquals(reverted.onchain?.succeeded, false);
  assertEquals(reverted.onchain?.differences[0]?.what, "reverted");
  assertMatch(transactionPage(reverted), /<header class="tone-bad">/);
  const sender = `0x${"51".repeat(20)}`;
  const other = alter((result) => ({
    ...result,
    from: sender,
    ..."logs" in result && { logs: replaceSolver(result.logs, sender) },
  }));
  const text = transactionText(await inspect(other), { width: 160 });
  assertMatch(text, new RegExp(`Sent by +${sender}\n`));
  assertMatch(text, /other solver +– +0x5151/);
});

/** Replaces the solver in the event at the end of a settlement. */
function replaceSolver(logs: unknown, solver: string): unknown {
  const word = `0x${"0".repeat(24)}${solver.slice(2)}`;
  return Object.values(Object(logs)).map((log) => {
    const { topics } = Object(log);
    return /^0x40338ce1/.test(topics[0]) ? { ...Object(log), topics: [topics[0], word] } : log;
  });
}

Deno.test("inspectTransaction() stays whole where a node contradicts itself", async () => {
  const report = await inspect(alter((result) => ({ ...result, blockHash: crypto.randomUUID() })));
  assertEquals([report.onchain, report.isFound, report.settlementCount], [null, true, 1]);
  assert(report.unknown.some(({ what }) => what === "chain"));
});

Deno.test("inspectTransaction() lists transfers, whose sums are what the contract kept", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  const book = connect(sandbox);
  const found = await Array.fromAsync(book.competitions({ last: 20 }));
  const hashes = found.flatMap(({ competition }) => competition?.transactionHashes ?? []);
  const report = await inspectTransaction(book, hashes.at(-1)!, { node: sandbox });
  const { flows, imbalances } = report.onchain!;
  assert(flows!.length > 3 && imbalances!.length > 1);
  for (const { token, netAtoms } of imbalances!) {
    let net = 0n;
    for (const flow of flows!.filter((flow) => flow.token === token)) {
      if (flow.toRole === "contract") net += flow.atoms;
      if (flow.fromRole === "contract") net -= flow.atoms;
    }
    assertEquals(net, netAtoms, token);
  }
  const { sellAmount } = report.settled[0]!.fills[0]!;
  assertEquals([flows![0]!.fromRole, flows![0]!.atoms], ["trader", sellAmount]);
  assertMatch(
    transactionText(report, { width: 160 }),
    /\nTransfers\n[\s\S]*trader → settlement contract/,
  );
});

Deno.test("inspectTransaction() asks no settlement of a node for a transaction that is none", async () => {
  const asked: string[] = [];
  const rpc: RpcNode = (calls) => {
    asked.push(...calls.map(({ method }) => method));
    return Promise.reject(new InputError("no", { remedy: "none" }));
  };
  await inspectTransaction(connect(RECORDING), `0x${"99".repeat(32)}`, { node: { rpc } });
  assertEquals(asked.includes("eth_getTransactionByHash"), false);
});

Deno.test("explorer() draws the transfers of a settlement for wide and narrow pages", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  const own = explorer(sandbox);
  const read = async (path: string) =>
    await (await own.fetch(new Request(`http://localhost${path}`))).text();
  const { rows } = JSON.parse(await read("/trades.json"));
  const page = await read(`/transactions/${rows[0].tx_hash}`);
  const section = page.slice(
    page.indexOf('<section id="transfers"'),
    page.indexOf('id="imbalances"'),
  );
  assertEquals(section.split("<figure").length, 3);
  assertMatch(section, /The contract kept [\d.]+ \w+/);
  const { onchain } = JSON.parse(await read(`/transactions/${rows[0].tx_hash}.json`));
  assertEquals(section.match(/<tr>/g)!.length - 1, onchain.flows.length);
  await own.close();
});

Deno.test("addReportCharts() leaves a page without transfers as it is", async () => {
  const report = await inspect(RECORDING);
  const content = toPageContent(report);
  assertEquals(await addReportCharts(content, report, {}), content);
});
