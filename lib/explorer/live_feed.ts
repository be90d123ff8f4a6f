/** One thing that is told, and told again when it changes. */
interface LiveEvent {
  /** What it is of: the newest has the greatest. */
  readonly id: number;
  /** What it tells, as JSON. */
  readonly data: unknown;
}

/** What {@linkcode LiveFeed} needs. */
export interface LiveFeedOptions {
  /** Reads the newest things, in any order: what is not among them is forgotten. */
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
/** Things that a new follower is told at once. */
const FIRST = 25;
/** Texts that wait for a follower who does not read; then it is let go, and comes back. */
const MOST_WAITING = 500;

/** What was told, and the number of the telling. */
interface Told extends LiveEvent {
  readonly number: number;
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/**
 * What is new or has changed, for any number of followers as server-sent events, read while somebody
 * follows.
 *
 * Each telling has a number, and a follower that comes back is told all that came after its last one,
 * changes of older things included. Numbers begin with the time, so that who followed an earlier
 * feed is told everything.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #followers = new Map<Controller, number>();
  readonly #encoder = new TextEncoder();
  #told = new Map<number, Told>();
  #number = Date.now() * 1_000;
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
   * What one follower is told.
   *
   * @param last Number of the last telling that it knows; `null` for the newest things.
   */
  follow(last: number | null): ReadableStream<Uint8Array<ArrayBuffer>> {
    let own: Controller | null = null;
    return new ReadableStream({
      start: (controller) => {
        own = controller;
        controller.enqueue(this.#encoder.encode("retry: 2000\n\n"));
        this.#followers.set(controller, last ?? this.#number);
        const newest = [...this.#told.values()].sort((a, b) => b.id - a.id).slice(0, FIRST);
        this.#sendTo(controller, last === null ? newest : this.#after(last));
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
    const ascending = events.toSorted((a, b) => a.id - b.id);
    this.#told = new Map(ascending.map((event) => {
      const before = this.#told.get(event.id);
      const isSame = before !== undefined &&
        JSON.stringify(before.data) === JSON.stringify(event.data);
      return [event.id, isSame ? before : { ...event, number: ++this.#number }];
    }));
    for (const [controller, last] of [...this.#followers]) {
      this.#sendTo(controller, this.#after(last));
    }
  }

  #after(last: number): Told[] {
    return [...this.#told.values()].filter(({ number }) => number > last);
  }

  #sendTo(controller: Controller, all: readonly Told[]): void {
    for (const { number, data } of all.toSorted((a, b) => a.number - b.number)) {
      if (!this.#followers.has(controller)) return;
      this.#followers.set(controller, Math.max(number, this.#followers.get(controller)!));
      this.#send(controller, `id: ${number}\nevent: auction\ndata: ${JSON.stringify(data)}\n\n`);
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
