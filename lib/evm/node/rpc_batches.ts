import { CONCURRENCY, DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import type { OptionRules } from "../../errors/option_rules.ts";
import { computeBackoffMs } from "../../http/limits.ts";
import { type HttpTransportOptions, systemClock } from "../../http/mod.ts";
import { SENDING_OPTIONS } from "../../http/settings.ts";

/** Maximum number of calls per request. */
export const CALLS_PER_REQUEST = 100;

/** Batches that are answered as a whole before a node that was busy gets larger ones. */
const RECOVERED_AFTER = 8;

/**
 * Sends one batch. An answer may be missing; `null` if the node rejects the batch as a whole and may
 * accept a smaller one.
 */
type SendBatch = (calls: readonly RpcCall[]) => Promise<readonly (RpcAnswer | undefined)[] | null>;

/** How batches are sent, and what is thrown where calls stay unanswered. */
interface Batching {
  /** Options of requests. */
  readonly options: RpcOptions;
  /** The error for a call that a node is too busy to answer. */
  readonly refused: (answer: RpcAnswer) => unknown;
}

/** What came of a batch. */
interface Outcome {
  /** Places of the calls that are to be asked again. */
  readonly left: readonly number[];
  /** The answer to a call that the node was too busy for. */
  readonly busy?: RpcAnswer | undefined;
}

/**
 * A node that takes any number of calls: they are sent in batches of 100, several at once after the
 * first one is answered.
 *
 * When the node rejects a batch, all later ones are half as large, down to single calls. Calls
 * that it leaves out of an answer, or is too busy for, are asked again, and no others: after a wait
 * that grows, and in smaller batches where it was too busy for all of them.
 */
export function inBatches(sendBatch: SendBatch, { options, refused }: Batching): RpcNode {
  const { concurrency = DEFAULT_CONCURRENCY, retries = 4 } = options;
  // How large batches may be, now and at most, and whether one of this size was answered.
  const sizes = { now: CALLS_PER_REQUEST, most: CALLS_PER_REQUEST, good: 0, isProven: false };

  async function send(
    calls: readonly RpcCall[],
    places: readonly number[],
    answers: RpcAnswer[],
  ): Promise<Outcome> {
    const answered = await sendBatch(places.map((place) => calls[place]!));
    const half = Math.max(1, Math.min(sizes.now, Math.floor(places.length / 2)));
    if (answered === null) {
      Object.assign(sizes, { now: half, most: half, isProven: false });
      return { left: places };
    }
    let busy: RpcAnswer | undefined;
    const left = places.filter((place, index) => {
      const answer = answered[index];
      if (answer === undefined) return true;
      const isOpen = isBusy(answer, calls[place]!);
      if (isOpen) busy = answer;
      else answers[place] = answer;
      return isOpen;
    });
    if (left.length === 0) {
      sizes.isProven = true;
      if (++sizes.good % RECOVERED_AFTER === 0) sizes.now = Math.min(sizes.most, 2 * sizes.now);
    } else if (left.length === places.length) {
      Object.assign(sizes, { now: half, good: 0, isProven: false });
    }
    return { left, busy };
  }

  return async (calls) => {
    const answers = new Array<RpcAnswer>(calls.length);
    let open = [...calls.keys()];
    for (let waits = 0, stalled = 0; open.length > 0;) {
      const count = sizes.isProven ? concurrency : 1;
      const batches = Array.from({ length: count }, () => open.splice(0, sizes.now))
        .filter(({ length }) => length > 0);
      const ended = await Promise.allSettled(batches.map((some) => send(calls, some, answers)));
      const outcomes = ended.map((one) => {
        if (one.status === "rejected") throw one.reason;
        return one.value;
      });
      const asked = batches.flat().length;
      const left = outcomes.flatMap((outcome) => outcome.left);
      const busy = outcomes.find((outcome) => outcome.busy !== undefined)?.busy;
      if (left.length < asked) stalled = 0;
      // Smaller batches are no retries: a node may count calls per request.
      else if (busy !== undefined && asked === 1 && ++stalled > retries) throw refused(busy);
      if (busy !== undefined) {
        // Where most were answered, the wait is a short one again.
        waits = 2 * left.length < asked ? 1 : waits + 1;
        await backOff(waits, options);
      }
      open = [...left, ...open];
    }
    return answers;
  };
}

async function backOff(times: number, options: RpcOptions): Promise<void> {
  const { clock = systemClock, signal = new AbortController().signal } = options;
  const { backoffBaseMs = 500, backoffCapMs = 10_000, random = Math.random } = options;
  const backoff = { baseMs: backoffBaseMs, capMs: backoffCapMs, random };
  await clock.sleep(computeBackoffMs(times, backoff), signal);
}

/** Code of EIP-1474 for too much at once, and codes of providers: HTTP's own, QuickNode's, MetaMask's. */
const TOO_MUCH = -32005;
const TOO_OFTEN: readonly number[] = [429, -32007, -32012, -32029];
/** What nodes say that have to answer too often. */
const WORDS =
  /rate.?limit|too many (?:concurrent )?requests|concurrent requests|request (?:rate|limit)|requests? (?:per|a) (?:second|minute)|compute units|credits limited|throughput|throttl|capacity exceeded|per second capacity|daily request/i;

/**
 * Whether a node did not answer a call because it is asked too much, so that it may answer later. A
 * query for logs that has too many results never will be.
 */
export function isBusy(answer: RpcAnswer, { method }: Pick<RpcCall, "method">): boolean {
  if (!("error" in answer)) return false;
  const { code, message } = answer.error;
  return TOO_OFTEN.includes(code) || WORDS.test(message) ||
    code === TOO_MUCH && method !== GET_LOGS;
}

/** The answer to one call: a result or an error. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** One call of JSON-RPC. */
export interface RpcCall {
  /** Name of the method, such as `eth_call`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: readonly unknown[];
}

/** Calls a node; calls passed together are sent in batches. One answer per call, in their order. */
export type RpcNode = (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>;

/** Options of requests to a node: those of a transport, `concurrency`, and a signal. */
export interface RpcOptions extends Omit<HttpTransportOptions, "rootUrl" | "cacheFolder"> {
  /**
   * Maximum number of concurrent requests, from 1 to 64; later ones start after the first is answered.
   *
   * @default {4}
   */
  readonly concurrency?: number;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of requests whose answers can be cached on disk. */
export interface CachedRpcOptions extends RpcOptions {
  /**
   * Folder in which answers are cached, created when needed. Networks and processes may share it.
   * Each batch is stored as soon as it is answered, so an interrupted call resumes where it stopped.
   *
   * @default {none; nothing is written}
   */
  readonly cacheFolder?: string;
}

const { rootUrl: _, ...SENT } = SENDING_OPTIONS;

/** Allowed values of the {@linkcode CachedRpcOptions}. */
export const CACHED_RPC_OPTIONS: OptionRules<CachedRpcOptions> = {
  ...SENT,
  concurrency: CONCURRENCY,
  signal: AbortSignal,
};

const { cacheFolder: _folder, ...ASKED } = CACHED_RPC_OPTIONS;

/** Allowed values of the {@linkcode RpcOptions}. */
export const RPC_OPTIONS: OptionRules<RpcOptions> = ASKED;

/** Method for logs. */
export const GET_LOGS = "eth_getLogs";
