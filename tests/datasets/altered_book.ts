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

/**
 * A book of a recording whose auctions have ids that are lower: a file of 1,000 ids may begin between
 * auctions that have orders in common.
 */
export function renumberedBook(recording: Replay, lower: number, clock: Clock): OrderBook {
  const { baseUrl, deployment } = recording;
  const ofAuction = /(?<=^\/api\/v2\/solver_competition\/)\d+$/;
  const send = async (request: HttpRequest) => {
    const path = request.path.replace(ofAuction, (id) => `${Number(id) + lower}`);
    const response = await recording.send({ ...request, path });
    // Of competitions and of the auctions of reports.
    const ids = /(?<="(?:auctionId|id)":)\d+/g;
    const body = response.body.replace(ids, (id) => `${Number(id) - lower}`);
    return { ...response, body };
  };
  return connect({ baseUrl, deployment, send }, { clock });
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
