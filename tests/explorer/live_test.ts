import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LiveFeed, MOST_FOLLOWERS } from "../../lib/explorer/live/live_feed.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { explorer } from "./explore.ts";

/** Reads a stream of events until enough have one of the kinds. */
class Follower {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event that is not only a comment or the time to wait; `null` at the end. */
  async next(): Promise<Record<string, string> | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split("\n");
        this.#text = this.#text.slice(end + 2);
        const event = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s)));
        if ("event" in event) return event;
        continue;
      }
      const { value, done } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  /** The ids of the next events. */
  async ids(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      const event = await this.next();
      // What has changed since comes again, without a number.
      if (event === null || "id" in event) ids.push(Number(event?.id));
    }
    return ids;
  }

  /** Goes away. */
  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

function follow(own: ReturnType<typeof explorer>, lastId?: number) {
  const headers = lastId === undefined ? {} : { "last-event-id": `${lastId}` };
  return own.fetch(new Request("http://localhost/live/events", { headers }));
}

Deno.test("/live/events tells every auction of a sandbox once, in order, and goes on where a follower left", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 30 });
  const own = explorer(sandbox, { pollMs: 2 });
  const latest = async () => {
    const response = await sandbox.fetch("/api/v2/solver_competition/latest");
    return (await response.json()).auctionId;
  };
  const response = await follow(own);
  assertEquals(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const first = new Follower(response.body!);
  const ids = await first.ids(5);
  await sandbox.advance({ auctions: 8 });
  const newest = await latest();
  while (ids.at(-1) !== newest) ids.push(...await first.ids(1));
  await first.leave();
  assertEquals(ids, ids.toSorted((a, b) => a - b));
  assertEquals(new Set(ids).size, ids.length);

  await sandbox.advance({ auctions: 6 });
  const last = await latest();
  assert(last > newest);
  const second = new Follower((await follow(own, newest)).body!);
  const more = [];
  while (more.at(-1) !== last) more.push(...await second.ids(1));
  assert(more.every((id) => id > newest));
  own.close();
  assertEquals(await second.next(), null);
});

Deno.test("/live/events ends with the explorer, which then takes nobody", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 3 });
  const own = explorer(sandbox);
  const follower = new Follower((await follow(own)).body!);
  await follower.ids(1);
  own.close();
  while (await follower.next() !== null);
  const late = await follow(own);
  assertEquals(late.status, 503);
  await late.body?.cancel();
});

Deno.test("LiveFeed sends an event again that has changed, without a number", async () => {
  let settlements: string[] = [];
  const feed = new LiveFeed({
    read: () => Promise.resolve([{ id: 7, data: { settlements } }]),
    wordsOf: String,
    pollMs: 1,
    heartbeatMs: 1_000,
  });
  const follower = new Follower(feed.follow(null));
  assertEquals(await follower.next(), { id: "7", event: "auction", data: '{"settlements":[]}' });
  settlements = ["0x01"];
  assertEquals(await follower.next(), { event: "auction", data: '{"settlements":["0x01"]}' });
  feed.close();
  assertEquals(await follower.next(), null);
});

Deno.test("LiveFeed sends signs of life, and says when the source fails", async () => {
  let isBroken = true;
  const feed = new LiveFeed({
    read: () =>
      isBroken ? Promise.reject(new Error("down")) : Promise.resolve([{ id: 1, data: {} }]),
    wordsOf: (error) => String(error),
    pollMs: 1,
    heartbeatMs: 1,
  });
  const [follower, alive] = [feed.follow(null), feed.follow(null)];
  const own = new Follower(follower);
  const trouble = await own.next();
  assertEquals([trouble?.event, trouble?.data], ["trouble", '{"error":"Error: down"}']);
  isBroken = false;
  let event = trouble;
  while (event?.event === "trouble") event = await own.next();
  assertEquals(event, { id: "1", event: "auction", data: "{}" });
  let text = "";
  for await (const part of alive.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(": alive\n\n")) break;
  }
  assertStringIncludes(text, "retry: 2000\n\n");
  feed.close();
});

Deno.test("LiveFeed takes a bounded number of followers", () => {
  const options = { wordsOf: String, pollMs: 1_000, heartbeatMs: 1_000 };
  const feed = new LiveFeed({ ...options, read: () => Promise.resolve([]) });
  for (let each = 0; each < MOST_FOLLOWERS; each++) {
    assertEquals(feed.isOpen, true);
    feed.follow(null);
  }
  assertEquals(feed.isOpen, false);
  feed.close();
});
