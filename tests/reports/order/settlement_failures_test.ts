import { connect } from "orderlens";
import type { RpcAnswer, RpcCall } from "orderlens/evm";
import { decodeSettlement } from "orderlens/evm";
import { inspectOrder, orderPage, type OrderReport, orderText } from "orderlens/reports";
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cannedBook, hex, orderBody, uidOf } from "../canned_book.ts";

const word = (digits: string) => digits.padStart(64, "0");
/** `Error("GPv2: order filled")`. */
const FILLED = `0x08c379a0${word("20")}${word("12")}${
  "475076323a206f726465722066696c6c6564".padEnd(64, "0")
}`;

/** A transaction as a node has it. */
interface RawTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly input: string;
}

async function call(sandbox: Sandbox, method: string, ...params: unknown[]): Promise<unknown> {
  const [answer] = await sandbox.rpc([{ method, params }]);
  return "result" in answer! ? answer.result : undefined;
}

const SANDBOX = await openSandbox({ seed: 7, auctions: 30 });
const BOOK = connect(SANDBOX);

/** The first failed settlement of the sandbox, read block by block, and an order that it was to settle. */
async function findFailed() {
  const { block: last } = SANDBOX.description;
  for (let block = last - 50; block <= last; block++) {
    const tag = `0x${block.toString(16)}`;
    const { transactions } = await call(SANDBOX, "eth_getBlockByNumber", tag, true) as {
      transactions: RawTransaction[];
    } ?? { transactions: [] };
    for (const transaction of transactions) {
      const receipt = await call(SANDBOX, "eth_getTransactionReceipt", transaction.hash) as {
        status: string;
        gasUsed: string;
        effectiveGasPrice: string;
      };
      if (receipt.status === "0x1") continue;
      const { auctionId } = decodeSettlement(transaction.input);
      const { solutions } = await BOOK.competition(auctionId!);
      const [solution] = solutions.filter(({ isWinner, solverAddress }) =>
        isWinner && solverAddress === transaction.from
      );
      for (const { id } of solution!.orders) {
        const report = await inspectOrder(BOOK, id);
        const attempted = report.auctions.find((auction) => auction.auctionId === auctionId);
        if (attempted?.outcome !== "won_not_settled") continue;
        return { block, transaction, receipt, auctionId: auctionId!, uid: id };
      }
    }
  }
  throw new Error("no settlement of the sandbox failed");
}

const FAILED = await findFailed();

/** The sandbox as a node whose `eth_call` of the failed calldata answers this. */
function answerReplay(answer: RpcAnswer, calls: RpcCall[] = []) {
  const rpc = async (batch: readonly RpcCall[]) => {
    const answers = await SANDBOX.rpc(batch);
    return answers.map((known, index) => {
      const { method, params } = batch[index]!;
      const isReplay = method === "eth_call" &&
        Object(params[0]).data === FAILED.transaction.input;
      if (isReplay) calls.push(batch[index]!);
      return isReplay ? answer : known;
    });
  };
  return { rpc };
}

function failureOf({ failures }: OrderReport) {
  return failures.find(({ txHash }) => txHash === FAILED.transaction.hash)!;
}

Deno.test("inspectOrder() finds a failed settlement on the chain, and replays it one block before", async () => {
  const calls: RpcCall[] = [];
  const answer = {
    error: { code: 3, message: "execution reverted: GPv2: order filled", data: FILLED },
  };
  const report = await inspectOrder(BOOK, FAILED.uid, { node: answerReplay(answer, calls) });
  const failure = failureOf(report);
  const { block, transaction, receipt, auctionId } = FAILED;
  const gasUsed = BigInt(receipt.gasUsed);
  assertEquals([failure.auctionId, failure.block, failure.sender, failure.gasUsed], [
    auctionId,
    block,
    transaction.from,
    gasUsed,
  ]);
  assertEquals(failure.costAtoms, gasUsed * BigInt(receipt.effectiveGasPrice));
  assertEquals([failure.reason, failure.revertData], ["GPv2: order filled", FILLED]);
  assertStringIncludes(failure.meaning!, "another settlement came first");
  assertStringIncludes(
    failure.text,
    `called again at block ${block - 1}, it reverts with "GPv2: order filled"`,
  );
  const [replayed] = calls;
  const { from, to } = replayed!.params[0] as RawTransaction;
  assertEquals([from, to, replayed!.params[1]], [
    transaction.from,
    transaction.to,
    `0x${(block - 1).toString(16)}`,
  ]);
  for (const page of [orderText(report), await orderPage(report, { charts: false })]) {
    assertStringIncludes(page, "Why did the settlement fail?");
    assertStringIncludes(page, "reverted: GPv2: order filled");
    assertStringIncludes(page, transaction.hash);
  }
});

/** The sandbox as a node that has other fields in the failed transaction. */
function changeFailed(fields: Partial<RawTransaction>) {
  const { hash } = FAILED.transaction;
  const change = (value: unknown) => {
    const { hash: valueHash, transactionHash } = Object(value);
    if (hash !== valueHash && hash !== transactionHash) return value;
    const { input: _, ...inReceipt } = fields;
    return { ...Object(value), ...hash === valueHash ? fields : inReceipt };
  };
  const rpc = async (batch: readonly RpcCall[]) => {
    const answers = await SANDBOX.rpc(batch);
    return answers.map((answer, index): RpcAnswer => {
      const { method } = batch[index]!;
      if (method === "eth_call") return { error: { code: 3, message: "execution reverted: STF" } };
      if (!("result" in answer)) return answer;
      const { transactions } = Object(answer.result);
      return {
        result: Array.isArray(transactions)
          ? { ...Object(answer.result), transactions: transactions.map(change) }
          : change(answer.result),
      };
    });
  };
  return { rpc };
}

Deno.test("inspectOrder() finds what failed through a contract of the solver, and says what of it is known", async () => {
  const { auctionId, transaction: { input } } = FAILED;
  const router = `0x${"c0".repeat(20)}`;
  const { appData } = await BOOK.order(FAILED.uid);
  const wrap = (calldata: string) => {
    const digits = calldata.slice(2);
    const padded = digits.padEnd(64 * Math.ceil(digits.length / 64), "0");
    return `0xdeadbeef${word("20")}${word((digits.length / 2).toString(16))}${padded}`;
  };
  const id = auctionId.toString(16).padStart(16, "0");
  const withoutId = input.slice(0, -16);
  const found = [
    [wrap(input), "order_and_auction"],
    [wrap(withoutId) + id, "order_and_auction"],
    [wrap(withoutId), "order"],
    [`0xdeadbeef${id}`, "auction"],
  ] as const;
  for (const [calldata, basis] of found) {
    const node = changeFailed({ to: router, input: calldata });
    const report = await inspectOrder(BOOK, FAILED.uid, { node });
    const failure = failureOf(report);
    assertEquals([failure.through, failure.basis, failure.reason], [router, basis, "STF"]);
    const isSure = basis !== "auction";
    for (const text of [failure.text, orderText(report).replaceAll(/\s+/g, " ")]) {
      assertEquals(text.includes("whether the order is in it is not known"), !isSure, text);
    }
  }
  const others = [
    { input: wrap(input.replaceAll(appData.slice(2), "99".repeat(32))) },
    { input: wrap(`${withoutId}${"0".repeat(15)}1`) },
    { input: `${wrap(withoutId)}${"0".repeat(15)}1` },
    { input: wrap(input), from: `0x${"99".repeat(20)}` },
    { input: "0xdeadbeef" },
  ];
  for (const fields of others) {
    const node = changeFailed({ to: router, ...fields });
    const report = await inspectOrder(BOOK, FAILED.uid, { node });
    assertEquals(failureOf(report), undefined);
    const missing = report.failures.find(({ txHash }) => txHash === null)!;
    assertStringIncludes(missing.text, "nor of its solver with the order or the auction's id");
  }
});

Deno.test("inspectOrder() says that a replay does not revert, and which node does not execute it", async () => {
  const fine = await inspectOrder(BOOK, FAILED.uid, { node: answerReplay({ result: "0x" }) });
  assertEquals(failureOf(fine).reason, null);
  assertStringIncludes(
    failureOf(fine).text,
    "it does not revert: an earlier transaction of its block, or the time",
  );
  // A sandbox keeps the latest state alone.
  const pruned = await inspectOrder(BOOK, FAILED.uid, { node: SANDBOX });
  const failure = failureOf(pruned);
  assertEquals([failure.reason, failure.sender], [null, FAILED.transaction.from]);
  assertStringIncludes(failure.text, "why is not known");
  const missing = pruned.unknown.find(({ what }) => what === "revert_reason")!;
  assertStringIncludes(missing.why, `at block ${FAILED.block - 1}`);
  assertStringIncludes(missing.remedy, "archive node");
  const text = answerReplay({ error: { code: -32015, message: "execution reverted: STF" } });
  const uniswap = failureOf(await inspectOrder(BOOK, FAILED.uid, { node: text }));
  assertEquals([uniswap.reason, uniswap.revertData], ["STF", null]);
  assertStringIncludes(uniswap.meaning!, "could not be taken");
});

Deno.test("inspectOrder() believes no node that contradicts itself about a failed settlement", async () => {
  const lie = (change: (answer: RpcAnswer, call: RpcCall) => RpcAnswer) => ({
    rpc: async (batch: readonly RpcCall[]) =>
      (await SANDBOX.rpc(batch)).map((answer, index) => change(answer, batch[index]!)),
  });
  const fake = (answer: RpcAnswer, fields: object): RpcAnswer =>
    "result" in answer ? { result: { ...Object(answer.result), ...fields } } : answer;
  const nodes = [
    // The receipt of another sender, and a parent that is not the block before.
    lie((answer, { method }) =>
      method === "eth_getTransactionReceipt"
        ? fake(answer, { from: `0x${"99".repeat(20)}` })
        : answer
    ),
    lie((answer, { method, params }) =>
      method === "eth_getBlockByNumber" && params[1] === true
        ? fake(answer, { parentHash: `0x${"99".repeat(32)}` })
        : answer
    ),
  ];
  for (const node of nodes) {
    const report = await inspectOrder(BOOK, FAILED.uid, { node });
    assertEquals(report.failures.filter(({ txHash }) => txHash !== null), []);
    const why = report.unknown.filter(({ what }) => what === "failed_settlement");
    assert(why.length > 0, JSON.stringify(report.unknown));
    assert(report.money !== null && report.timeline.length > 0);
  }
});

Deno.test("inspectOrder() reads the data of a revert as nodes have it, and shows no key of their URL", async () => {
  for (const data of [FILLED, `Reverted ${FILLED}`, { data: FILLED, result: "0x" }]) {
    const { rpc } = answerReplay({ error: { code: -32015, message: "VM execution error." } });
    const serve = async (request: Request) => {
      const body = await request.json();
      const batch = [body].flat() as (RpcCall & { id: number })[];
      const answers = (await rpc(batch)).map((answer, index) => ({
        jsonrpc: "2.0",
        id: batch[index]!.id,
        ..."error" in answer ? { error: { ...answer.error, data } } : answer,
      }));
      return Response.json(Array.isArray(body) ? answers : answers[0]);
    };
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, serve);
    const node = `http://127.0.0.1:${server.addr.port}/v2/abcdEFGH1234567890ijklmn`;
    const report = await inspectOrder(BOOK, FAILED.uid, { node });
    await server.shutdown();
    assertEquals(failureOf(report).reason, "GPv2: order filled");
    assertEquals(JSON.stringify(report, toText).includes("abcdEFGH"), false);
  }
});

function toText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

Deno.test("inspectOrder() shows a partner the simulation of a failed settlement with its page", async () => {
  const uid = uidOf("01");
  const order = orderBody({ status: "expired" });
  const solver = hex("50", 20);
  const time = "2026-08-21T03:42:00Z";
  const proposed = { solutionUid: 0, ranking: 1, solver, isWinner: true, filteredOut: false };
  const attempt = { solver, solutionUid: 0, startTimestamp: time, startBlock: 101, endBlock: 103 };
  const auction = {
    ...{ id: 7, block: 100, deadline: 104, nativePrices: {}, executions: [], feePolicies: [] },
    proposedSolutions: [{ ...proposed, score: "1", executedSell: "100", executedBuy: "210" }],
    settlementAttempts: [{
      ...attempt,
      ...{ endTimestamp: time, deadlineBlock: 104, outcome: "driver failed: reverted" },
    }],
  };
  const events = ["created", "ready", "executing"].map((label) => ({ label, timestamp: time }));
  const url = "https://dashboard.tenderly.co/cow/simulator/1";
  const { book, asked } = cannedBook({
    [`/api/v1/orders/${uid}/status`]: { type: "executing" },
    [`/api/v1/orders/${uid}`]: order,
    "/api/v2/trades": [],
    "/restricted/api/v1/debug/order": {
      orderUid: uid,
      order,
      events,
      auctions: [auction],
      trades: [],
    },
    [`/restricted/api/v1/debug/simulation/${uid}`]: {
      tenderlyRequest: {},
      tenderlyUrl: url,
      error: "GPv2: failed transferFrom",
    },
  });
  const report = await inspectOrder(book, uid, { now: Temporal.Instant.from("2026-08-22T00:00Z") });
  assertEquals(report.cause, "won_not_settled");
  assertEquals(report.failureSimulation, {
    block: 101,
    error: "GPv2: failed transferFrom",
    tenderlyUrl: url,
  });
  assert(asked.some((path) => path.endsWith(`${uid}?block_number=101`)), String(asked));
  assertStringIncludes(orderText(report), url);
  const missing = report.unknown.find(({ what }) => what === "failed_settlement");
  assertStringIncludes(missing!.remedy, "Pass the URL of a node");
});

Deno.test("inspectOrder() reads the blocks of an attempt once, and again when the chain replaced them", async () => {
  const sent: RpcCall[] = [];
  let isReplaced = false;
  const answer = { error: { code: 3, message: "execution reverted", data: FILLED } };
  const { rpc } = answerReplay(answer);
  const node = {
    rpc: async (batch: readonly RpcCall[]) => {
      sent.push(...batch);
      const answers = await rpc(batch);
      return answers.map((each, index) => {
        const isBlock = batch[index]!.method === "eth_getBlockByNumber" && "result" in each;
        const block = isBlock ? Object(each.result) : {};
        if (!isBlock || !isReplaced || typeof block.hash !== "string") return each;
        const [hash, parentHash] = [block.hash, block.parentHash].map((text) =>
          `${text.slice(0, -1)}${(parseInt(text.at(-1), 16) ^ 1).toString(16)}`
        );
        return { result: { ...block, hash, parentHash } };
      });
    },
  };
  const inspect = async () => {
    sent.length = 0;
    const { failures } = await inspectOrder(BOOK, FAILED.uid, { node });
    const wholeBlocks = sent.filter(({ method, params }) =>
      method === "eth_getBlockByNumber" && params[1] === true
    );
    return { failures, wholeBlocks: wholeBlocks.length };
  };
  const first = await inspect();
  const second = await inspect();
  assert(first.wholeBlocks > 0 && first.failures.length > 0);
  assertEquals(second, { failures: first.failures, wholeBlocks: 0 });
  isReplaced = true;
  assertEquals(await inspect(), first);
});
