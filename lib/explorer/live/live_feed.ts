/** One event: its number rises with each. */
export interface LiveEvent {
  /** Its number, which a follower that comes back names. */
  readonly id: number;
  /** What it tells, as JSON. */
  readonly data: unknown;
}

/** What {@linkcode LiveFeed} needs. */
export interface LiveFeedOptions {
  /** Reads the newest events, in any order. */
  readonly read: () => Promise<readonly LiveEvent[]>;
  /** The words for a failure of `read`. */
  readonly wordsOf: (error: unknown) => string;
  /** Milliseconds between two readings. */
  readonly pollMs: number;
  /** Milliseconds between two signs of life. */
  readonly heartbeatMs: number;
}

/** Followers at the same time; more are told to come back. */
export const MOST_FOLLOWERS = 100;
/** Events that are kept for followers that come back. */
const MOST_KEPT = 200;
/** Events that a new follower gets at once. */
const FIRST = 25;
/** Texts that wait for a follower who does not read; then it is let go, and comes back. */
const MOST_WAITING = 500;

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/**
 * New events for any number of followers as server-sent events, read while somebody follows.
 *
 * Each follower gets every event once, in ascending order of the numbers.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #followers = new Map<Controller, number>();
  readonly #encoder = new TextEncoder();
  #events: LiveEvent[] = [];
  #poll: ReturnType<typeof setTimeout> | null = null;
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  #isReading = false;
  #isClosed = false;

  /** Reads nothing before somebody follows. */
  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  /** Whether another follower is taken. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#followers.size < MOST_FOLLOWERS;
  }

  /**
   * The events for one follower.
   *
   * @param lastId Number of the last event that it knows; `null` for the newest ones.
   */
  follow(lastId: number | null): ReadableStream<Uint8Array<ArrayBuffer>> {
    let own: Controller | null = null;
    return new ReadableStream({
      start: (controller) => {
        own = controller;
        controller.enqueue(this.#encoder.encode("retry: 2000\n\n"));
        const known = lastId ?? (this.#events.at(-FIRST - 1)?.id ?? -1);
        this.#followers.set(controller, known);
        this.#sendTo(controller);
        this.#begin();
      },
      cancel: () => {
        if (own !== null) this.#leave(own);
      },
    }, { highWaterMark: MOST_WAITING });
  }

  /** Ends all followers and all reading. */
  close(): void {
    this.#isClosed = true;
    for (const controller of [...this.#followers.keys()]) {
      this.#leave(controller);
      controller.close();
    }
    this.#pause();
  }

  #begin(): void {
    this.#heartbeat ??= setInterval(() => this.#sendAll(": alive\n\n"), this.#options.heartbeatMs);
    if (this.#poll === null && !this.#isReading) void this.#read();
  }

  #pause(): void {
    if (this.#poll !== null) clearTimeout(this.#poll);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#poll = null;
    this.#heartbeat = null;
  }

  async #read(): Promise<void> {
    this.#poll = null;
    this.#isReading = true;
    try {
      this.#add(await this.#options.read());
    } catch (error) {
      const words = JSON.stringify({ error: this.#options.wordsOf(error) });
      this.#sendAll(`event: trouble\ndata: ${words}\n\n`);
    } finally {
      this.#isReading = false;
    }
    if (this.#followers.size === 0 || this.#isClosed) return;
    this.#poll = setTimeout(() => void this.#read(), this.#options.pollMs);
  }

  #add(events: readonly LiveEvent[]): void {
    const last = this.#events.at(-1)?.id ?? -1;
    const added = events.filter(({ id }) => id > last).sort((a, b) => a.id - b.id);
    const again = new Map(events.map((event) => [event.id, event]));
    const changed = this.#events.flatMap(({ id, data }) => {
      const now = again.get(id);
      return now === undefined || JSON.stringify(now.data) === JSON.stringify(data) ? [] : now;
    });
    const known = this.#events.map((event) => changed.find(({ id }) => id === event.id) ?? event);
    this.#events = [...known, ...added].slice(-MOST_KEPT);
    for (const [controller, upTo] of [...this.#followers]) {
      // Without a number, so that a follower that comes back goes on behind the newest.
      for (const { id, data } of changed) {
        if (id > upTo || !this.#followers.has(controller)) continue;
        this.#send(controller, `event: auction\ndata: ${JSON.stringify(data)}\n\n`);
      }
      if (this.#followers.has(controller)) this.#sendTo(controller);
    }
  }

  #sendTo(controller: Controller): void {
    const known = this.#followers.get(controller)!;
    for (const { id, data } of this.#events) {
      if (id <= known || !this.#followers.has(controller)) continue;
      this.#followers.set(controller, id);
      this.#send(controller, `id: ${id}\nevent: auction\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  #sendAll(text: string): void {
    for (const controller of [...this.#followers.keys()]) this.#send(controller, text);
  }

  #send(controller: Controller, text: string): void {
    controller.enqueue(this.#encoder.encode(text));
    if ((controller.desiredSize ?? 0) > 0) return;
    this.#leave(controller);
    controller.close();
  }

  #leave(controller: Controller): void {
    this.#followers.delete(controller);
    if (this.#followers.size === 0) this.#pause();
  }
}
