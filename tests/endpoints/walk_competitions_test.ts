import { HttpStatusError, IncompleteListError, InputError } from "orderlens";
import {
  type AuctionIds,
  type LatestAuctionIds,
  type Progress,
  walkCompetitions,
  type WalkCompetitionsOptions,
} from "orderlens/endpoints";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "./fake_transport.ts";
import { competitionNumber } from "./recorded_bodies.ts";

/** A service whose visible competitions can change between requests. */
class FakeCompetitions extends FakeTransport {
  visible: Set<number>;
  /** What `latest` answers instead of the highest visible one. */
  latest: (() => FakeAnswer) | undefined;
  /** Called with each id, before it is answered. */
  before: (id: number) => void = () => {};

  constructor(visible: Iterable<number>) {
    super(async ({ path }) => {
      await Promise.resolve();
      const which = path.split("/").at(-1);
      if (which === "latest") {
        const highest = Math.max(...this.visible);
        return this.latest?.() ?? { body: competitionNumber(highest) };
      }
      const id = Number(which);
      this.before(id);
      return this.visible.has(id) ? { body: competitionNumber(id) } : NOT_FOUND;
    });
    this.visible = new Set(visible);
  }

  /** Last segments of the paths asked for. */
  get asked(): string[] {
    return this.paths.map((path) => path.split("/").at(-1) ?? "");
  }
}

async function walked(
  service: FakeTransport,
  ids: AuctionIds | LatestAuctionIds,
  options: WalkCompetitionsOptions = {},
  found: string[] = [],
): Promise<string> {
  for await (const entry of walkCompetitions(service, ids, options)) {
    if (entry.competition !== undefined) {
      assertEquals(entry.competition.auctionId, entry.auctionId);
      found.push(`${entry.auctionId}`);
    } else found.push(`${entry.auctionId}${entry.absent ? "-" : "?"}`);
  }
  return found.join(" ");
}

/** Visible auctions; ids and options; the entries, and what was requested where it matters. */
const WALKS: readonly (readonly [
  visible: readonly number[],
  ids: AuctionIds | LatestAuctionIds,
  options: WalkCompetitionsOptions,
  found: string,
  asked?: string,
])[] = [
  [[2, 3, 5], { last: 3 }, {}, "3 4- 5", "latest 3 4 5 latest 4"],
  [[2, 3, 5], { last: 1 }, {}, "5"],
  [[2, 3, 5], { last: 1_000 }, {}, "0- 1- 2 3 4- 5"],
  // One entry per id, in order, each requested once.
  [[1, 2, 3, 4, 5], { from: 2, to: 4 }, {}, "2 3 4", "2 3 4"],
  // Gaps, and competitions that are not visible yet.
  ...[1, 2, 4, 9].map((concurrency) =>
    [[1, 3, 4, 7], { from: 1, to: 10 }, { concurrency }, "1 2- 3 4 5- 6- 7 8? 9? 10?"] as const
  ),
  // The latest is requested only at the first gap and at the end.
  [
    [1, 3, 4, 7],
    { from: 1, to: 9 },
    { concurrency: 1 },
    "1 2- 3 4 5- 6- 7 8? 9?",
    "1 2 latest 2 3 4 5 6 7 8 latest",
  ],
];

Deno.test("walkCompetitions() distinguishes visible competitions, gaps and those that may still appear", async () => {
  for (const [visible, ids, options, found, asked] of WALKS) {
    const service = new FakeCompetitions(visible);
    const what = `${visible} ${JSON.stringify({ ...ids, ...options })}`;
    assertEquals(await walked(service, ids, options), found, what);
    if (asked !== undefined) assertEquals(service.asked.join(" "), asked, what);
  }
});

Deno.test("walkCompetitions() takes no id for a gap that a quote of the last hour may have taken", async () => {
  const service = new FakeCompetitions([2, 5]);
  const validTo = (agoSec: number) => (Math.floor(Date.now() / 1_000) - agoSec).toString(16);
  const answer = (auctionId: number, agoSec: number) => {
    const orders = [`0x${"ab".repeat(52)}${validTo(agoSec).padStart(8, "0")}`];
    const body = competitionNumber(auctionId);
    return { body: { ...body, auction: { ...Object(body).auction, orders } } };
  };
  const known = { 2: answer(2, 2 * 3_600), 5: answer(5, 60), latest: answer(5, 60) };
  const old = new FakeTransport(({ path }) =>
    known[path.split("/").at(-1) as keyof typeof known] ?? NOT_FOUND
  );
  const found = await Array.fromAsync(walkCompetitions(old, { from: 0, to: 5 }));
  const said = found.map(({ competition, absent }) => competition ? "visible" : absent ?? "hidden");
  // Ids 0 and 1 were taken before an auction whose first order expired two hours ago.
  assertEquals(said, [true, true, "visible", "hidden", "hidden", "visible"]);
  assertEquals(await walked(service, { from: 3, to: 5 }), "3- 4- 5");
});

Deno.test("walkCompetitions() yields nothing if no competition is visible", async () => {
  const service = new FakeCompetitions([]);
  service.latest = () => NOT_FOUND;
  assertEquals(await walked(service, { last: 20 }), "");
  assertEquals(service.asked, ["latest"]);
  service.latest = () => ({ status: 500, body: "" });
  await assertRejects(() => walked(service, { last: 20 }), HttpStatusError);
});

Deno.test("walkCompetitions() rejects invalid ids and unknown options before sending", () => {
  const service = new FakeCompetitions([1]);
  for (
    const [ids, options, words] of [
      [{ last: 0 }, {}, "Cannot walk over competitions with last 0"],
      [{ last: 2, to: 5 }, {}, '"to": unknown option'],
      [{ form: 1, to: 2 }, {}, "Pass from; other options are to"],
      [undefined, {}, "with undefined as options"],
      [{ last: 1 }, { concurrency: 0 }, "concurrency 0"],
      ...[[2, 1], [-1, 1], [1.5, 2], [1, Infinity], [NaN, 1]]
        .map(([from, to]) => [{ from, to }, {}, "Cannot "] as const),
    ] as const
  ) {
    const walk = () => walkCompetitions(service, ids as never, options as never);
    assertThrows(walk, InputError, words);
  }
  assertEquals(service.asked, []);
});

Deno.test("walkCompetitions() does not report a gap for a competition that became visible in between", async () => {
  const service = new FakeCompetitions([1]);
  service.latest = () => {
    service.visible = new Set([1, 2, 3, 5]);
    return { body: competitionNumber(5) };
  };
  assertEquals(await walked(service, { from: 1, to: 5 }, { concurrency: 1 }), "1 2 3 4- 5");
  assertEquals(service.asked, ["1", "2", "latest", "2", "3", "4", "5"]);
  const other = new FakeCompetitions([1]);
  other.latest = () => ({ body: competitionNumber(2) });
  assertEquals(await walked(other, { from: 1, to: 3 }, { concurrency: 1 }), "1 2 3?");
});

Deno.test("walkCompetitions() follows a service that advances during the walk", async () => {
  for (
    const [advancesAt, found] of [
      [5, "1 2- 3 4? 5? 6? 7? 8? 9?"],
      [4, "1 2- 3 4 5- 6 7- 8 9?"],
    ] as const
  ) {
    const service = new FakeCompetitions([1, 3]);
    service.before = (id) => {
      if (id === advancesAt) service.visible = new Set([...service.visible, 4, 6, 8]);
    };
    assertEquals(await walked(service, { from: 1, to: 9 }, { concurrency: 1 }), found);
  }
});

Deno.test("walkCompetitions() requests the latest twice at most, however many requests it sends at once", async () => {
  for (const concurrency of [1, 4, 16]) {
    const service = new FakeCompetitions([1, 3, 4, 7]);
    assertEquals(
      await walked(service, { from: 1, to: 24 }, { concurrency }),
      ["1 2- 3 4 5- 6- 7", ...Array.from({ length: 17 }, (_, at) => `${at + 8}?`)].join(" "),
    );
    const latest = service.asked.filter((which) => which === "latest");
    assert(latest.length <= 2, `${latest.length} times`);
  }
});

Deno.test("walkCompetitions() throws the error of the latest competition, after the entries before it", async () => {
  const service = new FakeCompetitions([1, 2, 4]);
  service.latest = () => ({ status: 502, body: "" });
  const seen: string[] = [];
  const walk = () => walked(service, { from: 1, to: 4 }, {}, seen);
  await assertRejects(walk, HttpStatusError, "Cannot get the latest competition");
  assertEquals(seen, ["1", "2"]);
});

Deno.test("walkCompetitions() decides without the latest if the service hides it", async () => {
  for (const concurrency of [1, 4]) {
    const service = new FakeCompetitions([3, 4, 7]);
    service.latest = () => NOT_FOUND;
    const found = await walked(service, { from: 1, to: 9 }, { concurrency });
    assertEquals(found, "1- 2- 3 4 5- 6- 7 8? 9?");
    assertEquals(service.asked.filter((which) => which === "latest").length, 1);
  }
});

Deno.test("walkCompetitions() sends nothing before the first pull, or once its loop is left", async () => {
  const service = new FakeCompetitions(Array.from({ length: 50 }, (_, index) => index));
  const walk = walkCompetitions(service, { from: 0, to: 49 });
  assertEquals(service.requests.length, 0);
  for await (const { auctionId } of walk) if (auctionId === 5) break;
  assertEquals(service.requests.length, 9);
  await Promise.resolve();
  assertEquals(service.pending, 0);
});

Deno.test("walkCompetitions() continues after an invalid competition, then names it", async () => {
  const broken = new FakeTransport(({ path }) => {
    const body = competitionNumber(Number(path.at(-1)));
    return { body: path.endsWith("/2") ? { ...body, solutions: 7 } : body };
  });
  const seen: string[] = [];
  const walk = () => walked(broken, { from: 1, to: 3 }, {}, seen);
  const says = "Cannot decode 1 of competitions 1 to 3";
  const error = await assertRejects(walk, IncompleteListError, says);
  assertEquals(seen, ["1", "3"]);
  assertEquals(error.failures[0]?.failure.source, "GET /api/v2/solver_competition/2");

  const failures: number[] = [];
  const progress: Progress[] = [];
  const whole = walkCompetitions(broken, { from: 1, to: 3 }, {
    onFailure: ({ auctionId }) => failures.push(auctionId),
    onProgress: (event) => progress.push(event),
  });
  assertEquals((await Array.fromAsync(whole)).length, 2);
  assertEquals(failures, [2]);
  assertEquals(progress, [1, 2, 3].map((done) => ({ done, total: 3 })));
});

Deno.test("walkCompetitions() throws the service's error, after the entries before it", async () => {
  const service = new FakeTransport(({ path }) =>
    path.endsWith("/3") ? { status: 502 } : { body: competitionNumber(Number(path.at(-1))) }
  );
  const seen: string[] = [];
  const walk = () => walked(service, { from: 1, to: 9 }, {}, seen);
  await assertRejects(walk, HttpStatusError, "Cannot get the competition of auction 3");
  assertEquals(seen, ["1", "2"]);
});

Deno.test("walkCompetitions() holds few of 1,000 competitions at a time", async () => {
  let held = 0;
  let mostHeld = 0;
  const service = new FakeTransport(async ({ path }) => {
    await Promise.resolve();
    mostHeld = Math.max(mostHeld, ++held);
    return { body: competitionNumber(Number(path.split("/").at(-1))) };
  });
  let count = 0;
  for await (const _ of walkCompetitions(service, { from: 1, to: 1_000 }, { concurrency: 8 })) {
    held--;
    count++;
    service.requests.length = 0;
  }
  assertEquals([count, mostHeld, service.mostPending], [1_000, 8, 8]);
});
