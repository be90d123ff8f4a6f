import { Duplex } from "node:stream";

/** How long is waited for a client, and how many are. */
export interface Patience {
  /** Milliseconds in all that are waited for the bytes of one request, from its first on. */
  readonly requestMs: number;
  /** Milliseconds that a connection may stay between two requests. */
  readonly idleMs: number;
  /** Milliseconds in which a client must take the next 64 KiB of an answer. */
  readonly answerMs: number;
  /**
   * Milliseconds that the rest of a refused request is read and thrown away, so that the answer
   * arrives.
   */
  readonly lingerMs: number;
  /** Connections at a time. */
  readonly connections: number;
  /** Characters of answers at a time that clients have yet to take. */
  readonly unsent: number;
}

const READ_BYTES = 8 * 1024;
const WRITE_BYTES = 64 * 1024;
const MOST_QUEUED = 32;

/**
 * A connection of a client as a stream for `node:http`, ended when the client keeps it waiting.
 *
 * Only the time counts in which nothing but the client could go on: not that of an answer in the
 * making, and not that of a body which is not being read.
 */
export class Connection extends Duplex {
  readonly #conn: Deno.Conn;
  readonly #patience: Patience;
  readonly #gone = new AbortController();
  #lastTurn: Promise<void> = Promise.resolve();
  #queued = 0;
  /** Whether reading waits until fewer requests do. */
  #isHeldUp = false;
  readonly #bytes = new Uint8Array(READ_BYTES);
  #isReading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined;
  #sinceMs = 0;
  #leftMs: number;
  #isOwed: () => boolean = () => true;
  #isIdle = false;

  /** Takes over a connection that was accepted, and waits for its first request. */
  constructor(conn: Deno.Conn, patience: Patience) {
    super({ allowHalfOpen: true });
    this.#conn = conn;
    this.#patience = patience;
    this.#leftMs = patience.requestMs;
  }

  /** Aborts when the connection ends. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Does one thing after the other: requests that a client sends without waiting for answers. While too
   * many of them wait, no more are read.
   */
  async inTurn(act: () => Promise<void>): Promise<void> {
    this.#queued++;
    const turn = this.#lastTurn.then(async () => {
      if (!this.destroyed) await act();
    });
    this.#lastTurn = turn.catch(() => {});
    await turn.finally(() => {
      this.#queued--;
      if (this.#isHeldUp && this.#queued < MOST_QUEUED) this._read();
    });
  }

  /** Waits no more once `isOwed` says that nothing is missing: a request has begun. */
  waitFor(isOwed: () => boolean): void {
    this.#isOwed = isOwed;
  }

  /** Waits for the next request: an answer is over. */
  waitForNext(): void {
    this.#isOwed = () => true;
    this.#isIdle = true;
    this.#leftMs = this.#patience.idleMs;
    this.#watch();
  }

  /**
   * Ends after a moment, in which what still comes is read and thrown away: the last answer is
   * over, and would be lost if the client were cut off while it sends.
   */
  linger(): void {
    if (this.destroyed) return;
    this.#isOwed = () => false;
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.destroy(), this.#patience.lingerMs);
    this.resume();
  }

  /** Begins to count the time that the client still has, while its bytes are waited for. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.#isReading) return;
    this.#sinceMs = performance.now();
    this.#timer = setTimeout(() => {
      if (this.#isOwed()) this.destroy();
    }, Math.max(0, this.#leftMs));
  }

  #unwatch(): void {
    clearTimeout(this.#timer);
    if (this.#isIdle) {
      this.#isIdle = false;
      this.#leftMs = this.#patience.requestMs;
    } else if (this.#isOwed()) this.#leftMs -= performance.now() - this.#sinceMs;
  }

  /** Reads what the client sends next. */
  override _read(): void {
    if (this.#isReading) return;
    this.#isHeldUp = this.#queued >= MOST_QUEUED;
    if (this.#isHeldUp) return;
    this.#isReading = true;
    this.#watch();
    void this.#read();
  }

  async #read(): Promise<void> {
    try {
      const count = await this.#conn.read(this.#bytes);
      this.#isReading = false;
      this.#unwatch();
      this.push(count === null ? null : this.#bytes.slice(0, count));
      // Who ends in the middle of a request is not answered.
      if (count === null && (this.#isOwed() || this.#lingering !== undefined)) this.destroy();
    } catch (error) {
      this.#isReading = false;
      this.destroy(error instanceof Error ? error : undefined);
    }
  }

  /** Sends bytes, as fast as the client takes them. */
  override _write(
    bytes: Uint8Array,
    _encoding: string,
    done: (error?: Error | null) => void,
  ): void {
    this.#write(bytes).then(() => done(), done);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + WRITE_BYTES, bytes.length);
      const timer = setTimeout(() => this.destroy(), this.#patience.answerMs);
      try {
        while (at < end) at += await this.#conn.write(bytes.subarray(at, end));
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /** Tells the client that nothing more comes. */
  override _final(done: (error?: Error | null) => void): void {
    // Who is gone already need not be told.
    Promise.resolve().then(() => closeWrite(this.#conn)).then(() => done(), () => done());
  }

  /** Ends the connection at once. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lingering);
    this.#gone.abort(new DOMException("The client has disconnected", "AbortError"));
    try {
      this.#conn.close();
    } catch {
      // It ended by itself.
    }
    done(error);
  }
}

async function closeWrite(conn: Deno.Conn): Promise<void> {
  await conn.closeWrite();
}
