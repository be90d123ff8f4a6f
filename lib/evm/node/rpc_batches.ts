import { CONCURRENCY, DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import { type OptionRules, SIGNAL } from "../../errors/option_rules.ts";
import { backoffMs } from "../../http/limits.ts";
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
type SendBatch = (
  calls: readonly RpcCall[],
) => Promise<readonly (RpcAnswer | undefined)[] | null>;

/** How batches are sent, and what is thrown where calls stay unanswered. */
interface Batching {
  /** Options of requests. */
  readonly options: RpcOptions;
  /** The error for a call that a node is too busy to answer. */
  readonly refused: (answer: RpcAnswer) => unknown;
}

/**
 * A node that takes any number of calls: they are sent in batches of 100, several at once after the
 * first one is answered.
 *
 * When the node rejects a batch, all later ones are half as large, down to single calls. Calls
 * that it leaves out of an answer, or is too busy for, are asked again, and no others: after a wait
 * that grows, and in smaller batches where it was too busy for all of them.
 */
export function inBatches(sendBatch: SendBatch, batching: Batching): RpcNode {
  const { concurrency = DEFAULT_CONCURRENCY } = batching.options;
  const sizes = new BatchSizes(concurrency);
  return (calls) => new Batches(sendBatch, sizes, batching).ask(calls);
}

/** How large batches may be, and how many are sent at once: learnt from what a node answers. */
class BatchSizes {
  /** Calls per request. */
  limit = CALLS_PER_REQUEST;
  readonly #concurrency: number;
  #most = CALLS_PER_REQUEST;
  #good = 0;
  /** Whether a batch of this size was answered; before that, one is sent at a time. */
  #isProven = false;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Waits until another batch may be sent. */
  async enter(): Promise<void> {
    while (this.#running >= (this.#isProven ? this.#concurrency : 1)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running++;
  }

  /** Lets others be sent. */
  leave(): void {
    this.#running--;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** A batch was answered as a whole. */
  answered(): void {
    this.#isProven = true;
    if (this.limit === this.#most || ++this.#good < RECOVERED_AFTER) return;
    this.limit = Math.min(this.#most, 2 * this.limit);
    this.#good = 0;
  }

  /** A batch was rejected, for good. */
  rejected(size: number): void {
    this.limit = this.#most = Math.max(1, Math.min(this.limit, Math.floor(size / 2)));
    this.#isProven = false;
  }

  /** All calls of a batch were too much, for now: the next one is sent alone. */
  tooBusy(size: number): void {
    this.limit = Math.max(1, Math.min(this.limit, Math.floor(size / 2)));
    this.#isProven = false;
    this.#good = 0;
  }
}

/** What came of sending calls once. */
interface Round {
  /** Places of the calls that are to be asked again. */
  again: number[];
  /** Whether the node was too busy for some of them. */
  isBusy: boolean;
  /** A batch that it was too busy for as a whole. */
  refused: { readonly answer: RpcAnswer; readonly size: number } | undefined;
}

/** The batches of some calls. */
class Batches {
  readonly #send: SendBatch;
  readonly #sizes: BatchSizes;
  readonly #batching: Batching;

  constructor(send: SendBatch, sizes: BatchSizes, batching: Batching) {
    this.#send = send;
    this.#sizes = sizes;
    this.#batching = batching;
  }

  async ask(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const { retries = 4 } = this.#batching.options;
    const answers: (RpcAnswer | undefined)[] = calls.map(() => undefined);
    let open = calls.map((_, place) => place);
    for (let waits = 0, stalled = 0; open.length > 0;) {
      const { again, refused, isBusy } = await this.#round(calls, open, answers);
      if (again.length < open.length) stalled = 0;
      // Smaller batches are no retries: a node may count calls per request.
      else if (refused?.size === 1 && ++stalled > retries) {
        throw this.#batching.refused(refused.answer);
      }
      // Where most were answered, the next wait is a short one again.
      if (2 * again.length < open.length) waits = 0;
      if (isBusy) await this.#wait(++waits);
      open = again;
    }
    return answers as RpcAnswer[];
  }

  /** Sends calls until all are sent, or the node is too busy for a batch as a whole. */
  async #round(
    calls: readonly RpcCall[],
    open: readonly number[],
    answers: (RpcAnswer | undefined)[],
  ): Promise<Round> {
    const queue = [...open];
    const round: Round = { again: [], isBusy: false, refused: undefined };
    const { concurrency = DEFAULT_CONCURRENCY } = this.#batching.options;
    const work = async () => {
      while (queue.length > 0) {
        await this.#sizes.enter();
        try {
          const places = queue.splice(0, this.#sizes.limit);
          if (places.length === 0) return;
          const answered = await this.#send(places.map((place) => calls[place]!));
          if (answered === null) {
            this.#sizes.rejected(places.length);
            queue.unshift(...places);
            continue;
          }
          const left = places.filter((place, index) => {
            const answer = answered[index];
            const isOpen = answer === undefined || isBusy(answer, calls[place]!);
            if (!isOpen) answers[place] = answer;
            return isOpen;
          });
          round.again.push(...left);
          if (left.length === 0) this.#sizes.answered();
          const busy = answered.find((answer) => answer !== undefined && "error" in answer);
          if (left.length > 0 && busy !== undefined) round.isBusy = true;
          if (left.length < places.length || busy === undefined) continue;
          this.#sizes.tooBusy(places.length);
          round.refused = { answer: busy, size: places.length };
          round.again.push(...queue.splice(0));
        } catch (error) {
          queue.length = 0;
          throw error;
        } finally {
          this.#sizes.leave();
        }
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
    round.again.sort((a, b) => a - b);
    return round;
  }

  async #wait(times: number): Promise<void> {
    const { options } = this.#batching;
    const { clock = systemClock, signal = new AbortController().signal } = options;
    const { backoffBaseMs = 500, backoffCapMs = 10_000, random = Math.random } = options;
    const backoff = { baseMs: backoffBaseMs, capMs: backoffCapMs, random };
    await clock.sleep(backoffMs(times, backoff), signal);
  }
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
  readonly signal?: AbortSignal;
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
  signal: SIGNAL,
};

const { cacheFolder: _folder, ...ASKED } = CACHED_RPC_OPTIONS;

/** Allowed values of the {@linkcode RpcOptions}. */
export const RPC_OPTIONS: OptionRules<RpcOptions> = ASKED;

/** Method for logs. */
export const GET_LOGS = "eth_getLogs";
