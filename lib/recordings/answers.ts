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

/** What a recording answers: what it recorded, and what follows from that. */
export class Answers {
  readonly #tape: Tape;
  readonly #recording: string;
  readonly #walked: AuctionRange | undefined;
  /** How many answers of each run of equal requests were given, by the run's first exchange. */
  readonly #given = new Map<Exchange, number>();
  #knownCompetitions: RecordedCompetitions | undefined;
  #knownOrders: RecordedOrders | undefined;
  #knownPages: Map<string, RecordedPage[]> | undefined;
  #listed: Recorded | undefined;

  /** Takes the tape; bodies are read when a request needs them. */
  constructor(
    tape: Tape,
    about: { readonly recording: string; readonly walked?: AuctionRange | undefined },
  ) {
    this.#tape = tape;
    this.#recording = about.recording;
    this.#walked = about.walked;
  }

  /** What can be asked for. */
  get recorded(): Recorded {
    return this.#listed ??= listRecorded(this.#tape, {
      orders: this.#orders,
      competitions: this.#competitions,
    });
  }

  /**
   * The answer to a request.
   *
   * @throws {NotRecordedError} If the recording has no response.
   */
  to(request: HttpRequest): Answer {
    const answer = request.method === "GET" ? this.#toGet(request.path) : this.#toOther(request);
    if (answer !== undefined) return answer;
    const near = this.#partlyRecorded(request);
    const recording = this.#recording;
    throw notRecorded(
      this.#tape,
      request,
      near === undefined ? { recording } : { recording, near },
    );
  }

  #toGet(path: string): Answer | undefined {
    const recorded = this.#tape.get(path);
    if (recorded !== undefined) return recorded;
    const rows = rowRangeOf(path);
    if (rows !== undefined) return composePage(this.#pages, rows);
    const key = pathKey(path);
    const about = { tape: this.#tape, walked: this.#walked };
    return composeCompetition(this.#competitions, key, about) ?? composeOrder(this.#orders, key);
  }

  #toOther({ method, path, body }: HttpRequest): Answer | undefined {
    const run = this.#tape.others(method, path, body);
    const [first] = run;
    if (isByUids(method, path)) return run.at(-1) ?? composeByUids(this.#orders, body);
    if (first === undefined) return undefined;
    const given = this.#given.get(first) ?? 0;
    this.#given.set(first, given + 1);
    return run[given] ?? run.at(-1);
  }

  /** What was recorded of a response that could not be derived. */
  #partlyRecorded({ method, path, body }: HttpRequest): Record<string, string> | undefined {
    const range = method === "GET" ? rowRangeOf(path) : undefined;
    const pages = range === undefined ? undefined : this.#pages.get(range.list);
    if (pages !== undefined) return { "rows recorded": rowsRecorded(pages) };
    if (!isByUids(method, path)) return undefined;
    const { elements, mentioned } = this.#orders;
    const bodiless = uidsOf(body)?.find((uid) => !elements.has(uid) && mentioned().has(uid));
    return bodiless === undefined ? undefined : { "without a recorded body": bodiless };
  }

  get #competitions(): RecordedCompetitions {
    return this.#knownCompetitions ??= recordedCompetitions(this.#tape);
  }

  get #orders(): RecordedOrders {
    return this.#knownOrders ??= recordedOrders(this.#tape);
  }

  get #pages(): Map<string, RecordedPage[]> {
    return this.#knownPages ??= recordedPages(this.#tape);
  }
}
