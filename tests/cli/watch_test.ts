import { assert, assertEquals } from "@std/assert";
import { EventDelivery, useWatchStore } from "../../lib/cli/actions/watch_action.ts";
import { signMessage } from "../../lib/http/webhook.ts";
import { replay } from "../../lib/recordings/mod.ts";
import type { WatchEvent, WatchState } from "../../lib/reports/mod.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";

const recording = await replay("market_1");
const [EXPIRED, FILLED] = recording.recorded.orderUids as [string, string];
const HERE = ["--recording", "market_1"];
const SECRET = "a secret of both sides";
const STATE = { schema: "orderlens/watch@1" } as WatchState;

interface Received {
  readonly key: string | null;
  readonly body: string;
  readonly headers: Headers;
}

/** Serves a webhook while it is used. */
async function withWebhook(
  answer: (number: number) => Response | Promise<Response>,
  use: (url: string, received: Received[]) => Promise<void>,
): Promise<void> {
  const received: Received[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { headers } = request;
      received.push({ key: headers.get("idempotency-key"), body: await request.text(), headers });
      return await answer(received.length);
    },
  );
  await use(`http://127.0.0.1:${server.addr.port}/hook`, received);
}

function event(number: number): WatchEvent {
  return { id: `order/${number}`, sequence: number } as WatchEvent;
}

/** Delivers all that a file has, until the signal aborts. */
async function deliver(
  file: string,
  url: string,
  { events = [], signal = new AbortController().signal, aside = [] }: {
    readonly events?: readonly WatchEvent[];
    readonly signal?: AbortSignal;
    readonly aside?: string[];
  },
): Promise<number> {
  return await useWatchStore(file, async (store) => {
    for (const each of events) store.add(each);
    await store.save(STATE);
    const delivery = new EventDelivery(store, {
      url,
      secret: SECRET,
      onFailure() {},
      onRefused: (refused) => Promise.resolve(void aside.push(refused.id)),
      firstWaitMs: 1,
    });
    delivery.close();
    await delivery.run(signal);
    return store.size;
  });
}

inFolder.test("orderlens watch prints the events of orders and posts each, signed, and none again", async (folder) => {
  await withWebhook(() => new Response(null, { status: 204 }), async (url, received) => {
    const state = [...HERE, "--state", `${folder}/s`];
    const words = ["watch", FILLED, EXPIRED, ...state, "--webhook", url];
    const variables = { ORDERLENS_WEBHOOK_SECRET: SECRET };
    const { out, err } = await succeeds(words, { variables });
    assertEquals([received.map(({ body }) => `${body}\n`).join(""), err], [out, ""]);
    const events = received.map(({ body }): WatchEvent => JSON.parse(body));
    assertEquals(events.map(({ sequence }) => sequence), events.map((_, at) => at + 1));
    assertEquals(new Set(events.map(({ orderUid }) => orderUid)), new Set([FILLED, EXPIRED]));
    for (const [at, { key, body, headers }] of received.entries()) {
      assertEquals(key, events[at]!.id);
      const timestamp = Number(headers.get("orderlens-timestamp"));
      const signature = await signMessage(SECRET, timestamp, body);
      assertEquals(headers.get("orderlens-signature"), `v1=${signature}`);
      assert(Math.abs(Date.now() / 1_000 - timestamp) < 60);
    }
    assertEquals(await orderlens(words, { variables }), { code: 0, out: "", err: "" });
    assertEquals(received.length, events.length);
    const kept = await Deno.readTextFile(`${folder}/s`);
    assertEquals([kept.includes(SECRET), out.includes(SECRET)], [false, false]);
    await refused(["watch", FILLED, ...state], 2, "the state belongs to another watch");
  });
});

Deno.test("webhookSignature() is HMAC-SHA256 of the time, a dot and the body", async () => {
  // By `printf '%s' '1700000000.{}' | openssl dgst -sha256 -hmac key`.
  assertEquals(
    await signMessage("key", 1_700_000_000, "{}"),
    "9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae",
  );
});

inFolder.test("EventDelivery retries failed events, in order, with the same key", async (folder) => {
  const answers = [500, 429, 302, 404, 200, 503, 200];
  const answer = (number: number) => new Response("no", { status: answers[number - 1]! });
  await withWebhook(answer, async (url, received) => {
    assertEquals(await deliver(`${folder}/s`, url, { events: [event(1), event(2)] }), 0);
    assertEquals(received.map(({ key }) => key), [
      ...Array(5).fill("order/1"),
      ...Array(2).fill("order/2"),
    ]);
    assertEquals(new Set(received.map(({ body }) => body)).size, 2);
  });
});

inFolder.test("EventDelivery sets a permanently refused event aside, and delivers the others", async (folder) => {
  const answers = [503, ...Array<number>(8).fill(400), 200];
  const answer = (number: number) => new Response("no", { status: answers[number - 1]! });
  await withWebhook(answer, async (url, received) => {
    const aside: string[] = [];
    const events = [event(1), event(2)];
    assertEquals(await deliver(`${folder}/s`, url, { events, aside }), 0);
    assertEquals(aside, ["order/1"]);
    assertEquals(received.map(({ key }) => key), [...Array(9).fill("order/1"), "order/2"]);
  });
});

inFolder.test("EventDelivery resumes after it or its receiver ended, and keeps undelivered events", async (folder) => {
  const file = `${folder}/s`;
  const end = new AbortController();
  const events = [event(1), event(2), event(3)];
  await withWebhook((number) => {
    if (number < 2) return new Response();
    // It is slow, and this side ends meanwhile.
    queueMicrotask(() => end.abort());
    return new Promise((answer) =>
      end.signal.addEventListener("abort", () => answer(new Response()))
    );
  }, async (url, received) => {
    assertEquals(await deliver(file, url, { events, signal: end.signal }), 2);
    assertEquals(received.map(({ key }) => key), ["order/1", "order/2"]);
  });
  const dead = new AbortController();
  const nobody = deliver(file, "http://127.0.0.1:9/hook", { signal: dead.signal });
  setTimeout(() => dead.abort(), 20);
  assertEquals(await nobody, 2);
  await withWebhook(() => new Response(), async (url, received) => {
    assertEquals(await deliver(file, url, {}), 0);
    assertEquals(received.map(({ key }) => key), ["order/2", "order/3"]);
  });
});

inFolder.test("orderlens watch names the fault of its files", async (folder) => {
  const nowhere = ["watch", FILLED, ...HERE, "--state", `${folder}/no/file`];
  await refused(nowhere, 5, "Pass a path in a folder that exists");
  await Deno.writeTextFile(`${folder}/notes.txt`, "my notes");
  const cases = {
    "": "it is a folder",
    "/": "it is a folder",
    "/notes.txt": "not a state file of watch",
  };
  for (const [path, message] of Object.entries(cases)) {
    await refused(["watch", FILLED, ...HERE, "--state", folder + path], 2, message);
  }
});
