import type { RpcAnswer, RpcCall } from "orderlens/evm";

/** A log as JSON-RPC has it. */
export interface WireLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  blockHash: string;
  transactionHash: string;
  logIndex: string;
  removed: boolean;
}

/** How a made-up chain answers. */
export interface LogChainOptions {
  /** Number of the newest block. @default {100_000} */
  head?: number;
  /** Blocks with a settlement. @default {every 7th block} */
  settled?: (block: number) => boolean;
  /** Refuses a query; `undefined` answers it. */
  refuse?: (
    from: number,
    to: number,
    logs: number,
  ) => { code: number; message: string } | undefined;
  /** Alters the logs of a query. */
  alter?: (logs: WireLog[], from: number, to: number) => unknown;
  /** Alters the answer about a block. */
  block?: (number: number) => unknown;
}

/** The settlement contract of the made-up chain. */
export const CONTRACT = `0x${"90".repeat(20)}`;
const TOPIC = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";

/** Hash of a block of the made-up chain. */
export function hashOf(block: number, branch = "b"): string {
  return `0x${branch.repeat(8)}${block.toString(16).padStart(56, "0")}`;
}

/** Hash of the settlement in a block of the made-up chain. */
export function txOf(block: number): string {
  return `0x${"7".repeat(8)}${block.toString(16).padStart(56, "0")}`;
}

/** A made-up chain with settlements, and the windows that it was asked for. */
export class LogChain {
  readonly spans: [from: number, to: number][] = [];
  /** Those whose last block was asked for too: not the parts in which a window is read again. */
  readonly windows: [from: number, to: number][] = [];
  readonly #options: LogChainOptions;

  constructor(options: LogChainOptions = {}) {
    this.#options = options;
  }

  /** Its node. */
  readonly rpc = (calls: readonly RpcCall[]): Promise<RpcAnswer[]> => {
    const before = this.spans.length;
    const answers = calls.map((call) => this.answer(call));
    const isWindow = calls.some(({ method }) => method === "eth_getBlockByNumber");
    if (isWindow) this.windows.push(...this.spans.slice(before));
    return Promise.resolve(answers);
  };

  /** Answers one call. */
  answer({ method, params: [param] }: RpcCall): RpcAnswer {
    const { head = 100_000, block } = this.#options;
    if (method === "eth_blockNumber") return { result: `0x${head.toString(16)}` };
    if (method === "eth_chainId") return { result: "0x1" };
    if (method === "eth_getLogs") return this.#logs(Object(param));
    if (method !== "eth_getBlockByNumber") throw new Error(`no method ${method}`);
    const number = Number(param);
    const altered = block?.(number);
    if (altered !== undefined) return { result: altered };
    return { result: number > head ? null : { number: param, hash: hashOf(number) } };
  }

  #logs({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }): RpcAnswer {
    const { settled = (block: number) => block % 7 === 0, refuse, alter } = this.#options;
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    this.spans.push([from, to]);
    const logs: WireLog[] = [];
    for (let block = from; block <= to; block++) if (settled(block)) logs.push(logOf(block));
    const error = refuse?.(from, to, logs.length);
    if (error !== undefined) return { error };
    return { result: alter === undefined ? logs : alter(logs, from, to) };
  }
}

function logOf(block: number): WireLog {
  return {
    address: CONTRACT,
    topics: [TOPIC, `0x${"5a".repeat(20).padStart(64, "0")}`],
    data: "0x",
    blockNumber: `0x${block.toString(16)}`,
    blockHash: hashOf(block),
    transactionHash: txOf(block),
    logIndex: `0x${(block % 5).toString(16)}`,
    removed: false,
  };
}
