import { NetworkError } from "orderlens/errors";
import type { NodeSource, RpcNode } from "orderlens/evm";
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
