/** How much is kept, and for how long. */
interface KeptOptions<Value> {
  /** Sum of the weights of what is kept; the values used longest ago go first. */
  readonly mostWeight: number;
  /** Weight of a value. @default {1 for each} */
  readonly weightOf?: (value: Value) => number;
  /** Milliseconds that a value is fresh. @default {Infinity} */
  readonly freshMs?: number;
  /** Source of time in milliseconds. @default {performance.now} */
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly madeAt: number;
}

/**
 * Values by name, made when they are first asked for, and kept within a bound. What several ask for
 * at the same time is made once; what fails is not kept.
 */
export class Kept<Value> {
  readonly #options: KeptOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #making = new Map<string, Promise<Value>>();
  #weight = 0;

  /** Keeps nothing yet. */
  constructor(options: KeptOptions<Value>) {
    this.#options = options;
  }

  /** Sum of the weights of what is kept. */
  get weight(): number {
    return this.#weight;
  }

  /** The value of a name; made if there is no fresh one. */
  async of(name: string, make: () => Promise<Value>): Promise<Value> {
    const kept = this.#fresh(name);
    if (kept !== undefined) return kept.value;
    const others = this.#making.get(name);
    if (others !== undefined) return await others;
    const making = make();
    this.#making.set(name, making);
    try {
      const value = await making;
      this.#keep(name, value);
      return value;
    } finally {
      this.#making.delete(name);
    }
  }

  #fresh(name: string): Entry<Value> | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { freshMs = Infinity, now = sinceStart } = this.#options;
    this.#entries.delete(name);
    if (now() - entry.madeAt > freshMs) {
      this.#weight -= entry.weight;
      return undefined;
    }
    this.#entries.set(name, entry);
    return entry;
  }

  #keep(name: string, value: Value): void {
    const { weightOf = () => 1, mostWeight, now = sinceStart } = this.#options;
    const weight = weightOf(value);
    if (weight > mostWeight) return;
    this.#entries.set(name, { value, weight, madeAt: now() });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= mostWeight) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }
}

function sinceStart(): number {
  return performance.now();
}

/** One value, made when it is first asked for, and again once it is no longer fresh. */
export function keptOne<Value>(
  make: () => Promise<Value>,
  options: Pick<KeptOptions<Value>, "freshMs" | "now"> = {},
): () => Promise<Value> {
  const kept = new Kept<Value>({ mostWeight: 1, ...options });
  return () => kept.of("", make);
}

/** Values between which others get their turn. */
const AT_ONCE = 20;

/**
 * Gives values one by one, and lets other requests go on after every few: answers of a recording
 * wait for nothing, so that reading many of them would stop the server.
 *
 * @param signal Ends it, with its reason.
 */
export async function* takeTurns<Value>(
  values: Iterable<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  let count = 0;
  for (const value of values) {
    if (++count % AT_ONCE === 0) await turn(signal);
    signal.throwIfAborted();
    yield value;
  }
}

/** Waits until others had their turn. */
async function turn(signal: AbortSignal): Promise<void> {
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
