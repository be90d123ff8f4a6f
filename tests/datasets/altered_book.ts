import { connect } from "orderlens";
import type { Clock, HttpRequest, HttpResponse } from "orderlens/http";
import type { Replay } from "orderlens/recordings";
import { OrderBook } from "../../lib/client/order_book.ts";

/** What becomes of an answer on its way. */
export type Change = (request: HttpRequest, response: HttpResponse) => HttpResponse;

/** A book of a recording whose answers are changed on their way, or only listened to. */
export function changedBook(
  recording: Pick<Replay, "baseUrl" | "deployment" | "send">,
  change: Change = (_, same) => same,
  clock?: Clock,
): OrderBook {
  const { baseUrl, deployment } = recording;
  const send = async (request: HttpRequest) => change(request, await recording.send(request));
  return connect({ baseUrl, deployment, send }, clock === undefined ? {} : { clock });
}

/** The same, and what it is asked for: method and path of each request. */
export function listening(
  recording: Replay,
  clock: Clock,
  change: Change = (_, same) => same,
): { book: OrderBook; asked: string[] } {
  const asked: string[] = [];
  const book = changedBook(recording, (request, response) => {
    asked.push(`${request.method} ${request.path}`);
    return change(request, response);
  }, clock);
  return { book, asked };
}

/** The same book as one of an environment, which no recording tells. */
export function ofEnvironment(book: OrderBook, environment: "production" | "staging"): OrderBook {
  const { transport, network, chainId, settlementContract, clock } = book;
  return new OrderBook({ transport, network, environment, chainId, settlementContract, clock });
}

/** A book of a recording whose answers are altered on their way: path and parsed body in. */
export function alteredBook(
  recording: Replay,
  // deno-lint-ignore no-explicit-any -- any field of an answer may be altered
  alter: (path: string, body: any) => void,
  clock?: Clock,
): OrderBook {
  return changedBook(recording, ({ path }, response) => {
    if (response.status !== 200) return response;
    const body = JSON.parse(response.body);
    alter(path, body);
    return { ...response, body: JSON.stringify(body) };
  }, clock);
}

const ROUTE = "/api/v2/solver_competition/";

/**
 * A book of a market around 2000, where a file begins: the first auction from there on is the last one
 * before, under its own id.
 */
export function repeatingBook(
  recording: Replay,
  others: Replay["send"] = recording.send,
): { book: OrderBook; before: number; after: number } {
  const before = recording.recorded.auctionIds.findLast((id) => id < 2000)!;
  const after = recording.recorded.auctionIds.find((id) => id >= 2000)!;
  const book = connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    send: async (request) => {
      if (request.path !== `${ROUTE}${after}`) return await others.call(recording, request);
      const response = await recording.send({ ...request, path: `${ROUTE}${before}` });
      const body = response.body.replace(`"auctionId":${before}`, `"auctionId":${after}`);
      return { ...response, body };
    },
  });
  return { book, before, after };
}

/** A book of auctions that are so far apart that a dataset of few has several files of 1,000. */
export interface SpreadBook {
  /** The book. */
  readonly book: OrderBook;
  /** Ids from the first auction to the last. */
  readonly auctions: { readonly from: number; readonly to: number };
}

/**
 * The last auctions of a recording under other ids: the first is `from`, and each of the others is
 * `step` behind the one before. Ids between them have no auction; orders and fills stay as they are,
 * so that many auctions bid on the same order.
 */
export function spreadBook(
  recording: Replay,
  { count, from, step }: { readonly count: number; readonly from: number; readonly step: number },
): SpreadBook {
  const own = recording.recorded.auctionIds;
  const known = new Set(own);
  const absent = own.find((id) => !known.has(id + 1))! + 1;
  const chosen = own.slice(-count);
  const newOf = new Map(chosen.map((id, place) => [id, from + place * step]));
  const oldOf = new Map(Array.from(newOf, ([old, id]) => [`${ROUTE}${id}`, old]));
  oldOf.set(`${ROUTE}latest`, chosen.at(-1)!);
  const book = connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    async send(request) {
      const isById = /^\/api\/v2\/solver_competition\/(?:\d+|latest)$/.test(request.path);
      const path = isById ? `${ROUTE}${oldOf.get(request.path) ?? absent}` : request.path;
      const response = await recording.send({ ...request, path });
      if (!path.startsWith(ROUTE) || response.status !== 200) return response;
      const body = response.body.replace(
        /^\{"auctionId":(\d+)/,
        (whole, id) => newOf.has(Number(id)) ? `{"auctionId":${newOf.get(Number(id))}` : whole,
      );
      return { ...response, body };
    },
  });
  return { book, auctions: { from, to: from + (count - 1) * step } };
}

/** A clock whose waits take no time, and which keeps how long they were. */
export class TestClock implements Clock {
  /** Unix milliseconds. */
  ms: number;
  /** Waits, in milliseconds. */
  readonly waits: number[] = [];
  readonly #sleepers: { readonly untilMs: number; readonly wake: () => void }[] = [];

  /** Begins at a time. */
  constructor(ms = Date.UTC(2026, 10, 22)) {
    this.ms = ms;
  }

  now(): number {
    return this.ms;
  }

  /** Sleepers wake one after another, the one with the earliest time first. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    return new Promise((resolve) => {
      this.#sleepers.push({ untilMs: this.ms + ms, wake: resolve });
      setTimeout(() => this.#wakeOne(), 0);
    });
  }

  #wakeOne(): void {
    this.#sleepers.sort((a, b) => a.untilMs - b.untilMs);
    const next = this.#sleepers.shift();
    if (next === undefined) return;
    this.ms = Math.max(this.ms, next.untilMs);
    next.wake();
  }
}
