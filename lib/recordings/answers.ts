import type { HttpRequest } from "../http/mod.ts";
import type { AuctionRange } from "./deployment.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { notRecorded } from "./not_recorded.ts";
import { listRecorded, type Recorded } from "./recorded.ts";
import {
  composeCompetition,
  type RecordedCompetitions,
  recordedCompetitions,
} from "./recorded_competitions.ts";
import {
  composePage,
  type RecordedPage,
  recordedPages,
  rowRangeOf,
  rowsRecorded,
} from "./recorded_lists.ts";
import {
  composeByUids,
  composeOrder,
  isByUids,
  type RecordedOrders,
  recordedOrders,
  uidsOf,
} from "./recorded_orders.ts";
import { pathKey } from "./request_key.ts";
import type { Tape } from "./tape.ts";

/** The responses of a recording: recorded ones, and those derived from them. */
export class Answers {
  readonly #tape: Tape;
  readonly #recording: string;
  readonly #walked: AuctionRange | undefined;
  /** Number of responses returned per group of equal requests, by the group's first exchange. */
  readonly #returned = new Map<Exchange, number>();
  #cachedCompetitions: RecordedCompetitions | undefined;
  #cachedOrders: RecordedOrders | undefined;
  #cachedPages: Map<string, RecordedPage[]> | undefined;
  #cachedList: Recorded | undefined;

  /** Wraps a tape; bodies are parsed when a request needs them. */
  constructor(
    tape: Tape,
    context: { readonly recording: string; readonly walked?: AuctionRange | undefined },
  ) {
    this.#tape = tape;
    this.#recording = context.recording;
    this.#walked = context.walked;
  }

  /** What can be requested. */
  get recorded(): Recorded {
    return this.#cachedList ??= listRecorded(this.#tape, {
      orders: this.#orders,
      competitions: this.#competitions,
    });
  }

  /**
   * Returns the response to a request.
   *
   * @throws {NotRecordedError} If the recording has no response.
   */
  to(request: HttpRequest): Answer {
    const answer = request.method === "GET" ? this.#toGet(request.path) : this.#toOther(request);
    if (answer !== undefined) return answer;
    const near = this.#partiallyRecorded(request);
    const recording = this.#recording;
    throw notRecorded(
      this.#tape,
      request,
      near === undefined ? { recording } : { recording, near },
    );
  }

  #toGet(path: string): Answer | undefined {
    const recorded = this.#tape.get(path);
    const rows = rowRangeOf(path);
    if (rows !== undefined) {
      // A list grows: pages that were recorded later, under whatever paging, are the better answer;
      // but to no refusal.
      const isKept = recorded !== undefined && (recorded.status !== 200 ||
        this.#pages.get(rows.list)?.at(-1)?.body === recorded.responseBody);
      return isKept ? recorded : composePage(this.#pages, rows) ?? recorded;
    }
    if (recorded !== undefined) return recorded;
    const key = pathKey(path);
    const context = { tape: this.#tape, walked: this.#walked };
    return composeCompetition(this.#competitions, key, context) ?? composeOrder(this.#orders, key);
  }

  #toOther({ method, path, body }: HttpRequest): Answer | undefined {
    const group = this.#tape.others(method, path, body);
    const [first] = group;
    if (isByUids(method, path)) return group.at(-1) ?? composeByUids(this.#orders, body);
    if (first === undefined) return undefined;
    const returned = this.#returned.get(first) ?? 0;
    this.#returned.set(first, returned + 1);
    return group[returned] ?? group.at(-1);
  }

  /** What was recorded towards a response that cannot be derived. */
  #partiallyRecorded({ method, path, body }: HttpRequest): Record<string, string> | undefined {
    const range = method === "GET" ? rowRangeOf(path) : undefined;
    const pages = range === undefined ? undefined : this.#pages.get(range.list);
    if (pages !== undefined) return { "rows recorded": rowsRecorded(pages) };
    if (!isByUids(method, path)) return undefined;
    const { elements, mentioned } = this.#orders;
    const withoutBody = uidsOf(body)?.find((uid) => !elements.has(uid) && mentioned().has(uid));
    return withoutBody === undefined ? undefined : { "without a recorded body": withoutBody };
  }

  get #competitions(): RecordedCompetitions {
    return this.#cachedCompetitions ??= recordedCompetitions(this.#tape);
  }

  get #orders(): RecordedOrders {
    return this.#cachedOrders ??= recordedOrders(this.#tape);
  }

  get #pages(): Map<string, RecordedPage[]> {
    return this.#cachedPages ??= recordedPages(this.#tape);
  }
}
