import vectors from "../../testdata/evm/composable_cow.json" with { type: "json" };
import { NetworkError } from "orderlens/errors";
import {
  decodeComposableCowEvents,
  decodeTwap,
  type NodeSource,
  type RpcNode,
  twapParts,
} from "orderlens/evm";
import { NETWORKS, TWAP_HANDLER } from "orderlens/networks";
import { inspectAccount, inspectOrder, orderPage, orderText } from "orderlens/reports";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { cannedBook, orderBody, OWNER, uidOf } from "../canned_book.ts";
import { fundsChain, timeOfBlock } from "../funds_chain.ts";

const UID = uidOf("01");
const NOW = timeOfBlock(950_000);

/** An order that is open and was left out of auctions, as only funds may tell. */
function openBook() {
  const order = orderBody({ creationDate: timeOfBlock(900_000).toString() });
  return cannedBook({
    [`/api/v1/orders/${UID}/status`]: { type: "open" },
    [`/api/v1/orders/${UID}`]: order,
    [`/api/v1/account/${OWNER}/orders`]: [order],
    "/api/v2/trades": [],
  }).book;
}

const LACKING = fundsChain(() => ({ balance: 60n, allowance: 255n }));

/** The node with another answer to some methods, and how often it was asked. */
function node(answer: (method: string) => ReturnType<RpcNode> | undefined) {
  const asked: string[] = [];
  const rpc: RpcNode = async (calls) => {
    const answers = [];
    for (const call of calls) {
      asked.push(call.method);
      const [other] = await answer(call.method) ?? await LACKING.rpc([call]);
      answers.push(other!);
    }
    return answers;
  };
  return { rpc, asked };
}

const inspected = (source: NodeSource) => inspectOrder(openBook(), UID, { node: source, now: NOW });

const unreached = () =>
  Promise.reject(
    new NetworkError("Cannot get it: no connection", {
      request: "POST",
      attempts: 3,
      mayHaveBeenReceived: false,
      remedy: "Start the node",
    }),
  );

Deno.test("inspectOrder() does without a node that cannot be reached, and asks it once", async () => {
  const source = node(unreached);
  const report = await inspected(source);
  const { unknown: without, ...blind } = await inspectOrder(openBook(), UID, {
    now: NOW,
  });
  const { unknown, ...rest } = report;
  assertEquals(rest, blind);
  const why = "Cannot get it: no connection";
  const named = { what: "node", why, remedy: "Try again later, or use another node" };
  assertEquals(unknown[0], named);
  assertEquals(unknown.slice(1).map(({ what }) => what), without.map(({ what }) => what));
  assertEquals(source.asked, ["eth_chainId"]);
  for (const page of [orderText(report), await orderPage(report, { charts: false })]) {
    assertStringIncludes(page, "no connection");
  }
});

Deno.test("inspectOrder() shows what a node told before it failed", async () => {
  let calls = 0;
  const source = node((method) => method === "eth_call" && ++calls > 4 ? unreached() : undefined);
  const report = await inspected(source);
  assertEquals([report.verdict, report.funds?.missingBalanceAtoms], ["open_invalid", 40n]);
  assertEquals(report.state, null);
  assertEquals(report.unknown[0]?.what, "node");
});

Deno.test("inspectOrder() takes nothing from a node of another chain", async () => {
  const other = fundsChain(() => ({ balance: 60n, allowance: 255n }), { chainId: 100 });
  const { verdict, funds, unknown } = await inspected(other);
  assertEquals([verdict, funds], ["open_unknown", null]);
  assertEquals(unknown[0], {
    what: "node",
    why: "Cannot get facts of the order with a node of another chain",
    remedy: "Pass a node of chain 1",
  });
});

Deno.test("inspectOrder() believes a node that does not tell its chain", async () => {
  const silent = node((method) =>
    method === "eth_chainId"
      ? Promise.resolve([{ error: { code: -32601, message: "unknown method" } }])
      : undefined
  );
  assertEquals((await inspected(silent)).funds?.missingBalanceAtoms, 40n);
});

Deno.test("inspectOrder() names what an answer that cannot be used leaves open", async () => {
  const source = node((method) =>
    method === "eth_call" ? Promise.resolve([{ result: 7 }]) : undefined
  );
  const { verdict, funds, unknown } = await inspected(source);
  assertEquals([verdict, funds], ["open_unknown", null]);
  assertEquals(unknown.some(({ what }) => what === "funds"), true);
});

Deno.test("inspectOrder() ends with its signal, not with a report that lacks the node", async () => {
  const controller = new AbortController();
  const source = node(() => {
    controller.abort(new Error("enough"));
    return undefined;
  });
  await assertRejects(
    () => inspectOrder(openBook(), UID, { node: source, signal: controller.signal }),
    Error,
    "enough",
  );
});

Deno.test("inspectAccount() judges its orders without a node that fails, which it asks once", async () => {
  const source = node(unreached);
  const { orders, unknown } = await inspectAccount(openBook(), OWNER, { node: source });
  assertEquals(orders.map(({ verdict }) => verdict), ["open_unknown"]);
  assertEquals(unknown[0]?.why, "Cannot get it: no connection");
  assertEquals(source.asked, ["eth_chainId"]);
});

Deno.test("inspectOrder() says of what the deployment does not have that the node did not answer", async () => {
  const { verdict, unknown } = await inspectOrder(cannedBook({}).book, UID, {
    node: node(unreached),
  });
  assertEquals([verdict, unknown.map(({ what }) => what)], [
    "unknown_here",
    ["order", "programmatic_orders"],
  ]);
  assertEquals(unknown[1]!.why, "Cannot get it: no connection");
});

/** A whole number as 32 bytes, without a prefix. */
const word = (value: number) => value.toString(16).padStart(64, "0");

Deno.test("inspectOrder() finds a part of a TWAP that nobody posted, of any number of parts", async () => {
  const [, recorded] = vectors.logs;
  // Half an hour and ten minutes long each; 600 parts in place of three.
  const log = {
    ...recorded!,
    address: NETWORKS.mainnet.contracts.composableCow,
    blockNumber: "0x10",
    data: recorded!.data.replace(vectors.twapHandler.slice(2), TWAP_HANDLER.slice(2))
      .replace(word(3) + word(1_800), word(600) + word(1_800)),
  };
  const [event] = decodeComposableCowEvents([log]);
  const { owner, params } = event as { owner: string; params: { staticInput: string } };
  // The lookup of many orders fails: that the deployment does not have the part is known without it.
  const { book } = cannedBook({});
  const [, second] = twapParts(book.domain, { owner, terms: decodeTwap(params.staticInput) });
  const over = node((method) => {
    const timestamp = `0x${(1_760_040_000 + 2_000_000).toString(16)}`;
    const header = { number: "0x10", timestamp, hash: `0x${"ab".repeat(32)}` };
    if (method === "eth_getBlockByNumber") return Promise.resolve([{ result: header }]);
    if (method === "eth_getLogs") return Promise.resolve([{ result: [log] }]);
    const refusal = { code: -32601, message: "not found" };
    return method === "eth_call" ? Promise.resolve([{ error: refusal }]) : undefined;
  });
  const { verdict, sentence, next } = await inspectOrder(book, second!.uid, { node: over });
  assertEquals([verdict, sentence, next[0]?.action], [
    "part_not_posted",
    "Part 2 of 600 of a TWAP was never posted: it was valid from 2025-10-09T20:30:00Z to 2025-10-09T20:39:59Z.",
    "place_anew",
  ]);
});
