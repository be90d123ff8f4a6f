import { UnavailableError } from "orderlens";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AuctionResponse,
  listIds,
  walkAuctions,
  type WalkAuctionsOptions,
} from "../../lib/endpoints/walk_auctions.ts";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "./fake_transport.ts";
import { competitionNumber } from "./recorded_bodies.ts";

const DOWN: FakeAnswer = { status: 503, body: "down" };
const OTHER: FakeAnswer = { body: competitionNumber(99) };

/** A service that has all auctions but those that it answers otherwise. */
class FakeAuctions extends FakeTransport {
  constructor(otherwise: (id: number) => FakeAnswer | undefined = () => undefined) {
    super(async ({ path }) => {
      const id = Number(path.split("/").at(-1));
      // Later ids are answered earlier.
      for (let turns = id; turns < 12; turns++) await Promise.resolve();
      return otherwise(id) ?? { body: competitionNumber(id) };
    });
  }

  /** The ids that were requested. */
  get asked(): number[] {
    return this.paths.map((path) => Number(path.split("/").at(-1)));
  }

  /** The steps of a walk: the ids of auctions, and others with the code of their error. */
  async walk(ids: Iterable<number>, options: WalkAuctionsOptions = {}): Promise<string> {
    const steps: string[] = [];
    for await (const { id, competition, error } of walkAuctions(this, ids, options)) {
      assertEquals(competition?.auctionId ?? id, id);
      steps.push(error === null ? `${id}` : `${id} ${error.code}`);
    }
    return steps.join(", ");
  }
}

Deno.test("walkAuctions() preserves the order of its ids, whichever response comes first", async () => {
  for (const ids of [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 9, 2, 3]]) {
    for (const concurrency of [1, 2, 9]) {
      const service = new FakeAuctions();
      assertEquals(await service.walk(ids, { concurrency }), ids.join(", "));
      assertEquals([service.asked, service.mostPending], [ids, Math.min(concurrency, ids.length)]);
    }
  }
});

Deno.test("walkAuctions() yields an id that fails with its error, and continues", async () => {
  const answers: Record<number, FakeAnswer> = {
    2: NOT_FOUND,
    3: { body: { auctionId: 3 } },
    4: OTHER,
    5: DOWN,
    6: { status: 403, body: { errorType: "Forbidden", description: "no" } },
  };
  const service = new FakeAuctions((id) => answers[id]);
  const steps = "1, 2 not_found, 3 decode, 4 mismatch, 5 http_status, 6 unauthorized, 7";
  assertEquals(await service.walk(listIds(1, 7)), steps);
});

Deno.test("walkAuctions() requests nothing after eight consecutive failures, and yields the error for each id", async () => {
  const service = new FakeAuctions((id) => id === 4 ? NOT_FOUND : id > 1 ? DOWN : undefined);
  const steps = [
    "1, 2 http_status, 3 http_status, 4 not_found",
    ...Array.from({ length: 26 }, (_, index) => `${index + 5} http_status`),
  ];
  assertEquals(await service.walk(listIds(1, 30), { concurrency: 1 }), steps.join(", "));
  // A 404 is an answer of the service, so that the failures before it do not count.
  assertEquals(service.asked, [...listIds(1, 12)]);
  const absent = new FakeAuctions(() => NOT_FOUND);
  await absent.walk(listIds(1, 30));
  assertEquals(absent.asked.length, 30);
});

Deno.test("walkAuctions() requests no id of its cache, and adds all but failures of the service", async () => {
  const cache = new Map<number, AuctionResponse>();
  const service = new FakeAuctions((id) => id === 2 ? NOT_FOUND : id === 3 ? DOWN : undefined);
  const steps = "1, 2 not_found, 3 http_status, 4, 1";
  assertEquals(await service.walk([1, 2, 3, 4, 1], { concurrency: 1, cache }), steps);
  assertEquals([service.asked, [...cache.keys()]], [[1, 2, 3, 4], [1, 2, 4]]);
  assertEquals(await service.walk([1, 2, 3, 4, 1], { cache }), steps);
  assertEquals(service.asked, [1, 2, 3, 4, 3]);
});

Deno.test("walkAuctions() takes ids as it advances: one can follow from the steps before it", async () => {
  const service = new FakeAuctions((id) => id < 37 ? NOT_FOUND : undefined);
  // The first auction, by halves.
  let [low, high] = [0, 1_000];
  let isAbove = false;
  function* halves() {
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      yield middle;
      if (isAbove) high = middle;
      else low = middle;
    }
  }
  const walk = walkAuctions(service, halves(), { concurrency: 1 });
  for await (const { competition } of walk) isAbove = competition !== null;
  assertEquals([high, service.asked.length], [37, 10]);
});

Deno.test("walkAuctions() ends with the reason of its signal, and sends nothing more", async () => {
  for (const answer of [undefined, DOWN]) {
    const service = new FakeAuctions(() => answer);
    const ending = new AbortController();
    // Of a kind that responses have too.
    const reason = new UnavailableError("enough", {
      request: "GET",
      status: 0,
      body: "",
      remedy: "",
    });
    let steps = 0;
    const error = await assertRejects(async () => {
      const walk = walkAuctions(service, listIds(1, 1e5), { signal: ending.signal });
      for await (const _ of walk) if (++steps === 20) ending.abort(reason);
    });
    assertEquals(error, reason);
    // What was answered before is still a step.
    const sent = service.requests.length;
    assert(steps <= 23 && sent <= 23, `${steps} steps of ${sent} requests`);
    await Promise.resolve();
    assertEquals([service.requests.length, service.pending], [sent, 0]);
    const other = new AbortController();
    const last = service.walk([1], { signal: other.signal });
    other.abort(reason);
    assertEquals(await assertRejects(() => last), reason);
  }
});

Deno.test("walkAuctions() throws errors that no response caused", async () => {
  const service = new FakeAuctions();
  await assertRejects(() => service.walk([1.5]), Error, "Cannot get the competition 1.5");
  assertEquals(service.asked, []);
});
