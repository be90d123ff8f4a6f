import { DecodeError } from "../errors/mod.ts";
import type { HttpRequest } from "../http/mod.ts";
import { decodeAuction } from "../schemas/mod.ts";
import type { AuctionRange } from "./deployment.ts";
import {
  collectOrders,
  collectPages,
  composeByUids,
  composeOrder,
  composePage,
  describeRows,
  isByUids,
  parseRowRange,
  parseUids,
  type RecordedOrders,
} from "./recorded_lists.ts";
import type { Recording } from "./recording.ts";
import {
  collectCompetitions,
  composeCompetition,
  countRoutes,
  type RecordedCompetitions,
  toNotRecorded,
} from "./recorded_competitions.ts";
import { type Exchange, normalizePath, type RecordedResponse } from "./request_key.ts";

/** The responses of a recording: recorded ones, and those derived from them. */
export class Responses {
  readonly #recording: Recording;
  readonly #name: string;
  readonly #walked: AuctionRange | undefined;
  /** Number of responses returned per group of equal requests, by the group's first exchange. */
  readonly #returned = new Map<Exchange, number>();
  readonly #content: Content;

  /** Wraps a recording; bodies are parsed when a request needs them. */
  constructor(
    recording: Recording,
    context: { readonly name: string; readonly walked?: AuctionRange | undefined },
  ) {
    this.#recording = recording;
    this.#name = context.name;
    this.#walked = context.walked;
    this.#content = contentByRecording.get(recording) ?? indexContent(recording);
    contentByRecording.set(recording, this.#content);
  }

  /** Everything that can be requested. */
  get recorded(): RecordedSubjects {
    return this.#content.list();
  }

  /**
   * Returns the response to a request.
   *
   * @throws {NotRecordedError} If the recording has no response.
   */
  respond(request: HttpRequest): RecordedResponse {
    const response = request.method === "GET"
      ? this.#respondToGet(request.path)
      : this.#respondToOther(request);
    if (response !== undefined) return response;
    const context = { recording: this.#name, near: this.#describePartial(request) };
    throw toNotRecorded(this.#recording, request, context);
  }

  #respondToGet(path: string): RecordedResponse | undefined {
    const recorded = this.#recording.get(path);
    const rows = parseRowRange(path);
    if (rows !== undefined) {
      // A list grows: pages recorded later, under any paging, replace this one, but not a refusal.
      const isLatest = recorded !== undefined && (recorded.status !== 200 ||
        this.#content.pages().get(rows.list)?.at(-1)?.body === recorded.responseBody);
      return isLatest ? recorded : composePage(this.#content.pages(), rows) ?? recorded;
    }
    if (recorded !== undefined) return recorded;
    const key = normalizePath(path);
    const context = { recording: this.#recording, walked: this.#walked };
    return composeCompetition(this.#content.competitions(), key, context) ??
      composeOrder(this.#content.orders(), key);
  }

  #respondToOther({ method, path, body }: HttpRequest): RecordedResponse | undefined {
    const group = this.#recording.findByBody(method, path, body);
    const [first] = group;
    if (isByUids(method, path)) return group.at(-1) ?? composeByUids(this.#content.orders(), body);
    if (first === undefined) return undefined;
    const returned = this.#returned.get(first) ?? 0;
    this.#returned.set(first, returned + 1);
    return group[returned] ?? group.at(-1);
  }

  /** Describes what was recorded of a response that cannot be derived. */
  #describePartial({ method, path, body }: HttpRequest): Record<string, string> | undefined {
    const range = method === "GET" ? parseRowRange(path) : undefined;
    const pages = range === undefined ? undefined : this.#content.pages().get(range.list);
    if (pages !== undefined) return { "rows recorded": describeRows(pages) };
    if (!isByUids(method, path)) return undefined;
    const { elements, mentioned } = this.#content.orders();
    const withoutBody = parseUids(body)?.find((uid) => !elements.has(uid) && mentioned().has(uid));
    return withoutBody === undefined ? undefined : { "without a recorded body": withoutBody };
  }
}

/** Content of each recording, shared by all replays of it. */
const contentByRecording = new WeakMap<Recording, Content>();

type Content = ReturnType<typeof indexContent>;

/** Indexes the content of a recording; each kind is parsed when it is first needed. */
function indexContent(recording: Recording) {
  const [competitions, orders] = [
    memoize(() => collectCompetitions(recording)),
    memoize(() => collectOrders(recording)),
  ];
  const pages = memoize(() => collectPages(recording));
  const list = memoize(() => listRecorded(recording, orders(), competitions()));
  return { competitions, orders, pages, list };
}

function memoize<Value>(make: () => Value): () => Value {
  let cache: { readonly value: Value } | undefined;
  return () => (cache ??= { value: make() }).value;
}

/** Content of a recording. All lists are sorted and without duplicates. */
export interface RecordedSubjects {
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

/** Lists the content of a recording with responses of status 200. */
function listRecorded(
  recording: Recording,
  { elements }: RecordedOrders,
  { ids }: RecordedCompetitions,
): RecordedSubjects {
  const uids = elements.entries().filter(([, element]) => element !== null);
  return Object.freeze({
    auctionIds: Object.freeze([...ids]),
    orderUids: Object.freeze(uids.map(([uid]) => uid).toArray().sort()),
    accounts: collectNames(recording, [accountOrders]),
    txHashes: collectNames(recording, [txOrders, txCompetition]),
    tokens: collectNames(recording, [nativePrice]),
    appDataHashes: collectNames(recording, [appData]),
    surplusCapturingJitOrderOwners: findCapturingOwners(recording),
    routes: new Map(countRoutes(recording)),
  });
}

function findCapturingOwners(recording: Recording): readonly string[] | null {
  const response = recording.get("/api/v1/auction");
  if (response === undefined || response.status !== 200) return null;
  try {
    const owners = decodeAuction(JSON.parse(response.responseBody)).surplusCapturingJitOrderOwners;
    return owners === undefined ? null : Object.freeze([...owners]);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function collectNames(recording: Recording, patterns: readonly RegExp[]): readonly string[] {
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
