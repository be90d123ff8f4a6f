import type { EventLog } from "../abis.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "./rpc_batches.ts";

const MAX_TOPICS = 4;
const ADDRESS = { name: "address", bytes: 20 };
const TOPIC = { name: "a topic", bytes: 32 };

/** Resolves the blocks of a filter. */
export interface BlockFinder {
  /** Returns the number of a block by number or tag; `name` is for errors. */
  resolveNumber(block: unknown, name: string): number;
  /** Returns the number of a block by hash. */
  resolveHash(hash: unknown): number;
}

/** Reads the filter of `eth_getLogs`. */
export function readLogQuery(value: unknown, finder: BlockFinder): LogQuery {
  const { fromBlock, toBlock, blockHash, address, topics } = readObject(value, "the filter");
  return {
    ...readRange({ fromBlock, toBlock, blockHash }, finder),
    addresses: readSet(address, ADDRESS),
    topics: readTopics(topics),
  };
}

function readRange(
  { fromBlock, toBlock, blockHash }: Readonly<Record<string, unknown>>,
  finder: BlockFinder,
): Pick<LogQuery, "fromBlock" | "toBlock"> {
  if (blockHash != null) {
    if (fromBlock != null || toBlock != null) {
      throw new RpcError(
        "invalidParams",
        "invalid params: pass either blockHash or fromBlock and toBlock",
      );
    }
    const number = finder.resolveHash(blockHash);
    return { fromBlock: number, toBlock: number };
  }
  const first = finder.resolveNumber(fromBlock ?? "latest", "fromBlock");
  const last = finder.resolveNumber(toBlock ?? "latest", "toBlock");
  // Clients that follow the chain request blocks after the latest one, which have no logs yet.
  if (first > last && typeof toBlock === "string" && toBlock.startsWith("0x")) {
    throw new RpcError("invalidParams", `invalid params: fromBlock ${first} is after ${last}`);
  }
  return { fromBlock: first, toBlock: last };
}

function readTopics(value: unknown): LogQuery["topics"] {
  if (value == null) return [];
  if (!Array.isArray(value) || value.length > MAX_TOPICS) {
    throw toParamsError("topics", `a list of up to ${MAX_TOPICS}`, value);
  }
  return value.map((topic) => readSet(topic, TOPIC));
}

/** Reads one value, or several of which any matches; `null` for any value. */
function readSet(
  value: unknown,
  field: { name: string; bytes: number },
): ReadonlySet<string> | null {
  if (value == null) return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.length === 0 ? null : new Set(values.map((element) => readHex(element, field)));
}

/** Whether a log in the range matches a query. */
export function matchesQuery(
  { address, topics }: Pick<EventLog, "address" | "topics">,
  query: Pick<LogQuery, "addresses" | "topics">,
): boolean {
  if (query.addresses?.has(address.toLowerCase()) === false) return false;
  return query.topics.every((values, index) => {
    const topic = topics[index];
    return topic !== undefined && (values === null || values.has(topic.toLowerCase()));
  });
}

const TAGS = ["latest", "earliest", "pending", "safe", "finalized"] as const;

/** A block tag. */
export type BlockTag = typeof TAGS[number];

/** Creates the error for an invalid parameter. */
function toParamsError(name: string, expectation: string, value: unknown): RpcError {
  const text = JSON.stringify(value) ?? "nothing";
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new RpcError(
    "invalidParams",
    `invalid params: ${name} must be ${expectation}, not ${short}`,
  );
}

/** Requires hex of a number of bytes, and returns it in lower case. */
export function readHex(value: unknown, { name, bytes }: { name: string; bytes: number }): string {
  if (typeof value === "string" && value.length === 2 + 2 * bytes && isHex(value)) {
    return value.toLowerCase();
  }
  throw toParamsError(name, `0x and ${2 * bytes} hex digits`, value);
}

/** Requires whole bytes as hex, and returns them in lower case. */
export function readData(value: unknown, name: string): string {
  if (typeof value === "string" && value.length % 2 === 0 && isHex(value)) {
    return value.toLowerCase();
  }
  throw toParamsError(name, "0x and whole bytes as hex", value);
}

/** Requires the number of a block as hex, or a block tag. */
export function readBlock(value: unknown, name: string): number | BlockTag {
  const tag = TAGS.find((word) => word === value);
  if (tag !== undefined) return tag;
  if (typeof value === "string" && /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/.test(value)) {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
  }
  throw toParamsError(name, `a block number as hex without leading zeros, or a block tag`, value);
}

/** Requires a boolean; `false` if absent. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw toParamsError(name, "true or false", value);
}

/** Requires an object, and returns it as its fields. */
export function readObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw toParamsError(name, "an object", value);
}

function isHex(text: string): boolean {
  return /^0x[0-9a-fA-F]*$/.test(text);
}

/** A log with its position in the chain. Unknown fields are absent. */
export interface ViewedLog extends EventLog {
  /** Hash of its block. */
  readonly blockHash?: string;
  /** Timestamp of its block, in unix seconds. */
  readonly blockTimestamp?: number;
  /** Index of its transaction in the block, from 0. */
  readonly transactionIndex?: number;
}

/** A transaction of a chain, with its result. Unknown fields are absent. */
export interface ViewedTransaction {
  /** Its hash. */
  readonly hash: string;
  /** Account that sent it. */
  readonly from: string;
  /** Contract that it calls. */
  readonly to: string;
  /** Calldata. */
  readonly input: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Hash of its block. */
  readonly blockHash?: string;
  /** Its index in the block, from 0. */
  readonly transactionIndex?: number;
  /** Number of earlier transactions of its sender. */
  readonly nonce?: number;
  /** Native atoms sent with it. */
  readonly value?: bigint;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Gas used in the block up to and including it, in gas units. */
  readonly cumulativeGasUsed?: bigint;
  /** Price per unit of gas, in wei. */
  readonly effectiveGasPrice: bigint;
  /** Whether it succeeded. */
  readonly succeeded: boolean;
  /** Its logs, in order. */
  readonly logs: readonly ViewedLog[];
}

/** A block of a chain. Unknown fields are absent. */
export interface ViewedBlock {
  /** Its number. */
  readonly number: number;
  /** Timestamp, in unix seconds. */
  readonly timestamp: number;
  /** Its hash. */
  readonly hash?: string;
  /** Hash of the previous block. */
  readonly parentHash?: string;
  /** Price per unit of gas, in wei. */
  readonly baseFeePerGas?: bigint;
  /** Gas used, in gas units. */
  readonly gasUsed?: bigint;
  /** Hashes of its transactions, in order. */
  readonly transactionHashes?: readonly string[];
}

/** A filter of logs; hex in lower case. */
export interface LogQuery {
  /** First block. */
  readonly fromBlock: number;
  /** Last block. */
  readonly toBlock: number;
  /** Contracts; `null` for all. */
  readonly addresses: ReadonlySet<string> | null;
  /** Values of each topic; `null` for any. */
  readonly topics: readonly (ReadonlySet<string> | null)[];
}

/** A call of a contract. */
export interface ContractCall {
  /** The contract, in lower case. */
  readonly to: string;
  /** Calldata, in lower case. */
  readonly data: string;
  /** Finds the block whose state a call reads. */
  readonly block: () => number;
}

/**
 * A read-only view of a chain, for a node.
 *
 * Every member throws an `RpcError` for data that exists but is not available.
 */
export interface ChainView {
  /** Name of the software, for `web3_clientVersion`. */
  readonly client: string;
  /** Chain id. */
  readonly chainId: number;
  /** Number of the first available block. */
  readonly firstBlock: number;
  /** Number of the latest block. */
  readonly latestBlock: number;
  /** Price per unit of gas now, in wei. */
  readonly gasPrice: bigint;
  /** Returns a block by number; `null` above the latest. */
  getBlock(number: number): ViewedBlock | null;
  /** Finds the number of a block by hash, in lower case; `null` if there is none. */
  findBlockNumber(hash: string): number | null;
  /** Returns a transaction by hash, in lower case; `null` if there is none. */
  getTransaction(hash: string): ViewedTransaction | null;
  /** Finds logs, in order. */
  findLogs(query: LogQuery): Iterable<ViewedLog>;
  /** Returns the data that a call of a contract returns. */
  call(call: ContractCall): string | Promise<string>;
  /** Returns the native balance of an account, in atoms; the address is in lower case. */
  getBalance(account: string, block: number): bigint;
}

/** Maximum number of calls per request, the default of nodes. */
const MAX_CALLS = 1_000;

type Id = string | number | null;

/**
 * A call of a request, or why it is invalid; without `id` it is a notification, which gets no
 * response.
 */
type Item =
  & { readonly id?: Id }
  & ({ readonly call: RpcCall } | { readonly error: RpcError });

/**
 * Answers the body of a JSON-RPC request, one call or a batch, as JSON-RPC 2.0 says.
 *
 * @param body The body as text.
 * @param node Node that answers the calls.
 * @returns The body of the response; `null` if the request consists of notifications, which get none.
 */
export async function serveJsonRpc(body: string, node: RpcNode): Promise<string | null> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return formatAnswer(null, new RpcError("parse", "parse error: the body is not JSON").answer);
  }
  if (!Array.isArray(value)) return (await serveCalls([value], node))[0] ?? null;
  if (value.length === 0) {
    return formatAnswer(null, toRequestError("the batch is empty").answer);
  }
  if (value.length > MAX_CALLS) {
    const fault = `the batch has ${value.length} calls, the most are ${MAX_CALLS}`;
    return formatAnswer(null, toRequestError(fault).answer);
  }
  const answers = await serveCalls(value, node);
  return answers.length === 0 ? null : `[${answers.join(",")}]`;
}

/** Sends calls and returns the responses to those with an `id`, as text. */
async function serveCalls(values: readonly unknown[], node: RpcNode): Promise<string[]> {
  const items = values.map(readItem);
  const calls = items.flatMap((item) => "call" in item ? [item.call] : []);
  const answers = (await node(calls)).values();
  return items.flatMap((item) => {
    const answer = "call" in item ? answers.next().value! : item.error.answer;
    return item.id === undefined ? [] : [formatAnswer(item.id, answer)];
  });
}

function readItem(value: unknown): Item {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { id: null, error: toRequestError("it is not an object") };
  }
  const { jsonrpc, id, method, params = [] } = value as Record<string, unknown>;
  const isNotification = !Object.hasOwn(value, "id");
  if (!isNotification && !isId(id)) {
    return { id: null, error: toRequestError("`id` must be text, a number or null") };
  }
  const itemId: Id = isId(id) ? id : null;
  if (jsonrpc !== "2.0") {
    return { id: itemId, error: toRequestError('`jsonrpc` must be "2.0"') };
  }
  if (typeof method !== "string") {
    return { id: itemId, error: toRequestError("`method` must be text") };
  }
  if (typeof params !== "object" || params === null) {
    return { id: itemId, error: toRequestError("`params` must be a list") };
  }
  const idField = isNotification ? {} : { id: itemId };
  return Array.isArray(params)
    ? { ...idField, call: { method, params } }
    : { ...idField, error: new RpcError("invalidParams", "invalid params: pass them as a list") };
}

function isId(id: unknown): id is Id {
  return id === null || typeof id === "string" || typeof id === "number";
}

function toRequestError(fault: string): RpcError {
  return new RpcError("invalidRequest", `invalid request: ${fault}`);
}

function formatAnswer(id: Id, answer: RpcAnswer): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...answer });
}

/**
 * Codes of JSON-RPC errors.
 *
 * @see {@link https://www.jsonrpc.org/specification | JSON-RPC 2.0}
 * @see {@link https://eips.ethereum.org/EIPS/eip-1474 | EIP-1474}
 */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  serverError: -32000,
  notRecorded: -32001,
  tooMuch: -32005,
  reverted: 3,
  prunedHistory: 4444,
} as const;

/** An error that a node returns for a call. */
export class RpcError extends Error {
  /** Error code. */
  readonly code: number;

  /** Creates an error of a kind, with its message. */
  constructor(kind: keyof typeof RPC_CODES, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = RPC_CODES[kind];
  }

  /** The error as a response. */
  get answer(): RpcAnswer {
    const { code, message } = this;
    return { error: { code, message } };
  }
}
