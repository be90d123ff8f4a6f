import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  auditRange,
  auditSettlement,
  type AuditSettlementOptions,
  connect,
  MismatchError,
} from "orderlens";
import type { NodeSource } from "orderlens/evm";
import { isNotComputable, type SettlementAudit } from "orderlens/metrics";
import { openSandbox } from "orderlens/sandbox";
import { lyingNode } from "../evm/lying_node.ts";

interface Log {
  address: string;
  topics: string[];
  data: string;
  [name: string]: unknown;
}

interface Answers {
  transaction: Record<string, unknown> & { input: string };
  receipt: Record<string, unknown> & { logs: Log[] };
}

type Lie = (answers: Answers) => void;

const sandbox = await openSandbox({ seed: 7, auctions: 12 });
const book = connect(sandbox);
const found = await Array.fromAsync(book.competitions({ last: 12 }));
const competitions = found.flatMap(({ competition }) => competition ?? []);
const competition = competitions.find(({ transactionHashes }) => transactionHashes.length > 0)!;
const [TX] = competition.transactionHashes as [string];
const CONTRACT = sandbox.deployment.settlementContract;
const OTHER = `0x${"0f".repeat(32)}`;
const WRAPPER = `0x${"3a".repeat(20)}`;

/** A node that alters its answers before it sends them. */
function lying(lie: Lie): NodeSource & { deployment: unknown } {
  const { rpc } = lyingNode(sandbox.rpc, (calls, honest) => {
    const answers = structuredClone(honest);
    const result = (method: string) =>
      Object(answers[calls.findIndex((call) => call.method === method)]).result;
    lie({
      transaction: result("eth_getTransactionByHash"),
      receipt: result("eth_getTransactionReceipt"),
    });
    return answers;
  });
  return { deployment: sandbox.deployment, rpc };
}

function audit(lie: Lie, options: AuditSettlementOptions = { competition }) {
  return auditSettlement(lying(lie), TX, options);
}

const tradeLog = ({ receipt }: Answers) =>
  receipt.logs.find((log) => log.address === CONTRACT && log.topics[0]!.startsWith("0xa07a543a"))!;
const transferLog = ({ receipt }: Answers) =>
  receipt.logs.find((log) => log.topics[0]!.startsWith("0xddf252ad"))!;

function drop({ receipt }: Answers, log: Log): void {
  receipt.logs.splice(receipt.logs.indexOf(log), 1);
}

/** One more, in the last digit of a word of a log's data. */
function raise(log: Log, word: number): void {
  const start = 2 + 64 * word;
  const value = BigInt(`0x${log.data.slice(start, start + 64)}`) + 1n;
  log.data = log.data.slice(0, start) + value.toString(16).padStart(64, "0") +
    log.data.slice(start + 64);
}

const CONTRADICTIONS: [name: string, field: string, lie: Lie][] = [
  ["another transaction", "hash", ({ transaction }) => transaction.hash = OTHER],
  ["another receipt", "transactionHash", ({ receipt }) => receipt.transactionHash = OTHER],
  ["another sender", "from", ({ receipt }) => receipt.from = CONTRACT],
  ["another contract", "to", ({ receipt }) => receipt.to = OTHER.slice(0, 42)],
  ["another block", "blockNumber", ({ receipt }) => receipt.blockNumber = "0x1"],
  ["a block of a fork", "blockHash", ({ receipt }) => receipt.blockHash = OTHER],
  ...([
    ["a log of another transaction", "transactionHash", OTHER],
    ["a log of another block", "blockNumber", "0x1"],
    ["a log of a fork", "blockHash", OTHER],
  ] as const).map(([name, field, value]): typeof CONTRADICTIONS[number] => [
    name,
    `${field} of a log`,
    ({ receipt }) => receipt.logs[0]![field] = value,
  ]),
  ["a removed log", "logs", ({ receipt }) => receipt.logs[0]!.removed = true],
  ["no trade", "logs", (answers) => drop(answers, tradeLog(answers))],
  ["no end", "logs", ({ receipt }) => receipt.logs.pop()],
  ["no logs", "logs", ({ receipt }) => receipt.logs = []],
  ["a trade twice", "logs", (answers) => answers.receipt.logs.push(tradeLog(answers))],
  ["logs of a failure", "logs", ({ receipt }) => receipt.status = "0x0"],
  ["more gas than the transaction allows", "gasUsed", ({ transaction }) => transaction.gas = "0x1"],
  ["a higher price of gas", "effectiveGasPrice", ({ transaction, receipt }) => {
    transaction.maxFeePerGas = "0x1";
    receipt.effectiveGasPrice = "0x2";
  }],
];

for (const [name, field, lie] of CONTRADICTIONS) {
  Deno.test(`a node that answers with ${name} is refused`, async () => {
    const error = await assertRejects(() => audit(lie), MismatchError);
    assertEquals(error.field, field);
  });
}

const DIFFERENCES: [name: string, what: string[], lie: Lie][] = [
  ["more bought", ["other_settled_amounts", "other_amounts"], (answers) => {
    raise(tradeLog(answers), 3);
  }],
  ["an order's digest", ["other_order", "trade_not_reported", "trade_not_settled"], (answers) => {
    const log = tradeLog(answers);
    const [, head, digest, rest] = /^(0x.{448})(.{2})(.*)$/.exec(log.data)!;
    log.data = head + (digest === "00" ? "01" : "00") + rest;
  }],
  ["a fee", ["other_settled_amounts"], (answers) => raise(tradeLog(answers), 4)],
  ["a failure", ["reverted"], ({ receipt }) => {
    receipt.status = "0x0";
    receipt.logs = [];
  }],
];

/** Sends a transaction to another contract, which may call the settlement contract. */
function sendTo(answers: Answers, contract: string, input: string): void {
  answers.transaction.to = contract;
  answers.receipt.to = contract;
  answers.transaction.input = input;
  delete answers.transaction.r;
}

const endLog = ({ receipt }: Answers) => receipt.logs.at(-1)!;
const word = (value: number) => value.toString(16).padStart(64, "0");

/** A call with the calldata of `settle` as its only argument. */
function wrapped(input: string): string {
  const bytes = input.slice(2);
  const padding = "0".repeat((64 - bytes.length % 64) % 64);
  return `0x5afe5afe${word(32)}${word(bytes.length / 2)}${bytes}${padding}`;
}

Deno.test("settlements of an honest node agree with their reports, and their flows with their trades", async () => {
  let count = 0;
  for await (const { audit } of auditRange(sandbox, competitions)) {
    assert(audit !== null);
    assertEquals(audit.differences.filter(({ what }) => what !== "late"), []);
    assertEquals(imbalancesOf(audit).unknown, []);
    count += audit.trades.length;
  }
  assert(count > 10);
});

Deno.test("auditSettlement rejects a contract that only emits the events of a settlement", async () => {
  const { differences } = await audit((answers) => {
    const { transaction, receipt } = answers;
    for (const log of receipt.logs) if (log.address === CONTRACT) log.address = WRAPPER;
    sendTo(answers, WRAPPER, transaction.input);
  });
  const found = differences.find(({ what }) => what === "other_contract");
  assertEquals([found?.onChain, found?.reported], [WRAPPER, CONTRACT]);
});

Deno.test("a settlement through another contract is compared by its calldata or its events", async () => {
  const whole = await audit(() => {});
  const through = await audit((answers) => {
    endLog(answers).topics[1] = `0x${"0".repeat(24)}${WRAPPER.slice(2)}`;
    sendTo(answers, WRAPPER, wrapped(answers.transaction.input));
  });
  assertEquals(through.differences, []);
  assertEquals(through.trades, whole.trades);
  assertEquals(through.auctionId, whole.auctionId);
  assert(through.unverified.some((one) => one.includes(`${WRAPPER} was called`)));
  const twice = (answers: Answers, amount: 0 | 1) => {
    const { logs } = answers.receipt;
    const index = Number(endLog(answers).logIndex) + 1;
    logs.push({ ...endLog(answers), logIndex: `0x${index.toString(16)}` });
    if (amount === 1) raise(tradeLog(answers), 3);
    sendTo(answers, WRAPPER, "0xdeadbeef");
  };
  const events = await audit((answers) => twice(answers, 0));
  assertEquals([events.differences, events.trades], [[], []]);
  assert(events.unverified.some((one) => one.includes("only its events are compared")));
  const forged = await audit((answers) => twice(answers, 1));
  assertEquals(forged.differences.map(({ what }) => what), ["other_amounts"]);
});

Deno.test("auditSettlement lists unproved facts", async () => {
  const { auctionDeadlineBlock: _, ...withoutDeadline } = competition;
  const found = await audit(() => {}, { competition: withoutDeadline });
  for (const part of ["whether the settlement is late", "Gas and its price"]) {
    assert(found.unverified.some((one) => one.includes(part)), found.unverified.join("\n"));
  }
  // The signers of orders are recovered.
  assertEquals(found.unverified.some((one) => one.includes("signers of orders")), false);
});

Deno.test("auditSettlement names a calldata suffix without an auction", async () => {
  for (
    const [bytes, part] of [
      ["", "0 bytes follow"],
      ["00".repeat(7), "7 bytes follow"],
      ["00".repeat(16), "16 bytes follow"],
      ["ff".repeat(8), "18446744073709551615"],
    ] as const
  ) {
    const found = await audit(({ transaction }) => {
      delete transaction.r;
      transaction.input = transaction.input.slice(0, -16) + bytes;
    });
    assert(found.unverified.some((one) => one.includes(part)), bytes);
    assertEquals(found.differences, []);
  }
});

for (const [name, what, lie] of DIFFERENCES) {
  Deno.test(`a node that makes up ${name} leaves a difference`, async () => {
    const { differences } = await audit(lie);
    assertEquals(differences.map((one) => one.what) as string[], what);
  });
}

Deno.test("imbalances are unknown where transfers are missing or made up", async () => {
  const honest = imbalancesOf(await audit(() => {}));
  const gap = await audit((answers) => drop(answers, transferLog(answers)));
  assert(isNotComputable(gap.imbalances));
  assertEquals(gap.imbalances.reason, "logs_incomplete");
  const bloom = `0x01${"00".repeat(255)}`;
  const filtered = await audit(({ receipt }) => receipt.logsBloom = bloom);
  assert(isNotComputable(filtered.imbalances));
  const altered = imbalancesOf(await audit((answers) => raise(transferLog(answers), 0)));
  const [unknown] = altered.unknown;
  assert(honest.tokens.some(({ token }) => token === unknown?.token));
  assertEquals(
    altered.tokens,
    honest.tokens.filter(({ token }) => token !== unknown?.token),
  );
});

function imbalancesOf({ imbalances }: SettlementAudit) {
  assert(!isNotComputable(imbalances));
  return imbalances;
}
