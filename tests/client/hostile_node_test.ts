import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  auditSettlement,
  type AuditSettlementOptions,
  connect,
  InputError,
  MismatchError,
  OrderlensError,
  ServiceError,
} from "orderlens";
import type { NodeSource, RpcAnswer, RpcCall } from "orderlens/evm";
import { isNotComputable, type SettlementAudit } from "orderlens/metrics";
import { openSandbox } from "orderlens/sandbox";

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
const competition = found.flatMap(({ competition }) => competition ?? [])
  .find(({ transactionHashes }) => transactionHashes.length > 0)!;
const [TX] = competition.transactionHashes as [string];
const CONTRACT = sandbox.deployment.settlementContract;
const OTHER = `0x${"0f".repeat(32)}`;

/** A node that alters its answers before it sends them. */
function lying(lie: Lie): NodeSource & { deployment: unknown } {
  return {
    deployment: sandbox.deployment,
    rpc: async (calls: readonly RpcCall[]): Promise<RpcAnswer[]> => {
      const answers = structuredClone(await sandbox.rpc(calls));
      const result = (method: string) =>
        (answers[calls.findIndex((call) => call.method === method)] as { result: unknown }).result;
      lie({
        transaction: result("eth_getTransactionByHash") as Answers["transaction"],
        receipt: result("eth_getTransactionReceipt") as Answers["receipt"],
      });
      return answers;
    },
  };
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
  [
    "a log of another transaction",
    "transactionHash of a log",
    ({ receipt }) => receipt.logs[0]!.transactionHash = OTHER,
  ],
  [
    "a log of another block",
    "blockNumber of a log",
    ({ receipt }) => receipt.logs[0]!.blockNumber = "0x1",
  ],
  [
    "a log of a fork",
    "blockHash of a log",
    ({ receipt }) => receipt.logs[0]!.blockHash = OTHER,
  ],
  ["a removed log", "logs", ({ receipt }) => receipt.logs[0]!.removed = true],
  ["no trade", "logs", (answers) => drop(answers, tradeLog(answers))],
  ["no end", "logs", ({ receipt }) => receipt.logs.pop()],
  ["no logs", "logs", ({ receipt }) => receipt.logs = []],
  ["a trade twice", "logs", (answers) => answers.receipt.logs.push(tradeLog(answers))],
  ["logs of a failure", "logs", ({ receipt }) => receipt.status = "0x0"],
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
  ["a failure", ["reverted"], ({ receipt }) => {
    receipt.status = "0x0";
    receipt.logs = [];
  }],
];

for (const [name, what, lie] of DIFFERENCES) {
  Deno.test(`a node that makes up ${name} leaves a difference`, async () => {
    const { differences } = await audit(lie);
    assertEquals(differences.map((one) => one.what) as string[], what);
  });
}

Deno.test("imbalances are unknown where transfers are missing or made up", async () => {
  const honest = imbalancesOf(await audit(() => {}));
  assertEquals(honest.unknown, []);
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

Deno.test("a node without the transaction, without answers or with errors is a typed error", async () => {
  const answering = (answer: RpcAnswer) => ({
    rpc: (calls: readonly RpcCall[]) => Promise.resolve(calls.map(() => answer)),
  });
  await assertRejects(
    () => auditSettlement(answering({ result: null }), TX),
    InputError,
    "no such",
  );
  const pruned = { error: { code: 4444, message: "pruned history unavailable" } };
  await assertRejects(() => auditSettlement(answering(pruned), TX), ServiceError);
  await assertRejects(() => auditSettlement(answering({ result: {} }), TX), OrderlensError);
  await assertRejects(() => auditSettlement(answering({ result: "0x" }), TX), OrderlensError);
});
