import { HttpStatusError, InputError, TimeoutError } from "../../errors/mod.ts";
import { checkOptions, isWhole, type OptionRules, wholeNumber } from "../../errors/option_rules.ts";
import { readNumber, toMismatch, toNodeError, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import {
  type BlockSpan,
  classifyRefusal,
  type LogsQuery,
  readSettlementLogs,
  SETTLEMENT_TOPIC,
  type SettlementLog,
} from "./read_settlement_logs.ts";
import {
  GET_LOGS,
  RPC_OPTIONS,
  type RpcAnswer,
  type RpcCall,
  type RpcNode,
  type RpcOptions,
} from "./rpc_batches.ts";

const WANTED = "settlement logs";
/** Blocks behind the newest one that a reorganization rarely replaces: they are read twice. */
const YOUNG_BLOCKS = 64;
/** Maximum number of reads of a young block until two responses are equal. */
const MAX_READS = 5;
/** Requests in a row that fail as a whole, each for fewer blocks. */
const MAX_FAILURES = 4;
/** Code of recordings for what they do not hold. */
const NOT_RECORDED = -32001;

/** The settlement logs of a window of blocks. */
interface SettlementWindow extends BlockSpan {
  /** Its logs, in order. */
  readonly logs: readonly SettlementLog[];
}

/**
 * Reads the settlement logs of a range, window by window, in windows as large as the node accepts.
 *
 * Each request also fetches the last block of the window: a node that lacks it would return no logs.
 * Each window is read once more in parts: a node that cuts its responses returns other logs there, and
 * the window is read in halves. Windows near the newest block are read until two responses are equal.
 */
async function* readWindows(
  ask: RpcNode,
  { from, to, settlementContract }: LogsQuery,
  firstWindow: number,
): AsyncGenerator<SettlementWindow, void, undefined> {
  const head = await fetchNewestBlock(ask);
  if (to > head) {
    throw new InputError(`Cannot get ${WANTED} up to block ${to}: the node does not have it yet`, {
      facts: { "newest block": head },
      remedy: `Pass blocks up to ${head}, or try again later`,
    });
  }
  const old = head - YOUNG_BLOCKS;
  const readWindow = createReader(ask, settlementContract, old);
  // As many blocks at once as the node accepts, found by trial.
  let [size, maxSize, growth] = [firstWindow, MAX_WINDOW, FAST_GROWTH];
  for (let begin = from; begin <= to;) {
    const end = Math.min(begin <= old ? Math.min(to, old) : to, begin + size - 1);
    const blockCount = end - begin + 1;
    const logs = await readWindow({ from: begin, to: end });
    if (typeof logs === "string") {
      size = Math.max(1, Math.floor(blockCount / 2));
      if (logs === "range") maxSize = size;
      growth = SLOW_GROWTH;
      continue;
    }
    // A window cut short by its range shows nothing about larger ones.
    if (blockCount === size) size = Math.min(maxSize, Math.ceil(size * growth));
    yield { from: begin, to: end, logs };
    begin = end + 1;
  }
}

/** Fetches the number of the newest block. */
export async function fetchNewestBlock(ask: RpcNode): Promise<number> {
  const [answer] = await ask([{ method: "eth_blockNumber", params: [] }]);
  const result = unwrap(answer!, "the newest block");
  return readNumber({ result }, "result", { subject: "the call", wanted: "the newest block" });
}

type Read = (span: BlockSpan) => Promise<SettlementLog[] | "range" | "size">;

/** Reads windows; a refused one is to be read in smaller ones. */
function createReader(ask: RpcNode, settlementContract: string, old: number): Read {
  let failures = 0;
  let changes = 0;
  const toQuery = (span: BlockSpan) => ({ ...span, settlementContract });
  /** Returns `null` if the request fails and one for fewer blocks may succeed. */
  const send = async (calls: RpcCall[], span: BlockSpan): Promise<RpcAnswer[] | null> => {
    try {
      return await ask(calls);
    } catch (error) {
      const isLast = span.from === span.to || ++failures >= MAX_FAILURES;
      if (!isOverload(error) || isLast) throw error;
      return null;
    }
  };
  return async (span) => {
    const isOne = span.from === span.to;
    const answers = await send(toCalls(span, settlementContract), span);
    if (answers === null) return "size";
    const [logs, block] = answers as [RpcAnswer, RpcAnswer];
    if ("error" in logs) {
      const refusal = classifyRefusal(logs.error);
      if (!isOne && refusal !== "missing") return refusal;
      throw toNodeError(logs, `${WANTED} of ${formatSpan(span)}`);
    }
    const settlementLogs = readSettlementLogs(logs.result, toQuery(span));
    requireBlock(block, span.to, settlementLogs);
    const parts = isOne ? span.to > old ? [span] : [] : splitWindow(span, settlementLogs);
    const repeated = await send(parts.map((part) => toCalls(part, settlementContract)[0]), span);
    failures = 0;
    const isSame = repeated !== null && (parts.length === 0 || JSON.stringify(settlementLogs) ===
        JSON.stringify(
          repeated.flatMap((part) =>
            "error" in part ? [] : readSettlementLogs(part.result, toQuery(span))
          ),
        ));
    if (isSame) {
      changes = 0;
      return settlementLogs;
    }
    if (!isOne || ++changes < MAX_READS) return "size";
    throw toMismatch(
      GET_LOGS,
      `logs of ${formatSpan(span)}, which change`,
      "the same twice",
      `different ones in each of ${MAX_READS} responses`,
    );
  };
}

function toCalls({ from, to }: BlockSpan, settlementContract: string): [RpcCall, RpcCall] {
  const [fromBlock, toBlock] = [`0x${from.toString(16)}`, `0x${to.toString(16)}`];
  const filter = { fromBlock, toBlock, address: settlementContract, topics: [SETTLEMENT_TOPIC] };
  return [
    { method: GET_LOGS, params: [filter] },
    { method: "eth_getBlockByNumber", params: [toBlock, false] },
  ];
}

/** Whether a request failed that may succeed for fewer blocks. */
function isOverload(error: unknown): boolean {
  return error instanceof TimeoutError ||
    error instanceof HttpStatusError && (error.status === 413 || (error.status ?? 0) >= 500);
}

function formatSpan({ from, to }: BlockSpan): string {
  return from === to ? `block ${from}` : `blocks ${from} to ${to}`;
}

/** Requires that the node has the last block of a window, the same one as the logs are of. */
function requireBlock(answer: RpcAnswer, block: number, logs: readonly SettlementLog[]): void {
  if ("error" in answer && answer.error.code === NOT_RECORDED) return;
  const header = unwrap(answer, `block ${block}`);
  if (header === null) {
    throw new InputError(`Cannot get ${WANTED} up to block ${block}: the node does not have it`, {
      remedy: "Pass a node that has all blocks of the range; one behind others may need a minute",
    });
  }
  const { number, hash } = Object(header);
  if (Number(number) !== block) {
    throw toMismatch(GET_LOGS, "number of a block", block, number);
  }
  const last = logs.at(-1);
  if (last?.blockNumber !== block || last.blockHash === null || typeof hash !== "string") return;
  if (last.blockHash !== hash.toLowerCase()) {
    throw toMismatch(GET_LOGS, `hash of block ${block}`, hash, last.blockHash);
  }
}

/**
 * Splits a window to read it once more, around the block of its last log: a node that cuts
 * its responses returns other logs there, whether it omits the first or the last ones.
 */
function splitWindow({ from, to }: BlockSpan, logs: readonly SettlementLog[]): BlockSpan[] {
  const last = logs.at(-1)?.blockNumber ?? from + Math.floor((to - from) / 2);
  return [{ from, to: last - 1 }, { from: last, to: last }, { from: last + 1, to }]
    .filter((part) => part.from <= part.to);
}

/** Blocks of the first window: what most providers accept. */
const FIRST_WINDOW = 2_000;
/** Blocks of the largest window. */
const MAX_WINDOW = 100_000;
/** Growth while nothing was refused, and after that. */
const FAST_GROWTH = 2;
const SLOW_GROWTH = 1.2;

/** Blocks whose settlements to find, both ends inclusive. */
export interface SettlementRange {
  /** First block. */
  readonly from: number;
  /** Last block, which the node must have. */
  readonly to: number;
  /** The settlement contract. */
  readonly settlementContract: string;
}

/** Options of {@linkcode settlementLogs}. */
export interface SettlementLogsOptions extends RpcOptions {
  /**
   * Number of blocks of the first request, from 1 to 100,000. It adapts to what the node accepts.
   *
   * @default {2_000}
   */
  readonly firstWindow?: number;
}

/** Allowed values of the {@linkcode SettlementLogsOptions}. */
export const SETTLEMENT_LOGS_OPTIONS: OptionRules<SettlementLogsOptions> = {
  ...RPC_OPTIONS,
  firstWindow: wholeNumber(1, MAX_WINDOW),
};

const ACTION = "Cannot get settlement logs";

/**
 * Finds the settlements of a range of blocks by the logs of the settlement contract.
 *
 * Calls `eth_getLogs` for windows of blocks that adapt to the node: a window that it refuses, for its
 * length, its logs, its bytes or its time, is halved, or becomes as long as the error proposes; a
 * response lets the next one grow. Each request also fetches the last block of its window, so that
 * a node that is behind is noticed. The last 64 blocks of the chain are read until two responses are
 * equal; they may still be replaced later.
 *
 * Every log must have been requested, in order, once, of one hash per block. Each window is
 * read once more in parts: a node that leaves out the first or the last logs of a response, at
 * whatever number, is noticed, and those windows are read in halves. No query can show that a node
 * leaves out the same log of every response.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording. Keys in a
 * URL are never shown.
 * @param range Blocks, and the settlement contract.
 * @param options Options of requests, and `firstWindow`.
 * @returns One item per settlement, in the order of the chain.
 * @throws {InputError} If the range, `source` or an option is invalid, or the node does not have the
 * last block of a window.
 * @throws {MismatchError} If logs are not the requested ones, contradict each other, or change at each
 * reading.
 * @throws {ServiceError} If the node returns an error for a single block, or does not have its logs.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or refuses.
 * @see {@link https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getlogs | eth_getLogs}
 *
 * @example The settlements of a recording
 * ```ts
 * import { settlementLogs } from "orderlens/evm";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_3");
 * const { settlementContract } = recording.deployment!;
 *
 * const logs = await Array.fromAsync(settlementLogs(recording, { from: 0, to: 969, settlementContract }));
 *
 * assertEquals(logs.length, 138);
 * ```
 */
export async function* settlementLogs(
  source: NodeSource,
  range: SettlementRange,
  options: SettlementLogsOptions = {},
): AsyncGenerator<SettlementLog, void, undefined> {
  for await (const { logs } of openSettlementWindows(source, range, options)) yield* logs;
}

/** Opens {@linkcode settlementLogs} window by window. */
export function openSettlementWindows(
  source: NodeSource,
  range: SettlementRange,
  options: SettlementLogsOptions,
): ReturnType<typeof readWindows> {
  checkOptions(options, SETTLEMENT_LOGS_OPTIONS, ACTION);
  const { from, to, settlementContract } = Object(range) as SettlementRange;
  if (!isWhole(from, 0) || !isWhole(to, from)) {
    throw new InputError(`${ACTION}: the blocks are not a range`, {
      facts: { from: String(from).slice(0, 80), to: String(to).slice(0, 80) },
      remedy: "Pass whole numbers of at least 0, the lower one as `from`",
    });
  }
  if (typeof settlementContract !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(settlementContract)) {
    throw new InputError(`${ACTION}: the settlement contract is not an address`, {
      remedy: "Pass 0x and 40 hex digits, such as the `settlementContract` of an order book",
    });
  }
  const { firstWindow = FIRST_WINDOW, ...sending } = options;
  const ask = requireNode(source, "settlement logs", sending);
  const contract = settlementContract.toLowerCase();
  return readWindows(ask, { from, to, settlementContract: contract }, firstWindow);
}
