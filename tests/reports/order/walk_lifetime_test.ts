import { connect } from "orderlens";
import { InputError } from "orderlens/errors";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { type InspectOptions, inspectOrder, orderText } from "orderlens/reports";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { formatWalk } from "../../../lib/reports/order/walk_text.ts";
import { competitionBody, CONTRACT, hex, orderBody, OWNER } from "../canned_book.ts";

/** A service that begins an auction every 12 s, each id with one, from id 0 on. */
const EPOCH_S = 1_780_000_000;
const PERIOD_S = 12;
const LATEST = 9_000;

/** The begin of an auction, in unix seconds. */
const beginOf = (id: number) => EPOCH_S + PERIOD_S * id;
/** An order that others placed a second before an auction, for ten minutes. */
const fillerOf = (id: number) => uidOf(id + 1, beginOf(id) - 1 + 600);

function uidOf(number: number, validTo: number): string {
  const digest = number.toString(16).padStart(64, "0");
  return `0x${digest}${OWNER.slice(2)}${validTo.toString(16).padStart(8, "0")}`;
}

/** What a service does beside the usual. */
interface Behaviour {
  /** Status of the order. @default {"expired"} */
  readonly status?: "open" | "expired";
  /** Its stage. @default {"active"} */
  readonly stage?: string;
  /** Auctions that began between its creation and its end. */
  readonly life: readonly [first: number, last: number];
  /** Bids on it, by id. @default {none} */
  readonly bids?: Readonly<Record<number, "lost" | "unfair">>;
  /** Whether an id has an auction. @default {all up to 9,000} */
  readonly has?: (id: number) => boolean;
  /** Changes the body of an auction. */
  readonly change?: (body: Record<string, unknown>, id: number) => unknown;
  /** Whether the request of a number fails. */
  readonly fails?: (request: number) => boolean;
  /** What the rate limit leaves. */
  readonly left?: number;
}

/** A public service with one order of interest, which every auction of its life lists but those of the last minute. */
function serviceOf(behaviour: Behaviour) {
  const { status = "expired", stage = "active", life: [first, last], bids = {} } = behaviour;
  const { has = () => true, change = (body) => body, fails = () => false, left } = behaviour;
  const validTo = beginOf(last) + 5;
  const uid = uidOf(0xabcdef, validTo);
  const createdS = beginOf(first) - 5;
  const dateOf = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const order = orderBody({ uid, validTo, status, creationDate: dateOf(createdS) });
  const asked: string[] = [];

  function bodyOf(id: number): unknown {
    if (id > LATEST || !has(id)) return undefined;
    const isListed = id >= first && beginOf(id) <= validTo - 60;
    const fillers = [id, id - 1, id - 2, id - 40].filter((each) => each >= 0).map(fillerOf);
    const [won] = Object(competitionBody()).solutions;
    const bid = {
      ...won,
      isWinner: false,
      filteredOut: bids[id] === "unfair",
      ranking: 2,
      orders: [{ ...won.orders[0], id: uid }],
    };
    const other = { ...won, orders: [{ ...won.orders[0], id: fillerOf(id) }] };
    return change({
      ...competitionBody({ auctionId: id, auctionStartBlock: id, auctionDeadlineBlock: id + 3 }),
      auction: { orders: [...fillers, ...isListed ? [uid] : []], prices: {} },
      solutions: bids[id] === undefined ? [other] : [bid, other],
    }, id);
  }

  function answer({ path, body = "[]" }: HttpRequest): unknown {
    const name = path.split("/").at(-1)!;
    if (path.endsWith("/latest")) return bodyOf(LATEST);
    if (path.includes("/solver_competition/")) return bodyOf(Number(name));
    if (path.startsWith("/api/v1/orders/by_uids")) {
      return JSON.parse(body).map((each: string) => {
        const expiry = parseInt(each.slice(-8), 16);
        const creationDate = dateOf(each === uid ? createdS : expiry - 600);
        return { order: { ...order, uid: each, validTo: expiry, creationDate } };
      });
    }
    if (path === `/api/v1/orders/${uid}`) return order;
    if (path === `/api/v1/orders/${uid}/status`) return { type: stage };
    return path.startsWith("/api/v2/trades") ? [] : undefined;
  }

  const send = (request: HttpRequest): Promise<HttpResponse> => {
    const isWalk = /solver_competition|by_uids/.test(request.path);
    if (isWalk) asked.push(request.path.split("/").at(-1)!);
    const found = answer(request);
    const isRefused = request.path.startsWith("/restricted/");
    const code = isWalk && fails(asked.length)
      ? 500
      : isRefused
      ? 403
      : found === undefined
      ? 404
      : 200;
    const text = code === 200
      ? JSON.stringify(found)
      : '{"errorType":"NotFound","description":"not found"}';
    const contentType = "application/json";
    const headers = new Headers({ "content-type": contentType });
    return Promise.resolve({ status: code, contentType, headers, body: text });
  };
  const deployment = { chainId: 1, settlementContract: CONTRACT };
  const limited = left === undefined ? {} : { countRequestsLeft: () => left };
  const book = connect({ baseUrl: "canned://service", deployment, send, ...limited });
  return {
    asked,
    inspect: (options: InspectOptions = {}) => inspectOrder(book, uid, options),
  };
}

Deno.test("inspectOrder() explains an open order by the newest auctions, and says which it read", async () => {
  const { inspect, asked } = serviceOf({ status: "open", life: [8_900, 9_500] });
  const report = await inspect();
  assertEquals(report.verdict, "open_no_bid_at_a_fair_limit");
  assert(asked.length <= 40, `${asked.length} requests`);
  const { from, to, read, listed, isWhole, isLastSeen } = report.evidence.walked!;
  assertEquals([to, isWhole, isLastSeen], [LATEST, false, true]);
  assert(from <= 8_900 && read - listed <= 8_900 - from, `${from} ${read} ${listed}`);
  assertMatch(report.sentence, /in any of its \d+ auctions that were read[.;,]/);
  const total = to - from + 1;
  const text = orderText(report, { width: 200 });
  assert(
    text.includes(
      `Looked at ${read} of ${total} auctions around its lifetime up to ${to}: listed in `,
    ),
    text,
  );
  const entry = report.unknown.find(({ what }) => what === "earlier_auctions");
  assertMatch(entry!.remedy, /^Read all: `deep` in code, --deep on the command line/);
});

Deno.test("inspectOrder() finds the end of an order of days ago within its budget", async () => {
  const bids = { 4_090: "unfair" } as const;
  const { inspect, asked } = serviceOf({ life: [4_000, 4_100], bids });
  const report = await inspect();
  assert(asked.length <= 40, `${asked.length} requests`);
  // In its last minute, from 4,096 on, no auction lists it.
  assertEquals(report.verdict, "expired_no_bid_at_a_fair_limit");
  assert(report.evidence.walked!.isLastSeen);
  // The whole lifetime, without a budget.
  const whole = await inspect({ deep: true });
  assertEquals(whole.evidence.walked!.isWhole, true);
  assertEquals(whole.evidence.walked!.listed, 96);
  assertMatch(
    whole.sentence,
    /nobody bid on it in 95 of its 96 stored auctions, the last among them/,
  );
  assertMatch(whole.sentence, /in 1 auction before, every bid on it was filtered out as unfair/);
});

Deno.test("inspectOrder() judges by the last auction that listed an order, and by no other that it read", async () => {
  const { inspect } = serviceOf({ life: [4_000, 4_100], bids: { 4_095: "lost" } });
  assertEquals((await inspect()).verdict, "expired_outbid");
  // A budget that ends before it leaves the cause open, and says what was read.
  const short = await serviceOf({ status: "open", life: [8_900, 9_500], has: (id) => id !== 8_999 })
    .inspect({ budget: { requests: 1 } });
  assertEquals(short.cause, "no_bid_at_a_fair_limit", "the newest one is the last");
});

Deno.test("inspectOrder() takes at most half of what the rate limit leaves", async () => {
  const { inspect, asked } = serviceOf({ life: [4_000, 4_100], left: 21 });
  const report = await inspect();
  assertEquals(asked.length, 10);
  assertEquals(report.cause, "unknown");
  const none = serviceOf({ life: [4_000, 4_100], left: 1 });
  const { unknown, evidence } = await none.inspect();
  assertEquals([none.asked, evidence.walked], [[], null]);
  const [search, auctions] = ["auction_search", "auctions"].map((topic) =>
    unknown.find(({ what }) => what === topic)!
  );
  assertStringIncludes(search!.why, "left none for");
  // Pages have what has one remedy in one row.
  assertEquals(search!.remedy, auctions!.remedy);
  // Without a budget, it waits.
  assertEquals((await none.inspect({ deep: true })).evidence.walked?.isWhole, true);
});

Deno.test("inspectOrder() looks at no auction where its budget is none, and rejects what is no budget", async () => {
  const { inspect, asked } = serviceOf({ life: [4_000, 4_100] });
  for (const budget of [{ requests: 0 }, { ms: 0 }]) {
    const { evidence, cause, possible } = await inspect({ budget });
    assertEquals([evidence.walked, cause], [null, "unknown"]);
    assert(possible.includes("outbid"));
  }
  assertEquals(asked, []);
  for (const budget of [{ requests: -1 }, { ms: 1.5 }, { seconds: 3 }, 40, { ms: 1e9 }]) {
    await assertRejects(() => inspect({ budget } as object), InputError);
  }
});

Deno.test("inspectOrder() says what it read before the deployment failed", async () => {
  const { inspect, asked } = serviceOf({
    status: "open",
    life: [8_900, 9_500],
    has: (id) => id !== 8_990,
    fails: (request) => request > 8,
  });
  const report = await inspect();
  const entry = report.unknown.find(({ what }) => what === "auction_search");
  assertMatch(entry!.why, /^All auctions of its lifetime could not be fetched/);
  assert(report.evidence.walked!.listed >= 1 && asked.length < 20, `${asked.length} requests`);
  assertMatch(report.sentence, /auctions? that (was|were) read/);
});

Deno.test("inspectOrder() does not take deleted auctions for such as were never stored", async () => {
  const { inspect } = serviceOf({ life: [4_000, 4_100], has: (id) => id > 6_000 });
  for (const options of [{}, { deep: true }]) {
    const { cause, possible, evidence } = await inspect(options);
    assertEquals([cause, evidence.walked?.isWhole ?? false], ["unknown", false]);
    assert(possible.includes("ready_in_no_stored_auction") && possible.includes("outbid"));
  }
});

Deno.test("inspectOrder() decides nothing where auction ids do not follow time", async () => {
  const change = (body: Record<string, unknown>, id: number) => ({
    ...body,
    auctionStartBlock: 20_000 - id,
  });
  const { cause, unknown } = await serviceOf({ life: [4_000, 4_100], change }).inspect();
  assertEquals(cause, "unknown");
  assert(unknown.some(({ what }) => what === "auction_order"));
});

Deno.test("inspectOrder() waits for the first auction of an order that is newer than all it sees", async () => {
  const { inspect, asked } = serviceOf({ status: "open", life: [9_001, 9_500] });
  const report = await inspect();
  const sentence =
    "Open: none of its auctions is visible: they may still be running, or nobody bid in them";
  assertEquals(report.sentence, `${sentence}, or they were not recorded.`);
  assert(report.possible.includes("auction_running") && asked.length < 15, `${asked.length}`);
  const now = Temporal.Instant.fromEpochMilliseconds(beginOf(9_001) * 1_000);
  assertEquals((await inspect({ now })).sentence, `${sentence}.`);
});

Deno.test("inspectOrder() takes a losing bid that the stage tells for one in an auction that is hidden yet", async () => {
  const ahead = serviceOf({ status: "open", stage: "solved", life: [8_990, 9_500] });
  const { cause, possible } = await ahead.inspect({ deep: true });
  assertEquals([cause, possible], ["unknown", ["bids_unfair", "outbid"]]);
});

Deno.test("inspectOrder() ends with its signal, and reports the ids that it reads", async () => {
  const { inspect } = serviceOf({ life: [4_000, 4_100] });
  const reason = new Error("enough");
  await assertRejects(() => inspect({ signal: AbortSignal.abort(reason) }), Error, "enough");
  const seen: string[] = [];
  await inspect({ onProgress: ({ done, total }) => seen.push(`${done}/${total}`) });
  assertMatch(seen.at(-1)!, /^(\d+)\/\1$/);
  assertEquals(hex("0d", 20), OWNER);
});

Deno.test("formatWalk() counts what could not be read beside what was looked at", () => {
  const walked = {
    ...{ from: 1_135, to: 1_174, read: 40, listed: 0, absent: 0, unread: 39 },
    ...{ isWhole: false, isStartSeen: false, isEndSeen: false, isLastMinuteSeen: false },
    ...{ isLastSeen: false, isAnySeen: false, isOrdered: true },
  };
  assertEquals(
    formatWalk(walked, []),
    "Looked at 1 auction up to 1174: listed in none; 39 more could not be read",
  );
  const part = { ...walked, isStartSeen: true, isEndSeen: true, read: 22, listed: 5, unread: 15 };
  assertEquals(
    formatWalk(part, []),
    "Looked at 7 of 40 auctions around its lifetime: listed in 5, without a bid; 15 more could not be read",
  );
  // Later auctions may have it too.
  const newest = { ...part, isEndSeen: false, from: 1174, read: 1, listed: 0, unread: 0 };
  assertEquals(
    formatWalk(newest, []),
    "Looked at the only auction around its lifetime up to 1174: listed in none",
  );
});
