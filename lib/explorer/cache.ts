/** Limits of a cache. */
interface CacheOptions<Value> {
  /** Maximum sum of the weights; the least recently used values are evicted first. */
  readonly maxWeight: number;
  /** Weight of a value. @default {1 for each} */
  readonly weigh?: (value: Value) => number;
  /** Milliseconds that a value is fresh. @default {Infinity} */
  readonly freshMs?: number;
  /** Source of time in milliseconds. @default {performance.now} */
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly createdAt: number;
}

/**
 * A bounded cache: values are computed on first use. Concurrent requests for a name
 * share one computation; failures are not cached.
 */
export class Cache<Value> {
  readonly #options: CacheOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #pending = new Map<string, Promise<Value>>();
  #weight = 0;

  /** Creates an empty cache. */
  constructor(options: CacheOptions<Value>) {
    this.#options = options;
  }

  /** Sum of the weights of the cached values. */
  get weight(): number {
    return this.#weight;
  }

  /** Returns the value of a name, computed if no fresh one is cached. */
  async get(name: string, create: () => Promise<Value>): Promise<Value> {
    const entry = this.#findFresh(name);
    if (entry !== undefined) return entry.value;
    const pending = this.#pending.get(name);
    if (pending !== undefined) return await pending;
    const created = create();
    this.#pending.set(name, created);
    try {
      const value = await created;
      this.#store(name, value);
      return value;
    } finally {
      this.#pending.delete(name);
    }
  }

  #findFresh(name: string): Entry<Value> | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { freshMs = Infinity, now = readClock } = this.#options;
    this.#entries.delete(name);
    if (now() - entry.createdAt > freshMs) {
      this.#weight -= entry.weight;
      return undefined;
    }
    this.#entries.set(name, entry);
    return entry;
  }

  #store(name: string, value: Value): void {
    const { weigh = () => 1, maxWeight, now = readClock } = this.#options;
    const weight = weigh(value);
    if (weight > maxWeight) return;
    this.#entries.set(name, { value, weight, createdAt: now() });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= maxWeight) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }
}

function readClock(): number {
  return performance.now();
}

/** Computes a value on first use, and again once it is no longer fresh. */
export function memoize<Value>(
  create: () => Promise<Value>,
  options: Pick<CacheOptions<Value>, "freshMs" | "now"> = {},
): () => Promise<Value> {
  const cache = new Cache<Value>({ maxWeight: 1, ...options });
  return () => cache.get("", create);
}

/** Values yielded between two turns of other requests. */
const BATCH_SIZE = 20;

/**
 * Gives values one by one, and lets other requests go on after every few: answers of a recording
 * wait for nothing, so that reading many of them would stop the server.
 *
 * @param signal Aborts the iteration with its reason.
 */
export async function* takeTurns<Value>(
  values: Iterable<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  let count = 0;
  for (const value of values) {
    if (++count % BATCH_SIZE === 0) await waitTurn(signal);
    signal.throwIfAborted();
    yield value;
  }
}

/** Waits until others had their turn. */
async function waitTurn(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, 0);
    signal.addEventListener("abort", end);
  });
}
