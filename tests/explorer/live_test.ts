import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { IN_PROCESS_URL } from "../../lib/client/connect.ts";
import { LiveFeed, MAX_FOLLOWERS } from "../../lib/explorer/live.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { followCompetitions, toAuctionRow } from "../../lib/explorer/recent_competitions.ts";
import { connect } from "orderlens";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { explorer } from "../../lib/explorer/mod.ts";

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

  /** The number of the last event. */
  last = NaN;
  readonly #known = new Set<number>();

  /** The auctions of the next events that tell of one for the first time. */
  async ids(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      const event = await this.next();
      const id = event === null ? NaN : JSON.parse(event.data!).auctionId;
      this.last = Number(event?.id);
      if (!this.#known.has(id)) ids.push(id);
      this.#known.add(id);
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
  const second = new Follower((await follow(own, first.last)).body!);
  const more = [];
  while (more.at(-1) !== last) more.push(...await second.ids(1));
  // Of the older ones, those that have been settled since.
  assert(more.filter((id) => id > newest).length === last - newest, `${more}`);
  await own.close();
  assertEquals(await second.next(), null);
  assertEquals((await follow(own)).status, 503);
});

/** An explorer of a deployment that takes its time. */
function slow(
  send: (request: HttpRequest) => Promise<HttpResponse>,
  baseUrl = "slow://book",
) {
  const deployment = { chainId: 1, settlementContract: `0x${"90".repeat(20)}` };
  return explorer(connect({ baseUrl, deployment, send }));
}

Deno.test("close() of an explorer resolves when nothing is read any more", async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<HttpResponse>()];
  const own = slow(() => {
    asked.resolve();
    return answer.promise;
  });
  await follow(own);
  await asked.promise;
  let isClosed = false;
  const closing = own.close().then(() => isClosed = true);
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(isClosed, false);
  answer.resolve({ status: 404, contentType: null, headers: new Headers(), body: "" });
  await closing;
});

Deno.test("close() of an explorer ends the requests that a slow deployment does not answer", async () => {
  const address = `0x${"ab".repeat(20)}`;
  const paths = [
    `/orders/0x${"ab".repeat(56)}`,
    "/auctions/1",
    `/transactions/0x${"ab".repeat(32)}`,
  ];
  const query = "/sql?q=FROM+fills";
  const lists = ["/", `/tokens/${address}`, `/accounts/${address}`, "/live", query];
  for (const path of [...paths, ...lists]) {
    const asked = Promise.withResolvers<void>();
    // Only an order book in this process is asked in SQL.
    const own = slow(({ signal }) => {
      asked.resolve();
      const { promise, reject } = Promise.withResolvers<HttpResponse>();
      signal?.addEventListener("abort", () => reject(signal.reason));
      return promise;
    }, path === query ? IN_PROCESS_URL : undefined);
    const page = own.fetch(new Request(`http://localhost${path}`));
    await asked.promise;
    await own.close();
    assertEquals((await page).status, 503, path);
  }
});

Deno.test("LiveFeed tells again what has changed, also who comes back", async () => {
  let settlements: string[] = [];
  const feed = new LiveFeed({
    read: () => Promise.resolve([{ id: 7, data: { settlements } }]),
    formatError: String,
    pollMs: 1,
    heartbeatMs: 1_000,
  });
  const follower = new Follower(feed.follow(null));
  const first = await follower.next();
  assertEquals(first?.data, '{"settlements":[]}');
  const other = new Follower(feed.follow(null));
  assertEquals((await other.next())?.id, first?.id);
  await other.leave();
  settlements = ["0x01"];
  const again = await follower.next();
  assertEquals(again?.data, '{"settlements":["0x01"]}');
  assert(Number(again?.id) > Number(first?.id));
  const back = new Follower(feed.follow(Number(first?.id)));
  assertEquals(await back.next(), again);
  feed.close();
  assertEquals(await back.next(), null);
});

Deno.test("LiveFeed sends signs of life, and says when the source fails", async () => {
  let isBroken = true;
  const feed = new LiveFeed({
    read: () =>
      isBroken ? Promise.reject(new Error("down")) : Promise.resolve([{ id: 1, data: {} }]),
    formatError: (error) => String(error),
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
  assertEquals([event?.event, event?.data], ["auction", "{}"]);
  let text = "";
  for await (const part of alive.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(": alive\n\n")) break;
  }
  assertStringIncludes(text, "retry: 2000\n\n");
  feed.close();
});

Deno.test("LiveFeed takes a bounded number of followers, tells them the newest, and lets go of who does not read", async () => {
  const all = Array.from({ length: 600 }, (_, id) => ({ id, data: { auctionId: id } }));
  const options = { formatError: String, pollMs: 1_000, heartbeatMs: 1_000 };
  const feed = new LiveFeed({ ...options, read: () => Promise.resolve(all) });
  // 600 texts wait for it: it is none of those that are counted below.
  feed.follow(null);
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(await new Follower(feed.follow(null)).ids(1), [575]);
  let followers = 1;
  for (; feed.isOpen; followers++) feed.follow(null);
  assertEquals(followers, MAX_FOLLOWERS);
  feed.close();
});

/** The newest auctions of a sandbox, and what is asked for; `fails` makes a request fail. */
async function recentOf(fails: (path: string) => boolean) {
  const sandbox = await openSandbox({ seed: 7, auctions: 30, clock: "virtual" });
  const asked: string[] = [];
  const { transport, chainId, settlementContract, clock } = connect(sandbox);
  const send: typeof transport.send = async (request) => {
    asked.push(request.path);
    if (!fails(request.path)) return await transport.send(request);
    return { status: 500, contentType: null, headers: new Headers(), body: "" };
  };
  const book = connect({ baseUrl: "sandbox://7", send }, { chainId, settlementContract, clock });
  const time = { ms: 0 };
  const recent = followCompetitions(book, { freshMs: 1, now: () => time.ms += 10 });
  const ids = async () => (await recent.competitions()).map(({ auctionId }) => auctionId);
  return { sandbox, asked, recent, ids, time };
}

/** The newest ids of a sandbox that have an auction; some have none. */
async function newestOf({ fetch }: Awaited<ReturnType<typeof openSandbox>>, count: number) {
  const competition = (id: number | "latest") => fetch(`/api/v2/solver_competition/${id}`);
  const { auctionId } = await (await competition("latest")).json();
  const ids: number[] = [];
  for (let id = auctionId; id > auctionId - count; id--) {
    if ((await competition(id)).status === 200) ids.push(id);
  }
  return ids;
}

Deno.test("an auction whose request failed is asked for again, and stands in its place", async () => {
  let isBroken = true;
  const { sandbox, ids } = await recentOf((path) => isBroken && path.endsWith("/1010"));
  const first = await ids();
  assert(!first.includes(1010) && first.length > 0, `${first}`);
  isBroken = false;
  await ids();
  assertEquals(await ids(), await newestOf(sandbox, 25));
});

Deno.test("an auction whose request failed is not asked for once 200 newer ones took its place", async () => {
  const { sandbox, ids, asked } = await recentOf((path) => path.endsWith("/1010"));
  await ids();
  await sandbox.advance({ auctions: 230 });
  asked.length = 0;
  assertEquals(await ids(), await newestOf(sandbox, 200));
  assertEquals(asked.filter((path) => path.endsWith("/1010")), []);
});

Deno.test("after a long pause, the newest auctions have no hole", async () => {
  const { sandbox, ids, recent } = await recentOf(() => false);
  await ids();
  await sandbox.advance({ auctions: 230 });
  const all = await ids();
  assertEquals(all, await newestOf(sandbox, 200));
  await sandbox.advance({ auctions: 20 });
  assertEquals(await ids(), (await newestOf(sandbox, 230)).slice(0, 200));
  const uids = await recent.uids("listed", 1_000);
  assertEquals(await recent.uids("listed", 2), uids.slice(0, 2));
});

Deno.test("an auction is asked for again until its winners have settled", async () => {
  const { sandbox, asked, recent } = await recentOf(() => false);
  for (let look = 0; look < 12; look++) {
    await sandbox.advance({ auctions: 1 });
    await recent.competitions();
  }
  await sandbox.advance({ auctions: 5 });
  asked.length = 0;
  for (let look = 0; look < 6; look++) await recent.competitions();
  const rows = (await recent.competitions()).map(toAuctionRow);
  const open = rows.slice(5).filter((row) => row.winners !== "" && row.tx_hashes === "");
  assertEquals(open.map((row) => row.auction_id), []);
});

Deno.test("an auction that nobody has settled in half an hour is no longer requested", async () => {
  const { asked, recent, time } = await recentOf(() => false);
  const askedAgain = async () => {
    asked.length = 0;
    await recent.competitions();
    return asked.slice(1);
  };
  await recent.competitions();
  assert((await askedAgain()).length > 0);
  time.ms += 1_800_000;
  assertEquals(await askedAgain(), []);
});
