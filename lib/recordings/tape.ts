import type { Exchange } from "./exchange.ts";
import { bodyKey, pathKey } from "./request_key.ts";

/** Paths that the interface document and the service spell differently: [service, document]. */
const spellings: readonly (readonly [string, string])[] = [
  ["/restricted/api/v1/debug/order/$1", "/api/v1/debug/order/$1"],
  ["/api/v1/transactions/$1/orders", "/api/v1/orders/tx/$1"],
];

/** An exchange and its path so written that the same request is the same text. */
export interface KeyedExchange {
  /** What `pathKey` makes of the path. */
  readonly key: string;
  /** The exchange. */
  readonly exchange: Exchange;
}

/**
 * The exchanges of one recording, found by request. A GET answers what it answered last; any other
 * request answers in the order it was recorded, and the last answer from then on.
 */
export class Tape {
  /** Every exchange with the key of its path, in the order recorded. */
  readonly keyed: readonly KeyedExchange[];
  readonly #gets = new Map<string, Exchange>();
  readonly #others = new Map<string, Exchange[]>();
  readonly #byBody = new Map<string, Map<string, Exchange[]>>();

  /** Indexes the exchanges by method and path; no body is parsed. */
  constructor(exchanges: readonly Exchange[]) {
    this.keyed = exchanges.map((exchange) => ({ key: pathKey(exchange.path), exchange }));
    for (const { key, exchange } of this.keyed) {
      if (exchange.method === "GET") {
        this.#gets.delete(key);
        this.#gets.set(key, exchange);
      } else append(this.#others, `${exchange.method} ${key}`, exchange);
    }
  }

  /** Recorded GET requests by their key, each with its last answer, in the order of these answers. */
  get gets(): ReadonlyMap<string, Exchange> {
    return this.#gets;
  }

  /** The last answer to a GET, also under the other spelling of its path. */
  get(path: string): Exchange | undefined {
    const key = pathKey(path);
    const exact = this.#gets.get(key);
    if (exact !== undefined) return exact;
    const other = otherSpelling(key);
    const answer = other === undefined ? undefined : this.#gets.get(other);
    // An empty 404 says that the route is missing under that spelling, nothing about the resource.
    return answer?.status === 404 && answer.responseBody === "" ? undefined : answer;
  }

  /** Every answer to a request that is no GET with an equal body, in the order recorded. */
  others(method: string, path: string, body: string | undefined): readonly Exchange[] {
    const route = `${method} ${pathKey(path)}`;
    let bodies = this.#byBody.get(route);
    if (bodies === undefined) {
      bodies = new Map();
      for (const exchange of this.#others.get(route) ?? []) {
        append(bodies, bodyKey(exchange.requestBody), exchange);
      }
      this.#byBody.set(route, bodies);
    }
    return bodies.get(bodyKey(body)) ?? [];
  }
}

function append<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The other of two spellings of a path: the service's for the document's, and the reverse. */
export function otherSpelling(key: string): string | undefined {
  for (const [service, document] of spellings) {
    for (const [from, to] of [[service, document], [document, service]] as const) {
      const found = patternOf(from).exec(key)?.[1];
      if (found !== undefined) return to.replace("$1", found);
    }
  }
}

function patternOf(spelling: string): RegExp {
  return new RegExp(`^${spelling.replace("$1", "(0x[0-9a-f]+)")}$`);
}
