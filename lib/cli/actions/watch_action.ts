import type { WatchEvent } from "../../reports/watch/watch_event.ts";
import { type WatchOptions, watchOrders } from "../../reports/watch/watch_orders.ts";
import { openBook } from "../deployment/open_book.ts";
import { readRpcUrl, readWebhookSecret } from "../deployment/read_secret.ts";
import { isLive, requireTarget } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { counted } from "../terminal/in_words.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { EventDelivery } from "./deliver_events.ts";
import { type WatchStore, withWatchStore } from "./watch_store.ts";

/** Watches orders: prints what happens to them, and delivers it to a webhook. */
export async function watchAction(session: Session, given: Given): Promise<ExitCode> {
  const selected = selectionOf(given);
  const target = requireTarget(given);
  const seconds = given.whole("--interval", 1);
  const node = await readRpcUrl(session, given, { isLive: isLive(target) });
  const webhook = await webhookOf(session, given);
  const book = await openBook(session, given, target);
  await withWatchStore(given.text("--state") ?? null, async (store) => {
    const delivery = webhook === null ? null : new EventDelivery(store, {
      ...webhook,
      onFailure: (status, waitMs) =>
        session.warn(
          `The webhook ${status === null ? "did not answer" : `answered ${status}`}: ` +
            `next attempt in ${Math.ceil(waitMs / 1000)} s`,
        ),
    });
    const options: WatchOptions = {
      ...selected,
      node,
      state: store.watch,
      intervalMs: seconds === undefined ? undefined : seconds * 1_000,
      untilDone: given.has("--until-done"),
      signal: session.signal,
      save: async (state) => {
        await store.save(state);
        delivery?.wake();
      },
      onProblem: ({ message }) => session.detail(message),
    };
    const failed = new AbortController();
    const delivering = delivery?.run(AbortSignal.any([session.signal, failed.signal]));
    try {
      const events = watchOrders(book, options);
      await Promise.race([
        printEvents(session, events, delivery && store),
        // It ends first only if it fails.
        ...delivering === undefined ? [] : [delivering.then(() => new Promise<void>(() => {}))],
      ]);
      delivery?.close();
    } catch (error) {
      failed.abort();
      throw error;
    }
    await delivering;
    tellUndelivered(session, given, store);
  });
  return EXIT.done;
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

function selectionOf(given: Given): { owner: string } | { uids: readonly string[] } {
  const owner = given.text("--owner");
  if ((owner === undefined) === (given.words.length === 0)) {
    throw usageError(
      owner === undefined
        ? `${given.cannot} without an order or an account`
        : `${given.cannot} with --owner and UIDs`,
      "Pass --owner with an address, or UIDs",
    );
  }
  return owner === undefined ? { uids: given.words } : { owner };
}

async function webhookOf(
  session: Session,
  given: Given,
): Promise<{ readonly url: string; readonly secret: string } | null> {
  const url = given.text("--webhook");
  if (url === undefined) return null;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw usageError(
      `${given.cannot} with --webhook: it is no URL of http or https`,
      "Pass one with its scheme, such as https://hooks.example/orders",
    );
  }
  return { url, secret: await readWebhookSecret(session, given) };
}

function tellUndelivered(session: Session, given: Given, store: WatchStore): void {
  if (store.size === 0 || !given.has("--webhook")) return;
  const events = counted(store.size, "event");
  if (given.has("--state")) session.say(`${events} to deliver: kept for the next run`);
  else session.warn(`${events} not delivered, and not kept: pass --state to keep them`);
}
