import { DecodeError } from "../errors/mod.ts";
import type { HttpRequest } from "../http/mod.ts";
import { decodeAuction } from "../schemas/mod.ts";
import type { AuctionRange } from "./deployment.ts";
import {
  composeByUids,
  composeOrder,
  composePage,
  isByUids,
  type RecordedOrders,
  recordedOrders,
  recordedPages,
  rowRangeOf,
  rowsRecorded,
  uidsOf,
} from "./recorded_lists.ts";
import type { Recording } from "./recording.ts";
import {
  composeCompetition,
  countRoutes,
  notRecorded,
  type RecordedCompetitions,
  recordedCompetitions,
} from "./recorded_competitions.ts";
import { type Answer, type Exchange, pathKey } from "./request_key.ts";

/** The responses of a recording: recorded ones, and those derived from them. */
export class Answers {
  readonly #recording: Recording;
  readonly #name: string;
  readonly #walked: AuctionRange | undefined;
  /** Number of responses returned per group of equal requests, by the group's first exchange. */
  readonly #returned = new Map<Exchange, number>();
  readonly #found: Found;

  /** Wraps a recording; bodies are parsed when a request needs them. */
  constructor(
    recording: Recording,
    context: { readonly name: string; readonly walked?: AuctionRange | undefined },
  ) {
    this.#recording = recording;
    this.#name = context.name;
    this.#walked = context.walked;
    this.#found = foundIn.get(recording) ?? find(recording);
    foundIn.set(recording, this.#found);
  }

  /** What can be requested. */
  get recorded(): Recorded {
    return this.#found.list();
  }

  /**
   * Returns the response to a request.
   *
   * @throws {NotRecordedError} If the recording has no response.
   */
  to(request: HttpRequest): Answer {
    const answer = request.method === "GET" ? this.#toGet(request.path) : this.#toOther(request);
    if (answer !== undefined) return answer;
    const context = { recording: this.#name, near: this.#partiallyRecorded(request) };
    throw notRecorded(this.#recording, request, context);
  }

  #toGet(path: string): Answer | undefined {
    const recorded = this.#recording.get(path);
    const rows = rowRangeOf(path);
    if (rows !== undefined) {
      // A list grows: pages that were recorded later, under whatever paging, are the better answer;
      // but to no refusal.
      const isKept = recorded !== undefined && (recorded.status !== 200 ||
        this.#found.pages().get(rows.list)?.at(-1)?.body === recorded.responseBody);
      return isKept ? recorded : composePage(this.#found.pages(), rows) ?? recorded;
    }
    if (recorded !== undefined) return recorded;
    const key = pathKey(path);
    const context = { recording: this.#recording, walked: this.#walked };
    return composeCompetition(this.#found.competitions(), key, context) ??
      composeOrder(this.#found.orders(), key);
  }

  #toOther({ method, path, body }: HttpRequest): Answer | undefined {
    const group = this.#recording.others(method, path, body);
    const [first] = group;
    if (isByUids(method, path)) return group.at(-1) ?? composeByUids(this.#found.orders(), body);
    if (first === undefined) return undefined;
    const returned = this.#returned.get(first) ?? 0;
    this.#returned.set(first, returned + 1);
    return group[returned] ?? group.at(-1);
  }

  /** What was recorded towards a response that cannot be derived. */
  #partiallyRecorded({ method, path, body }: HttpRequest): Record<string, string> | undefined {
    const range = method === "GET" ? rowRangeOf(path) : undefined;
    const pages = range === undefined ? undefined : this.#found.pages().get(range.list);
    if (pages !== undefined) return { "rows recorded": rowsRecorded(pages) };
    if (!isByUids(method, path)) return undefined;
    const { elements, mentioned } = this.#found.orders();
    const withoutBody = uidsOf(body)?.find((uid) => !elements.has(uid) && mentioned().has(uid));
    return withoutBody === undefined ? undefined : { "without a recorded body": withoutBody };
  }
}

/** What is found in a recording, once for all that answer from it. */
const foundIn = new WeakMap<Recording, Found>();

type Found = ReturnType<typeof find>;

/** What the bodies of a recording say, each kind parsed when it is first needed. */
function find(recording: Recording) {
  const [competitions, orders] = [
    once(() => recordedCompetitions(recording)),
    once(() => recordedOrders(recording)),
  ];
  const pages = once(() => recordedPages(recording));
  const list = once(() => listRecorded(recording, orders(), competitions()));
  return { competitions, orders, pages, list };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What a recording contains. All lists are sorted and without duplicates. */
export interface Recorded {
  /** Auctions whose competition can be requested by id, ascending. */
  readonly auctionIds: readonly number[];
  /** Orders whose body can be requested. */
  readonly orderUids: readonly string[];
  /** Accounts whose orders can be requested. */
  readonly accounts: readonly string[];
  /** Settlement transactions whose orders or competition can be requested. */
  readonly txHashes: readonly string[];
  /** Tokens whose native price can be requested. */
  readonly tokens: readonly string[];
  /** App data documents that can be requested. */
  readonly appDataHashes: readonly string[];
  /**
   * Owners whose JIT orders capture surplus, as listed in the last recorded `GET auction`; `null`
   * without such a response.
   */
  readonly surplusCapturingJitOrderOwners: readonly string[] | null;
  /** Number of exchanges by method and route, such as `GET /api/v1/orders/{uid}`, largest first. */
  readonly routes: ReadonlyMap<string, number>;
}

const accountOrders = /^\/api\/v1\/account\/(0x[0-9a-f]{40})\/orders(?:\?|$)/;
const txOrders = /^\/api\/v1\/(?:transactions\/|orders\/tx\/)(0x[0-9a-f]{64})/;
const txCompetition = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/;
const nativePrice = /^\/api\/v1\/token\/(0x[0-9a-f]{40})\/native_price$/;
const appData = /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/;

/** Lists what a recording answers with status 200. */
function listRecorded(
  recording: Recording,
  { elements }: RecordedOrders,
  { ids }: RecordedCompetitions,
): Recorded {
  const uids = elements.entries().filter(([, element]) => element !== null);
  return Object.freeze({
    auctionIds: Object.freeze([...ids]),
    orderUids: Object.freeze(uids.map(([uid]) => uid).toArray().sort()),
    accounts: namesIn(recording, [accountOrders]),
    txHashes: namesIn(recording, [txOrders, txCompetition]),
    tokens: namesIn(recording, [nativePrice]),
    appDataHashes: namesIn(recording, [appData]),
    surplusCapturingJitOrderOwners: capturingOwners(recording),
    routes: new Map(countRoutes(recording)),
  });
}

function capturingOwners(recording: Recording): readonly string[] | null {
  const answer = recording.get("/api/v1/auction");
  if (answer === undefined || answer.status !== 200) return null;
  try {
    const owners = decodeAuction(JSON.parse(answer.responseBody)).surplusCapturingJitOrderOwners;
    return owners === undefined ? null : Object.freeze([...owners]);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function namesIn(recording: Recording, patterns: readonly RegExp[]): readonly string[] {
  const names = new Set<string>();
  for (const [key, { status }] of recording.gets) {
    if (status !== 200) continue;
    for (const pattern of patterns) {
      const name = pattern.exec(key)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return Object.freeze([...names].sort());
}
