import { CONCURRENCY, DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import type { OptionRules } from "../../errors/option_rules.ts";
import { computeBackoffMs } from "../../http/limits.ts";
import { type HttpTransportOptions, systemClock } from "../../http/mod.ts";
import { SENDING_OPTIONS } from "../../http/settings.ts";

/** Maximum number of calls per request. */
export const CALLS_PER_REQUEST = 100;

/** Number of complete responses after which a node that was busy gets larger batches. */
const GROWTH_AFTER = 8;

/**
 * Sends one batch. A response may be missing; `null` if the node rejects the batch as a whole and may
 * accept a smaller one.
 */
type SendBatch = (calls: readonly RpcCall[]) => Promise<readonly (RpcAnswer | undefined)[] | null>;

/** Options of batches, and the error for calls that stay without a response. */
interface BatchOptions {
  /** Options of requests. */
  readonly options: RpcOptions;
  /** Creates the error for a call that a node is too busy to answer. */
  readonly refused: (answer: RpcAnswer) => unknown;
}

/** Result of a batch. */
interface Outcome {
  /** Indices of the calls to send again. */
  readonly openIndices: readonly number[];
  /** The response to a call that the node was too busy for. */
  readonly busy?: RpcAnswer | undefined;
}

/**
 * Creates a node that takes any number of calls: they are sent in batches of 100, several at once after
 * the response to the first one.
 *
 * When the node rejects a batch, all later ones are half as large, down to single calls. Calls
 * that it leaves out of a response, or is too busy for, are sent again, and no others: after a wait
 * that grows, and in smaller batches where it was too busy for all of them.
 */
export function sendInBatches(sendBatch: SendBatch, { options, refused }: BatchOptions): RpcNode {
  const { concurrency = DEFAULT_CONCURRENCY, retries = 4 } = options;
  // Size of batches, now and at most, and whether the node answered one of this size.
  const sizes = { now: CALLS_PER_REQUEST, most: CALLS_PER_REQUEST, good: 0, isProven: false };

  async function send(
    calls: readonly RpcCall[],
    indices: readonly number[],
    answers: RpcAnswer[],
  ): Promise<Outcome> {
    const batchAnswers = await sendBatch(indices.map((callIndex) => calls[callIndex]!));
    const half = Math.max(1, Math.min(sizes.now, Math.floor(indices.length / 2)));
    if (batchAnswers === null) {
      Object.assign(sizes, { now: half, most: half, isProven: false });
      return { openIndices: indices };
    }
    let busy: RpcAnswer | undefined;
    const openIndices = indices.filter((callIndex, index) => {
      const answer = batchAnswers[index];
      if (answer === undefined) return true;
      const isOpen = isBusy(answer, calls[callIndex]!);
      if (isOpen) busy = answer;
      else answers[callIndex] = answer;
      return isOpen;
    });
    if (openIndices.length === 0) {
      sizes.isProven = true;
      if (++sizes.good % GROWTH_AFTER === 0) sizes.now = Math.min(sizes.most, 2 * sizes.now);
    } else if (openIndices.length === indices.length) {
      Object.assign(sizes, { now: half, good: 0, isProven: false });
    }
    return { openIndices, busy };
  }

  return async (calls) => {
    const answers = new Array<RpcAnswer>(calls.length);
    let open = [...calls.keys()];
    for (let waits = 0, stalled = 0; open.length > 0;) {
      const count = sizes.isProven ? concurrency : 1;
      const batches = Array.from({ length: count }, () => open.splice(0, sizes.now))
        .filter(({ length }) => length > 0);
      const results = await Promise.allSettled(batches.map((some) => send(calls, some, answers)));
      const outcomes = results.map((result) => {
        if (result.status === "rejected") throw result.reason;
        return result.value;
      });
      const sentCount = batches.flat().length;
      const unanswered = outcomes.flatMap((outcome) => outcome.openIndices);
      const busy = outcomes.find((outcome) => outcome.busy !== undefined)?.busy;
      if (unanswered.length < sentCount) stalled = 0;
      // Smaller batches are no retries: a node may count calls per request.
      else if (busy !== undefined && sentCount === 1 && ++stalled > retries) throw refused(busy);
      if (busy !== undefined) {
        // Once most calls were answered, the wait is short again.
        waits = 2 * unanswered.length < sentCount ? 1 : waits + 1;
        await waitBackoff(waits, options);
      }
      open = [...unanswered, ...open];
    }
    return answers;
  };
}

async function waitBackoff(times: number, options: RpcOptions): Promise<void> {
  const { clock = systemClock, signal = new AbortController().signal } = options;
  const { backoffBaseMs = 500, backoffCapMs = 10_000, random = Math.random } = options;
  const backoff = { baseMs: backoffBaseMs, capMs: backoffCapMs, random };
  await clock.sleep(computeBackoffMs(times, backoff), signal);
}

/** Code of EIP-1474 for too much at once, and codes of providers: HTTP's own, QuickNode's, MetaMask's. */
const BATCH_LIMIT_CODE = -32005;
const RATE_LIMIT_CODES: readonly number[] = [429, -32007, -32012, -32029];
/** Messages of nodes that get too many requests. */
const RATE_LIMIT_WORDS =
  /rate.?limit|too many (?:concurrent )?requests|concurrent requests|request (?:rate|limit)|requests? (?:per|a) (?:second|minute)|compute units|credits limited|throughput|throttl|capacity exceeded|per second capacity|daily request/i;

/**
 * Whether a node did not answer a call because it gets too many requests, so that it may answer later. A
 * query for logs with too many results never succeeds.
 */
export function isBusy(answer: RpcAnswer, { method }: Pick<RpcCall, "method">): boolean {
  if (!("error" in answer)) return false;
  const { code, message } = answer.error;
  return RATE_LIMIT_CODES.includes(code) || RATE_LIMIT_WORDS.test(message) ||
    code === BATCH_LIMIT_CODE && method !== GET_LOGS;
}

/** The response to one call: a result or an error. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: RpcFault };

/** An error that a node returned for a call. */
export interface RpcFault {
  /** Its code. */
  readonly code: number;
  /** Its message. */
  readonly message: string;
  /** Data of a call that reverted, as hex. @default {none} */
  readonly data?: string;
}

/** One call of JSON-RPC. */
export interface RpcCall {
  /** Name of the method, such as `eth_call`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: readonly unknown[];
}

/** Calls a node; calls passed together are sent in batches. One response per call, in their order. */
export type RpcNode = (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>;

/** Options of requests to a node: those of a transport, `concurrency`, and a signal. */
export interface RpcOptions extends Omit<HttpTransportOptions, "rootUrl" | "cacheFolder"> {
  /**
   * Maximum number of concurrent requests, from 1 to 64; later ones start after the first response.
   *
   * @default {4}
   */
  readonly concurrency?: number;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of requests whose responses can be cached on disk. */
export interface CachedRpcOptions extends RpcOptions {
  /**
   * Folder in which responses are cached, created when needed. Networks and processes may share it.
   * Each batch is stored as soon as its response arrives, so an interrupted call resumes where it stopped.
   *
   * @default {none; nothing is written}
   */
  readonly cacheFolder?: string;
}

const { rootUrl: _, ...TRANSPORT_OPTIONS } = SENDING_OPTIONS;

/** Allowed values of the {@linkcode CachedRpcOptions}. */
export const CACHED_RPC_OPTIONS: OptionRules<CachedRpcOptions> = {
  ...TRANSPORT_OPTIONS,
  concurrency: CONCURRENCY,
  signal: AbortSignal,
};

const { cacheFolder: _folder, ...UNCACHED_OPTIONS } = CACHED_RPC_OPTIONS;

/** Allowed values of the {@linkcode RpcOptions}. */
export const RPC_OPTIONS: OptionRules<RpcOptions> = UNCACHED_OPTIONS;

/** Method for logs. */
export const GET_LOGS = "eth_getLogs";

/** Whether a value is a quantity of JSON-RPC of at most 256 bits; some nodes write zeros in front. */
export function isQuantity(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value);
}

/** Reads a quantity that a number holds exactly, such as a block or a time; `null` for anything else. */
export function readSafeQuantity(value: unknown): number | null {
  const number = isQuantity(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
