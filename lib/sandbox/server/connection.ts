import { Duplex } from "node:stream";

/** Timeouts and limits of connections. */
export interface Patience {
  /** Total time to wait for the bytes of one request, in milliseconds. */
  readonly requestMs: number;
  /** Maximum time between two requests, in milliseconds. */
  readonly idleMs: number;
  /** Maximum time for a client to read the next 64 KiB of a response, in milliseconds. */
  readonly answerMs: number;
  /**
   * Time for which the rest of a rejected request is read and discarded, so that the response
   * arrives, in milliseconds.
   */
  readonly lingerMs: number;
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Maximum number of unread response characters over all connections. */
  readonly unsent: number;
}

const READ_BYTES = 8 * 1024;
const WRITE_BYTES = 64 * 1024;
const MOST_QUEUED = 32;

/**
 * A client's connection as a stream for `node:http`. It closes when the client is too slow.
 *
 * Only time spent waiting for the client counts: not the time to compute a response, and not the
 * time during which a body is not being read.
 */
export class Connection extends Duplex {
  readonly #conn: Deno.Conn;
  readonly #patience: Patience;
  readonly #gone = new AbortController();
  #lastTurn: Promise<void> = Promise.resolve();
  #queued = 0;
  /** Whether reading is paused because too many requests are queued. */
  #isHeldUp = false;
  readonly #bytes = new Uint8Array(READ_BYTES);
  #isReading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined;
  #sinceMs = 0;
  #leftMs: number;
  #isOwed: () => boolean = () => true;
  #isIdle = false;

  /** Wraps an accepted connection and waits for its first request. */
  constructor(conn: Deno.Conn, patience: Patience) {
    super({ allowHalfOpen: true });
    this.#conn = conn;
    this.#patience = patience;
    this.#leftMs = patience.requestMs;
  }

  /** Aborts when the connection closes. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Runs pipelined requests one after the other. Reading pauses while too many are queued.
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

  /** A request has begun: counts waiting time as long as `isOwed` returns true. */
  waitFor(isOwed: () => boolean): void {
    this.#isOwed = isOwed;
  }

  /** A response is complete: waits for the next request. */
  waitForNext(): void {
    this.#isOwed = () => true;
    this.#isIdle = true;
    this.#leftMs = this.#patience.idleMs;
    this.#watch();
  }

  /**
   * Closes after a grace period in which incoming bytes are read and discarded. Closing at once
   * while the client still sends would lose the last response.
   */
  linger(): void {
    if (this.destroyed) return;
    this.#isOwed = () => false;
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.destroy(), this.#patience.lingerMs);
    this.resume();
  }

  /** Starts the timeout for the next bytes, if the connection is reading. */
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

  /** Reads the next bytes. */
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
      // A client that stops in the middle of a request gets no response.
      if (count === null && (this.#isOwed() || this.#lingering !== undefined)) this.destroy();
    } catch (error) {
      this.#isReading = false;
      this.destroy(error instanceof Error ? error : undefined);
    }
  }

  /** Sends bytes as fast as the client reads them. */
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

  /** Closes the sending side. */
  override _final(done: (error?: Error | null) => void): void {
    // Closing fails if the client has disconnected.
    Promise.resolve().then(() => closeWrite(this.#conn)).then(() => done(), () => done());
  }

  /** Closes the connection immediately. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lingering);
    this.#gone.abort(new DOMException("The client has disconnected", "AbortError"));
    try {
      this.#conn.close();
    } catch {
      // Already closed.
    }
    done(error);
  }
}

async function closeWrite(conn: Deno.Conn): Promise<void> {
  await conn.closeWrite();
}
