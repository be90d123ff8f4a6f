import type { EventLog, RpcAnswer, RpcCall, RpcNode } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hexToBigInt, keccak256 } from "viem/utils";
import { nodeThat, signedTransaction } from "./node_server.ts";

/** Alters the answers of a node, call by call; `round` counts its requests from 0. */
export type Lie = (
  calls: readonly RpcCall[],
  answers: readonly RpcAnswer[],
  round: number,
) => readonly RpcAnswer[];

const OTHER_HASH = `0x${"0f".repeat(32)}`;
const HUGE = `0x${"f".repeat(60)}`;
const HASHES = ["hash", "transactionHash", "blockHash"];

function each(alter: (result: unknown, call: RpcCall) => unknown): Lie {
  return (calls, answers) =>
    answers.map((answer, place) =>
      "error" in answer ? answer : { result: alter(structuredClone(answer.result), calls[place]!) }
    );
}

function always(answer: RpcAnswer): Lie {
  return (calls) => calls.map(() => answer);
}

/** Replaces the fields of these names, in objects at any depth. */
function fields(names: readonly string[], alter: (value: unknown) => unknown): Lie {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map((
        [name, one],
      ) => [name, names.includes(name) ? alter(one) : walk(one)]),
    );
  };
  return each(walk);
}

/** Alters lists of logs: of receipts, and of queries. */
function logs(alter: (logs: Record<string, unknown>[]) => unknown): Lie {
  return each((result) => {
    if (Array.isArray(result)) return alter(result);
    const { logs } = Object(result);
    return Array.isArray(logs) ? { ...Object(result), logs: alter(logs) } : result;
  });
}

const next = (value: unknown) => `0x${(Number(value) + 1).toString(16)}`;

/** What nodes may answer in place of the truth. */
export const LIES: Readonly<Record<string, Lie>> = {
  "null for all": always({ result: null }),
  "text for all": always({ result: "0xzz" }),
  "a number for all": always({ result: 7 }),
  "an object for all": always({ result: {} }),
  "a list for all": always({ result: [null] }),
  "pruned history": always({ error: { code: 4444, message: "pruned history unavailable" } }),
  "an internal error": always({ error: { code: -32603, message: "internal error" } }),
  "an unknown method": always({ error: { code: -32601, message: "the method does not exist" } }),
  "a rate limit, for ever": always({ error: { code: 429, message: "Too Many Requests" } }),
  "a rate limit, at first": (calls, answers, round) =>
    round < 2
      ? calls.map(() => ({ error: { code: -32005, message: "rate limit exceeded" } }))
      : answers,
  "a rate limit, for some": (_, answers, round) =>
    answers.map((answer, place) =>
      round < 3 && place % 2 === 1
        ? { error: { code: -32007, message: "50/second request limit reached" } }
        : answer
    ),
  "huge numbers": fields(
    ["number", "blockNumber", "timestamp", "logIndex", "gasUsed", "status", "transactionIndex"],
    () => HUGE,
  ),
  "numbers that are no hex": fields(["number", "blockNumber", "timestamp", "logIndex"], Number),
  "another block": fields(["number", "blockNumber"], next),
  "another hash": fields(HASHES, () => OTHER_HASH),
  "another contract": fields(["to", "address"], () => OTHER_HASH.slice(0, 42)),
  "another sender": fields(["from"], () => OTHER_HASH.slice(0, 42)),
  "another calldata": fields(["input"], (value) => `${String(value).slice(0, -2)}ff`),
  "a failure": fields(["status"], () => "0x0"),
  "no logs": logs(() => []),
  "half of the logs": logs((all) => all.filter((_, place) => place % 2 === 0)),
  "logs twice": logs((all) => all.flatMap((log) => [log, log])),
  "logs in another order": logs((all) => all.toReversed()),
  "removed logs": logs((all) => all.map((log) => ({ ...log, removed: true }))),
  "other data of logs": logs((all) =>
    all.map((log) => ({ ...log, data: `${String(log.data).slice(0, -1)}7` }))
  ),
  "a reorganization between two answers": (calls, answers, round) =>
    fields(["blockHash"], () => `0x${(round % 2 === 0 ? "a" : "b").repeat(64)}`)(
      calls,
      answers,
      round,
    ),
  "answers to other calls": (calls, answers) =>
    answers.map((_, place) => {
      const alike = [...calls.keys()].filter((one) => calls[one]!.method === calls[place]!.method);
      return answers[alike[(alike.indexOf(place) + 1) % alike.length]!]!;
    }),
};

/** A node that alters its answers before it sends them. */
export function lyingNode(honest: RpcNode, lie: Lie): { rpc: RpcNode } {
  let round = 0;
  return {
    rpc: async (calls) => [...lie(calls, await honest(calls), round++)],
  };
}

const SETTLED = "0x90c8bbf45d67c683d59b366760d0244e24d9f018902a09eed1fabbac4b4b233a";

/**
 * A node with a recorded settlement as real nodes have it, and its hash: signed, so that the hash is
 * that of its bytes, and with the Bloom filter of its logs.
 */
export async function signedNode(): Promise<{ node: { rpc: RpcNode }; hash: string }> {
  const answers = await (await replay("market_3")).rpc(
    ["eth_getTransactionByHash", "eth_getTransactionReceipt"]
      .map((method) => ({ method, params: [SETTLED] })),
  );
  const [sent, receipt] = answers.map((answer) => Object(answer).result);
  const { hash, body } = await signedTransaction(privateKeyToAccount(generatePrivateKey()), {
    to: sent.to,
    data: sent.input,
    gas: 30_000_000n,
    chainId: 1,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    type: "eip1559",
  });
  const place = {
    blockNumber: receipt.blockNumber,
    blockHash: `0x${"b".repeat(64)}`,
    transactionHash: hash,
  };
  const logs: EventLog[] = receipt.logs
    .map((log: EventLog) => ({ ...log, ...place, removed: false }));
  const results: Readonly<Record<string, unknown>> = {
    eth_getTransactionByHash: { ...place, hash, ...body, from: sent.from, gasPrice: "0x2540be400" },
    eth_getTransactionReceipt: { ...receipt, ...place, logs, logsBloom: bloomOf(logs) },
  };
  return { node: nodeThat(({ method }) => ({ result: results[method] ?? null })), hash };
}

/** The Bloom filter of logs, as the yellow paper has it. */
function bloomOf(logs: readonly EventLog[]): string {
  let bloom = 0n;
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(value as `0x${string}`);
    for (const place of [2, 6, 10]) {
      bloom |= 1n << (hexToBigInt(`0x${hash.slice(place, place + 4)}`) & 2047n);
    }
  }
  return `0x${bloom.toString(16).padStart(512, "0")}`;
}
