import { replaceFiles } from "../../datasets/layout/files.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { formatFault } from "../../errors/http_errors.ts";
import { InputError, RateLimitedError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { sendSigned } from "../../http/webhook.ts";
import { systemClock } from "../../http/mod.ts";
import { type Identifier, parseIdentifier } from "../../networks/identifier.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import { resolveShortened } from "../../reports/resolve_shortened.ts";
import {
  type WatchOptions,
  watchOrders,
  type WatchOutage,
} from "../../reports/watch/watch_orders.ts";
import type { WatchEvent, WatchState } from "../../reports/watch/watch_state.ts";
import type { Args } from "../arguments/command_line.ts";
import { isLive, openBook, readRpcUrl, readWebhookSecret, requireTarget } from "../deployment.ts";
import { formatInstant } from "../../units/mod.ts";
import { EXIT, type ExitCode, formatDuration, pluralize } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";
import { lockOrReject } from "../terminal/rows_file.ts";

/** Watches orders: prints their events, and delivers them to a webhook. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const identifiers = parseIdentifiers(args);
  const target = requireTarget(args);
  const seconds = args.whole("--interval", 1);
  const node = await readRpcUrl(session, args, { isLive: isLive(target) });
  const webhook = await readWebhook(session, args);
  const book = await openBook(session, args, target);
  const selected = await resolveSelection(session, args, { book, identifiers });
  await useWatchStore(args.text("--state") ?? null, async (store) => {
    const delivery = webhook === null ? null : new EventDelivery(store, {
      ...webhook,
      onFailure: (status, waitMs) =>
        session.warn(
          `The webhook ${status === null ? "did not respond" : `responded with ${status}`}: ` +
            `next attempt in ${Math.ceil(waitMs / 1000)} s`,
        ),
      onRefused: (event, status) => writeRefused(session, args, event, status),
    });
    const options: WatchOptions = {
      ...selected,
      node,
      state: store.watch,
      intervalMs: seconds === undefined ? undefined : seconds * 1_000,
      untilDone: args.has("--until-done"),
      failedSettlements: true,
      noBidsAfter: args.whole("--no-bids", 1),
      signal: session.signal,
      save: async (state) => {
        await store.save(state);
        delivery?.wake();
      },
      onProblem: ({ message }) => session.detail(message),
      onBlind: (outage) => session.warn(formatOutage(outage)),
      onSight: (sinceTime) =>
        session.warn(`Updates resumed; there were none since ${formatInstant(sinceTime)}`),
    };
    const failure = new AbortController();
    const delivering = delivery?.run(AbortSignal.any([session.signal, failure.signal]));
    try {
      const events = watchOrders(book, options);
      await Promise.race([
        printEvents(session, events, delivery && store),
        // It ends first only if it fails.
        ...delivering === undefined ? [] : [delivering.then(() => new Promise<void>(() => {}))],
      ]);
      delivery?.close();
    } catch (error) {
      failure.abort();
      throw error;
    }
    await delivering;
    reportUndelivered(session, args, store);
  });
  return EXIT.done;
}

function formatOutage({ error, since: sinceTime, waitMs }: WatchOutage): string {
  const retryAfterMs = error instanceof RateLimitedError ? error.retryAfterMs : undefined;
  const wait = retryAfterMs === undefined
    ? ""
    : ` (the service asks to wait ${formatDuration(retryAfterMs / 1_000)})`;
  return `No updates since ${formatInstant(sinceTime)}: ${formatFault(error)}${wait}. ` +
    `Retrying in ${formatDuration(waitMs / 1_000)}`;
}

/** Writes an event that the webhook permanently refused to a file, and warns. */
async function writeRefused(
  session: Session,
  args: Args,
  event: WatchEvent,
  status: number,
): Promise<void> {
  const state = args.text("--state");
  const file = state === undefined ? null : `${state}.refused.ndjson`;
  if (file !== null) {
    const line = `${JSON.stringify(event)}\n`;
    await localFiles().appendFile(file, line);
  }
  session.warn(
    `The webhook refused ${event.id} with ${status}: ` +
      (file === null
        ? "the event was dropped; pass --state to keep such events"
        : `the event is in ${file}`),
  );
}

async function printEvents(
  session: Session,
  events: AsyncIterable<WatchEvent>,
  store: WatchStore | null,
): Promise<void> {
  for await (const event of events) {
    session.print(JSON.stringify(event));
    store?.add(event);
  }
}

/** Parses the arguments, before any request. @throws {InputError} If they name no orders. */
function parseIdentifiers(args: Args): readonly Identifier[] {
  if (args.has("--owner") === args.words.length > 0) {
    throw args.error(
      args.has("--owner") ? "with --owner and UIDs" : "without an order or an account",
      "Pass --owner with an address, or UIDs",
    );
  }
  return args.words.map((word) => {
    const identifier = parseIdentifier(word);
    if (identifier?.kind === "order" || identifier?.kind === "shortened") return identifier;
    throw args.error(
      `for ${JSON.stringify(word.slice(0, 130))}: it is not the UID of an order`,
      "Pass 0x and 112 hex digits, or the URL of an order in an explorer",
    );
  });
}

async function resolveSelection(
  { signal }: Session,
  args: Args,
  { book, identifiers }: {
    readonly book: OrderBook;
    readonly identifiers: readonly Identifier[];
  },
): Promise<{ owner: string } | { uids: readonly string[] }> {
  const owner = args.address("--owner");
  if (owner !== undefined) return { owner };
  const uids: string[] = [];
  for (const identifier of identifiers) {
    const order = identifier.kind === "shortened"
      ? await resolveShortened(book, identifier, { signal })
      : identifier;
    uids.push(order.key);
  }
  return { uids };
}

async function readWebhook(
  session: Session,
  args: Args,
): Promise<{ readonly url: string; readonly secret: string } | null> {
  const url = args.url("--webhook", "https://hooks.example/orders");
  return url === undefined ? null : { url, secret: await readWebhookSecret(session, args) };
}

function reportUndelivered(session: Session, args: Args, store: WatchStore): void {
  if (store.size === 0 || !args.has("--webhook")) return;
  const events = pluralize(store.size, "event");
  if (args.has("--state")) session.say(`${events} not delivered yet: kept for the next run`);
  else session.warn(`${events} not delivered and not kept: pass --state to keep them`);
}

/** Target and retries of the delivery of events. */
interface Delivery {
  readonly url: string;
  /** Secret that messages are signed with. */
  readonly secret: string;
  /** Called for each attempt that failed. */
  readonly onFailure: (status: number | null, waitMs: number) => void;
  /** Called with an event that the receiver permanently refused. */
  readonly onRefused: (event: WatchEvent, status: number) => Promise<void>;
  /** First wait after a failure, in milliseconds; it doubles. @default {1000} */
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
/** Refusals after which an event counts as permanently refused: about two minutes. */
const MAX_REFUSALS = 8;

/** Whether a status refuses the message itself, so that a retry is unlikely to help. */
function isRefusal(status: number | null): status is number {
  return status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/**
 * Delivers the events of a store one after another, each until the receiver responds with a status of
 * 200 to 299, or has refused it so often that it is set aside. That is saved before the next one is
 * sent: after a restart, the only event that may be sent again, with the same key, is one whose response
 * arrived while the process ended.
 */
export class EventDelivery {
  readonly #store: WatchStore;
  readonly #delivery: Delivery;
  #wake = Promise.withResolvers<void>();
  #isClosed = false;

  /** Delivers from a store. */
  constructor(store: WatchStore, delivery: Delivery) {
    this.#store = store;
    this.#delivery = delivery;
  }

  /** Signals that the store may have new events. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Signals that no more events come: `run` returns once all are delivered. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** Delivers until it is closed and all events are delivered, or until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        const event = this.#store.next;
        if (event !== undefined) {
          await this.#deliver(event, signal);
          await this.#store.removeOldest();
        } else if (this.#isClosed) return;
        else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers();
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #deliver(event: WatchEvent, signal: AbortSignal): Promise<void> {
    const { url, secret, onFailure, onRefused, firstWaitMs = FIRST_WAIT_MS } = this.#delivery;
    const body = JSON.stringify(event);
    for (let [failureCount, refusalCount] = [0, 0];; failureCount++) {
      const message = { url, body, key: event.id, secret, nowMs: Date.now() };
      const { status, waitMs: retryAfterMs } = await sendSigned(message, signal);
      if (status !== null && status >= 200 && status < 300) return;
      if (isRefusal(status) && ++refusalCount === MAX_REFUSALS) {
        return await onRefused(event, status);
      }
      const backoffMs = firstWaitMs * 2 ** Math.min(failureCount, 20);
      const waitMs = Math.min(Math.max(backoffMs, retryAfterMs ?? 0), MAX_WAIT_MS);
      onFailure(status, waitMs);
      await systemClock.sleep(waitMs, signal);
    }
  }
}

const SCHEMA = "orderlens/watch-file@1";

/** Content of the file of `--state`. */
interface WatchFile {
  readonly watch: WatchState | null;
  readonly undelivered: readonly WatchEvent[];
}

/**
 * The checkpoint of a watch, and the events that are not delivered yet: in a file that is replaced
 * atomically, or in memory only.
 */
class WatchStore {
  readonly #path: string | null;
  #content: WatchFile;
  #waiting: readonly WatchEvent[] = [];
  #saving: Promise<void> = Promise.resolve();

  /** Starts with the content of the file. */
  constructor(path: string | null, content: WatchFile) {
    this.#path = path;
    this.#content = content;
  }

  /** The checkpoint; `undefined` for a new watch. */
  get watch(): WatchState | undefined {
    return this.#content.watch ?? undefined;
  }

  /** The oldest saved event that is not delivered yet. */
  get next(): WatchEvent | undefined {
    return this.#content.undelivered[0];
  }

  /** Number of events that are not delivered yet. */
  get size(): number {
    return this.#content.undelivered.length + this.#waiting.length;
  }

  /** Adds an event to deliver; it is saved with the next state. */
  add(event: WatchEvent): void {
    this.#waiting = [...this.#waiting, event];
  }

  /** Saves a checkpoint, with the events added since the last one. */
  async save(watch: WatchState): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    await this.#change(({ undelivered }) => ({ watch, undelivered: [...undelivered, ...events] }));
  }

  /** Removes the oldest event, which was delivered. */
  async removeOldest(): Promise<void> {
    await this.#change(({ watch, undelivered }) => ({ watch, undelivered: undelivered.slice(1) }));
  }

  async #change(change: (content: WatchFile) => WatchFile): Promise<void> {
    // One after another: the file has the same content as memory.
    const saving = this.#saving.catch(() => {}).then(async () => {
      const content = change(this.#content);
      if (this.#path !== null) await write(this.#path, content);
      this.#content = content;
    });
    this.#saving = saving;
    await saving;
  }
}

async function write(path: string, content: WatchFile): Promise<void> {
  const text = `${JSON.stringify({ schema: SCHEMA, ...content })}\n`;
  await replaceFiles([{ file: path, text, temporary: `${path}.new` }]);
}

/**
 * Locks the file of a watch while it is used; `null` for none.
 *
 * @throws {InputError} If another process uses it, or it is not a state file of watch.
 */
export async function useWatchStore<Result>(
  path: string | null,
  use: (store: WatchStore) => Promise<Result>,
): Promise<Result> {
  if (path === null) return await use(new WatchStore(null, { watch: null, undelivered: [] }));
  const file = path.includes("/") ? path : `./${path}`;
  // A missing or unreadable file fails where it is opened.
  const stats = await localFiles().stat(file).catch(() => null);
  if (/[/\\]$/.test(file) || stats?.isDirectory() === true) {
    throw new InputError(`Cannot watch with --state ${path}: it is a folder`, {
      remedy: "Pass the path of a file, which is created if it does not exist",
    });
  }
  const lock = await lockOrReject(file);
  try {
    return await use(new WatchStore(file, await read(file)));
  } finally {
    lock.release();
  }
}

async function read(path: string): Promise<WatchFile> {
  let text: string;
  try {
    text = await localFiles().readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return { watch: null, undelivered: [] };
    throw error;
  }
  const content = Object(tryParseJson(text));
  if (content.schema === SCHEMA && Array.isArray(content.undelivered)) return content;
  throw new InputError(`Cannot continue with ${path}: it is not a state file of watch`, {
    remedy: "Pass the state file of an earlier watch, or a new file",
  });
}
