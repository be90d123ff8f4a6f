import { bodyKey, type Exchange, pathKey } from "./request_key.ts";

/** Paths that differ between the service and its OpenAPI document: [service, document]. */
const spellings: readonly (readonly [string, string])[] = [
  ["/restricted/api/v1/debug/order/$1", "/api/v1/debug/order/$1"],
  ["/api/v1/transactions/$1/orders", "/api/v1/orders/tx/$1"],
];

/** An exchange with its normalized path. */
export interface KeyedExchange {
  /** Key of the path, from `pathKey`. */
  readonly key: string;
  /** The exchange. */
  readonly exchange: Exchange;
}

/**
 * The exchanges of one recording, indexed by request.
 */
export class Recording {
  /** Every exchange with its key, in recorded order. */
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

  /** The last exchange of each recorded GET, by key, in recorded order. */
  get gets(): ReadonlyMap<string, Exchange> {
    return this.#gets;
  }

  /** The last exchange of a GET, also under the other spelling of its path. */
  get(path: string): Exchange | undefined {
    const key = pathKey(path);
    const exact = this.#gets.get(key);
    if (exact !== undefined) return exact;
    const other = otherSpelling(key);
    const answer = other === undefined ? undefined : this.#gets.get(other);
    // An empty 404 means that the route is unknown under this spelling; the resource may exist.
    return answer?.status === 404 && answer.responseBody === "" ? undefined : answer;
  }

  /** All exchanges of a request other than GET with an equal body, in recorded order. */
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

/** The other spelling of a path: the service's for the document's, and the reverse. */
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
