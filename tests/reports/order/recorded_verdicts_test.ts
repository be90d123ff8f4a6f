import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import {
  inspectAccount,
  inspectOrder,
  type OrderReport,
  orderText,
  triageOrders,
} from "orderlens/reports";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkVerdicts, refuseReports } from "../../../tools/metrics/check_verdicts.ts";
import { Tally } from "../../../tools/metrics/tally.ts";
import { recordedRun } from "../../metrics/recorded_run.ts";
import { cannedBook } from "../canned_book.ts";

const KINDS = ["verdicts", "verdicts/public", "verdicts/deep"] as const;
const FOLDER = new URL("../../../data/recorded", import.meta.url).pathname;
/** Recordings whose orders the service stored, with their number. */
const ORDERS: Readonly<Record<string, number>> = {
  ethflow__eth_flow_indexing_after_refund: 2,
  hooks__partial_fills: 1,
  market_1: 938,
  market_3: 529,
  order_cancellation__order_cancellation: 3,
  smart_contract_orders__smart_contract_orders: 2,
  tracking_insufficient_funds__test: 2,
  trades_v2__trades_v2_endpoints: 4,
};

Deno.test("inspectOrder() judges recorded orders as the service's own rows do, with and without their reports", async () => {
  let unexplained = 0;
  for (const [name, orders] of Object.entries(ORDERS)) {
    const tally = new Tally(name);
    await checkVerdicts(await recordedRun(name), FOLDER, tally);
    assertEquals(tally.failures, []);
    const made = KINDS.map((kind) => tally.counts.get(kind)!.made);
    // Of a market, the first 40 that public answers alone do not decide are asked for deep.
    assertEquals(made, [orders, orders, orders > 40 ? 40 : 0], name);
    if (orders > 40) unexplained += tally.unexplained;
  }
  // Of 594 that no report explains, public responses leave few open within the budget of a report.
  assert(unexplained <= 146, `${unexplained} of 1,467 reports do not show why`);
});

/** The parts of a debug report as it is sent that a cut changes. */
interface SentReport {
  order: Record<string, unknown>;
  events: { label: string; reason?: string; timestamp: string }[];
  auctions: {
    id: number;
    deadline: number;
    settlementAttempts: { startTimestamp: string; endTimestamp?: string | undefined }[];
  }[];
  trades: unknown[];
}

/** What the service had answered right after the first event that an order is in flight. */
function cutInFlight(report: SentReport, status = "open"): SentReport {
  const place = report.events.findIndex(({ reason }) => reason === "in_flight");
  const { timestamp } = report.events[place]!;
  const until = (attempt: SentReport["auctions"][number]["settlementAttempts"][number]) =>
    attempt.endTimestamp! > timestamp
      ? { ...attempt, endTimestamp: undefined, endBlock: undefined, outcome: undefined }
      : attempt;
  const executed = { executedSellAmount: "0", executedBuyAmount: "0" };
  return {
    ...report,
    order: {
      ...report.order,
      ...executed,
      executedSellAmountBeforeFees: "0",
      status,
    },
    events: report.events.slice(0, place + 1),
    auctions: report.auctions.map((auction) => ({
      ...auction,
      executions: [],
      settlementAttempts: auction.settlementAttempts
        .filter(({ startTimestamp }) => startTimestamp <= timestamp).map(until),
    })).slice(
      0,
      report.auctions.findLastIndex(({ settlementAttempts }) =>
        settlementAttempts.some(({ startTimestamp }) => startTimestamp <= timestamp)
      ) + 1,
    ),
    trades: [],
  };
}

/** By their timestamps in the reports: the first three had failed 20 to 80 ms before the event. */
const IN_FLIGHT = [
  ["0xfce0be36", "open_won_not_settled"],
  ["0x01f320f1", "open_won_not_settled"],
  ["0x500b5278", "open_won_not_settled"],
  ["0xb5640e91", "open_executing"],
  ["0x8ed5cb5b", "open_executing"],
  ["0x540c604d", "open_executing"],
] as const;

Deno.test("inspectOrder() judges reports that end with an order in flight by the auction that it won", async () => {
  const recording = await replay("market_1");
  for (const [start, verdict] of IN_FLIGHT) {
    const uid = recording.recorded.orderUids.find((each) => each.startsWith(start))!;
    const path = `/restricted/api/v1/debug/order/${uid}`;
    const { body } = await recording.send({ method: "GET", path });
    const report = cutInFlight(JSON.parse(body));
    const answers = {
      [`/api/v1/orders/${uid}/status`]: { type: "open" },
      [`/api/v1/orders/${uid}`]: report.order,
    };
    const full = await inspectOrder(cannedBook({ ...answers, [path]: report }).book, uid);
    assertEquals(full.verdict, verdict, uid);
    const bare = await inspectOrder(cannedBook(answers).book, uid);
    assert(bare.possible.includes(full.cause), uid);
  }
});

Deno.test("inspectOrder() of a recording never calls an order final whose settlement was pending", async () => {
  const recording = await replay("market_1");
  for (const [start, verdict] of IN_FLIGHT) {
    const uid = recording.recorded.orderUids.find((each) => each.startsWith(start))!;
    const path = `/restricted/api/v1/debug/order/${uid}`;
    const { body } = await recording.send({ method: "GET", path });
    const isPending = verdict === "open_executing";
    for (const status of ["expired", "cancelled"]) {
      const report = cutInFlight(JSON.parse(body), status);
      const { id, deadline } = report.auctions.at(-1)!;
      const answers = { [`/api/v1/orders/${uid}`]: report.order, [path]: report };
      const list = { "/api/v1/orders/by_uids": [{ order: report.order }] };
      const { book } = cannedBook({ ...answers, ...list });
      const { sentence, outlook, next, money, ...judged } = await inspectOrder(book, uid);
      const text = `: the settlement of auction ${id} could still have been mined until ` +
        `block ${deadline}, which the responses do not show`;
      assertEquals(sentence.includes(text), isPending, sentence);
      assertEquals(judged.verdict === `${status}_executing`, isPending);
      assertEquals(outlook!.mayStillSettle, isPending ? null : false);
      const actions = next.map(({ action }) => action);
      assertEquals(actions.includes("place_anew"), !isPending);
      assertEquals(money!.moves.some(({ call }) => call === "place_again"), !isPending);
      const [place] = money!.places;
      assertEquals(place!.place === "pending_settlement", isPending);
      assert(!isPending || money!.places.every(({ text }) => !text.includes("never taken")));
      const [row] = await Array.fromAsync(triageOrders(book, [uid]));
      assertEquals([row!.verdict, row!.sentence], [judged.verdict, sentence]);
    }
  }
});

Deno.test("inspectOrder() says of a filled order that it was cancelled before", async () => {
  const recording = await replay("market_1");
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0x6984abfc"))!;
  const full = await inspectOrder(connect(recording), uid);
  assertEquals(full.cause, "filled");
  // It was in auction 1887 at 15:09:40.791, and cancelled at 15:09:41.848.
  assert(
    full.sentence.endsWith(", although it was cancelled while an auction with it was under way."),
    full.sentence,
  );
  assertEquals(
    full.alsoHappened.map(({ text }) => text),
    ["Cancelled while an auction with it was under way, which filled it"],
  );
  const bare = await inspectOrder(connect(refuseReports(recording)), uid);
  assert(bare.sentence.endsWith(", although it was also cancelled."), bare.sentence);
});

Deno.test("checkVerdicts() finds a verdict that is not what was stored", async () => {
  const scenario = await recordedRun("trades_v2__trades_v2_endpoints");
  const tally = new Tally("changed");
  const auctions = scenario.truth!.competition_auctions!.map((row) => ({ ...row, deadline: 0 }));
  const changed = { ...scenario.truth!, competition_auctions: auctions };
  await checkVerdicts({ ...scenario, truth: changed }, FOLDER, tally);
  assert(
    tally.failures.some((line) => line.includes("filled, but filled_late by what was stored")),
  );
});

Deno.test("inspectOrder() of a sandbox with faults says the same without the report, or that it is unknown", async () => {
  const seen = new Set<string>();
  await using sandbox = await openSandbox({ seed: 3, auctions: 15 });
  const book = connect(sandbox);
  for (const kind of ["unknownFields", "rateLimited", "reset"] as const) {
    sandbox.fault({ kind, rate: 0.1 });
  }
  const uids = new Set<string>();
  for await (const { competition } of book.competitions({ last: 12 })) {
    for (const uid of competition?.auction.orders ?? []) uids.add(uid);
  }
  const { transport, baseUrl } = book;
  const bare = connect(refuseReports({
    baseUrl,
    deployment: sandbox.deployment,
    send: (request) => transport.send(request),
  }));
  for (const uid of [...uids].slice(0, 20)) {
    const full = await inspectOrder(book, uid, { now: sandbox.now });
    const part = await inspectOrder(bare, uid, { now: sandbox.now });
    seen.add(full.verdict);
    if (part.cause === "unknown") assert(part.possible.includes(full.cause), full.sentence);
    else assertEquals(part.cause, full.cause, uid);
  }
  assert(seen.size >= 3, [...seen].join());
});

const RECORDING = await replay("market_3");
const FULL = connect(RECORDING);
const BARE = connect(refuseReports(RECORDING));

/** Nobody bid on it in 6 auctions, and it expired long before the last of all. */
const UID = RECORDING.recorded.orderUids.find((uid) => uid.startsWith("0x6b7dccd1"))!;

Deno.test("inspectOrder() with deep finds the auctions and bids that the report has", async () => {
  const reported = await inspectOrder(FULL, UID, { deep: true });
  assertEquals(reported.evidence.walked, null, "a report has them");
  const progress: string[] = [];
  const deep = await inspectOrder(BARE, UID, {
    deep: true,
    onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
  });
  const idsOf = ({ auctions }: OrderReport) => auctions.map(({ auctionId }) => auctionId);
  assertEquals(idsOf(deep), idsOf(reported));
  assertEquals([deep.verdict, deep.sentence], [reported.verdict, reported.sentence]);
  const { from, to, absent, unread, isWhole, isEndSeen } = deep.evidence.walked!;
  assertEquals([unread, isWhole, isEndSeen], [0, true, true]);
  assert(absent >= 0 && from <= deep.auctions[0]!.auctionId);
  assertEquals(progress.at(-1), `${to - from + 1}/${to - from + 1}`);
});

Deno.test("inspectOrder() sends nobody to wait for auctions that a recording does not have", async () => {
  const recording = await replay("market_3");
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0xf436c767"))!;
  const { unknown } = await inspectOrder(connect(refuseReports(recording)), uid);
  assertEquals(unknown.find(({ what }) => what === "newest_auctions"), {
    what: "newest_auctions",
    why: "The recording has no auctions after 1030",
    remedy: "Use a recording that has them",
  });
});

Deno.test("inspectOrder() says of an order from before the first stored auction what was read", async () => {
  const uid = RECORDING.recorded.orderUids.find((each) => each.startsWith("0x51a10d95"))!;
  const { verdict, sentence, evidence } = await inspectOrder(BARE, uid, { deep: true });
  assertEquals(verdict, "expired_no_bid_at_a_fair_limit");
  assert(sentence.includes(" in any of its 30 auctions that were read, "), sentence);
  assertEquals(evidence.walked!.isStartSeen, false);
});

Deno.test("inspectOrder() with deep walks the last ids if there are more than wanted, and says so", async () => {
  const whole = (await inspectOrder(BARE, UID, { deep: true })).evidence.walked!;
  const some = await inspectOrder(BARE, UID, { deep: 2 });
  const { from, to, read, isWhole } = some.evidence.walked!;
  // Those that the search read count too.
  assert(from <= whole.from && to >= whole.to && read < whole.read, `${read} of ${whole.read}`);
  assertEquals([isWhole, whole.isWhole], [false, true]);
  assertEquals(some.unknown.some(({ what }) => what === "earlier_auctions"), true);
});

Deno.test("inspectOrder() shows the best bid of a stage where no debug report names the winner", async () => {
  const recording = await replay("simulated_1");
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0x326b6b1e"))!;
  const report = await inspectOrder(connect(refuseReports(recording)), uid);
  assertEquals(report.stageBids.map(({ solver, buyAmount }) => [solver.slice(-1), buyAmount]), [
    ["5", 39_640_128_474_102_635_528n],
    ["2", 39_638_144_883_797_442_811n],
    ["3", 39_628_226_932_271_479_228n],
    ["3", 39_628_226_932_271_479_228n],
  ]);
  assertStringIncludes(
    orderText(report).replaceAll(/\s+/g, " "),
    "Best bid robber in the latest auction, 4,010,854,537,249,117,806,687 atoms of 0x57e7…0003 for " +
      "39,640,128,474,102,635,528 atoms of 0x57e7…0004, +4.99 bps over the limit",
  );
});

Deno.test("inspectAccount() says of each order what inspectOrder() says", async () => {
  const recording = await replay("market_1");
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0xdfb812c0"))!;
  const book = connect(recording);
  const { orders } = await inspectAccount(book, `0x${uid.slice(66, 106)}`, { orders: 200 });
  // Its quote, which the list of the account lacks, does not meet its limit.
  const row = orders.find((order) => order.uid === uid);
  assertEquals(row?.verdict, "expired_no_bid_limit_beyond_market");
  for (const { uid, verdict, sentence } of orders) {
    const report = await inspectOrder(book, uid);
    assertEquals([verdict, sentence], [report.verdict, report.sentence], uid);
  }
});
