import { HttpStatusError, InputError, TimeoutError } from "../../errors/mod.ts";
import {
  malformedAnswer,
  resultOf,
  type RpcAnswer,
  type RpcCall,
  type RpcNode,
} from "./json_rpc.ts";
import { GET_LOGS } from "./log_calls.ts";
import { type BlockSpan, type LogRefusal, readLogRefusal } from "./log_refusal.ts";
import { LogWindows } from "./log_windows.ts";
import {
  type AskedLogs,
  mismatch,
  readSettlementLogs,
  SETTLEMENT_TOPIC,
  type SettlementLog,
} from "./read_settlement_logs.ts";

const WANTED = "settlement logs";
/** Blocks behind the newest one that a reorganization rarely replaces: they are read twice. */
const YOUNG_BLOCKS = 64;
/** How often a young block is read until two answers are the same. */
const MOST_READS = 5;
/** Requests in a row that fail as a whole, each for fewer blocks. */
const MOST_FAILURES = 4;
/** Code of recordings for what they do not hold. */
const NOT_RECORDED = -32001;

/** The settlement logs of a window of blocks. */
export interface SettlementWindow extends BlockSpan {
  /** Its logs, in order. */
  readonly logs: readonly SettlementLog[];
}

/**
 * The settlement logs of a range, window by window, in windows as large as the node accepts.
 *
 * Each request also asks for the last block of the window: a node that lacks it would answer as if
 * its logs were none. Each window is read once more in parts: a node that cuts its answers gives
 * others there, and the window is read in halves. So are windows near the newest block until two
 * answers are the same.
 */
export async function* settlementWindows(
  ask: RpcNode,
  { from, to, settlementContract }: AskedLogs,
  firstWindow: number,
): AsyncGenerator<SettlementWindow, void, undefined> {
  const head = await newestBlock(ask);
  if (to > head) {
    throw new InputError(`Cannot get ${WANTED} up to block ${to}: the node does not have it yet`, {
      facts: { "newest block": head },
      remedy: `Pass blocks up to ${head}, or try again later`,
    });
  }
  const windows = new LogWindows(firstWindow);
  const old = head - YOUNG_BLOCKS;
  const read = readerOf(ask, settlementContract, old);
  for (let begin = from; begin <= to;) {
    const end = begin <= old ? Math.min(to, old) : to;
    const span = windows.next({ from: begin, to: end });
    const found = await read(span);
    if ("reason" in found) {
      windows.refused(span, found);
      continue;
    }
    windows.answered(span);
    yield { ...span, logs: found };
    begin = span.to + 1;
  }
}

/** Number of the newest block. */
export async function newestBlock(ask: RpcNode): Promise<number> {
  const [answer] = await ask([{ method: "eth_blockNumber", params: [] }]);
  const result = resultOf(answer!, "the newest block");
  if (typeof result === "string" && /^0x[0-9a-fA-F]{1,13}$/.test(result)) return Number(result);
  throw malformedAnswer(result, "the newest block", "it is not a hex number");
}

type Read = (span: BlockSpan) => Promise<SettlementLog[] | LogRefusal>;

/** Reads windows; a refused one is to be read in smaller ones. */
function readerOf(ask: RpcNode, settlementContract: string, old: number): Read {
  let failures = 0;
  let changes = 0;
  const asked = (span: BlockSpan) => ({ ...span, settlementContract });
  /** `null` where the request fails as one for fewer blocks may not. */
  const send = async (calls: RpcCall[], span: BlockSpan): Promise<RpcAnswer[] | null> => {
    try {
      return await ask(calls);
    } catch (error) {
      if (!isOverload(error)) throw error;
      if (span.from === span.to || ++failures >= MOST_FAILURES) throw about(error, span);
      return null;
    }
  };
  return async (span) => {
    const isOne = span.from === span.to;
    const answers = await send(callsFor(span, settlementContract), span);
    if (answers === null) return TOO_LARGE;
    const [logs, block] = answers as [RpcAnswer, RpcAnswer];
    if ("error" in logs) {
      const refusal = readLogRefusal(logs.error, span);
      if (isOne || refusal.reason === "missing") resultOf(logs, `${WANTED} of ${nameOf(span)}`);
      return refusal;
    }
    const found = readSettlementLogs(logs.result, asked(span));
    requireBlock(block, span.to, found);
    const parts = isOne ? span.to > old ? [span] : [] : partsOf(span, found);
    const again = await send(parts.map((part) => callsFor(part, settlementContract)[0]), span);
    failures = 0;
    const isSame = again !== null && (parts.length === 0 || JSON.stringify(found) ===
        JSON.stringify(
          again.flatMap((part) =>
            "error" in part ? [] : readSettlementLogs(part.result, asked(span))
          ),
        ));
    if (isSame) {
      changes = 0;
      return found;
    }
    if (!isOne || ++changes < MOST_READS) return TOO_LARGE;
    throw mismatch(
      `logs of ${nameOf(span)}, which change`,
      "the same twice",
      `others in each of ${MOST_READS} answers`,
    );
  };
}

const TOO_LARGE: LogRefusal = { reason: "size", blocks: null };

function callsFor({ from, to }: BlockSpan, settlementContract: string): [RpcCall, RpcCall] {
  const [fromBlock, toBlock] = [`0x${from.toString(16)}`, `0x${to.toString(16)}`];
  const filter = { fromBlock, toBlock, address: settlementContract, topics: [SETTLEMENT_TOPIC] };
  return [
    { method: GET_LOGS, params: [filter] },
    { method: "eth_getBlockByNumber", params: [toBlock, false] },
  ];
}

/** Whether a request failed as one for fewer blocks may not. */
function isOverload(error: unknown): error is HttpStatusError | TimeoutError {
  return error instanceof TimeoutError ||
    error instanceof HttpStatusError && (error.status === 413 || error.status >= 500);
}

function about(error: HttpStatusError | TimeoutError, span: BlockSpan): HttpStatusError {
  const isStatus = error instanceof HttpStatusError;
  return new HttpStatusError(`Cannot get ${WANTED} of ${nameOf(span)}`, {
    request: "POST",
    status: isStatus ? error.status : 504,
    body: isStatus ? error.body : "",
    remedy: error.remedy,
    cause: error,
  });
}

function nameOf({ from, to }: BlockSpan): string {
  return from === to ? `block ${from}` : `blocks ${from} to ${to}`;
}

/** Requires that the node has the last block of a window, the same one as the logs are of. */
function requireBlock(answer: RpcAnswer, block: number, logs: readonly SettlementLog[]): void {
  if ("error" in answer && answer.error.code === NOT_RECORDED) return;
  const found = resultOf(answer, `block ${block}`);
  if (found === null) {
    throw new InputError(`Cannot get ${WANTED} up to block ${block}: the node does not have it`, {
      remedy: "Pass a node that has all blocks of the range; one behind others may need a minute",
    });
  }
  const { number, hash } = Object(found);
  if (Number(number) !== block) throw mismatch("number of a block", `${block}`, String(number));
  const last = logs.at(-1);
  if (last?.blockNumber !== block || last.blockHash === null || typeof hash !== "string") return;
  if (last.blockHash !== hash.toLowerCase()) {
    throw mismatch(`hash of block ${block}`, hash, last.blockHash);
  }
}

/**
 * The parts in which a window is read once more, around the block of its last log: a node that cuts
 * its answers shows other logs there, whether it leaves out the first or the last ones.
 */
function partsOf({ from, to }: BlockSpan, logs: readonly SettlementLog[]): BlockSpan[] {
  const last = logs.at(-1)?.blockNumber ?? from + Math.floor((to - from) / 2);
  return [{ from, to: last - 1 }, { from: last, to: last }, { from: last + 1, to }]
    .filter((part) => part.from <= part.to);
}
