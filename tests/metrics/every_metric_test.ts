import * as metrics from "orderlens/metrics";
import { readdir } from "node:fs/promises";
import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { auctionOf } from "./auctions.ts";
import { orderOf, tradeOf } from "./reports.ts";
import { computed } from "./fixtures.ts";

const FOLDER = new URL("./", import.meta.url);

/** Metrics that no test calls with any values, and why. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  accountingWeek: "takes a time, no amounts",
  assessSettlement: "takes a status, a stage and times; a test tries each of them",
  auctionBrackets: "takes times, no amounts",
  compareSettlement: "compares records; audits of all recorded settlements call it",
  competitionStage: "looks a word up",
  concentration: "is called by windowedConcentration()",
  debugFeePolicy: "renames the fields of a policy",
  fillTime: "takes times, no amounts",
  orderFill: "renames three fields of an order",
  pricedSide: "selects two fields",
  rate: "is wilsonInterval() of two counts",
  surplusToken: "selects a token",
};

/** Texts of the tests that draw any values, and of what stands before the first test of a file. */
async function* propertyTests(): AsyncGenerator<string> {
  for (const name of await readdir(FOLDER, { recursive: true })) {
    if (!name.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    if (!text.includes("fc.assert(")) continue;
    const [before = "", ...tests] = text.split(/^(?=Deno\.test\()/m);
    yield* [before, ...tests.filter((test) => test.includes("fc.assert("))];
  }
}

Deno.test("every metric is called with any values, or has a reason not to be", async () => {
  const texts = (await Array.fromAsync(propertyTests())).join();
  const missing = Object.entries(metrics)
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\\b${name}\\(`).test(texts));
  const uncalled = missing.filter((name) => !Object.hasOwn(NOT_CALLED, name));
  assertEquals(
    uncalled,
    [],
    `No property calls ${
      uncalled.join(", ")
    }: call it in tests/metrics/any_amounts_test.ts, or in ` +
      `any_auctions_test.ts if it takes auctions, or say why not in NOT_CALLED of every_metric_test.ts`,
  );
  assertEquals(Object.keys(NOT_CALLED).filter((name) => !missing.includes(name)), []);
});

Deno.test("metrics reject an unknown role and baseline, and suggest the nearest", () => {
  const order = orderOf();
  const fill = { sellAmount: 100n, buyAmount: 210n };
  const role = "jit" as never;
  const item = { uid: "0x0f", order, fill, role };
  for (
    const measure of [
      () => metrics.networkFee(fill, order, { role }),
      () => metrics.settledSurplus(fill, order, role),
      () => metrics.slippage(fill, order, null, "limit", { role }),
      () => metrics.checkUniformPrices([item]),
      () => metrics.checkUniformPrices([item], { settlement: { tokens: [], clearingPrices: [] } }),
    ]
  ) assertThrows(measure, InputError, 'role "jit"');
  const shown = () => metrics.slippage(fill, order, null, "shown" as never);
  assertThrows(shown, InputError, 'slippage with baseline "shown": did you mean "userShown"?');
  // Any word but "buy" would have the price of a sell order.
  const kind = () => metrics.impliedPrice(fill, { kind: "BUY" as never, executedFee: 0n });
  assertThrows(kind, InputError, 'kind "BUY"');
});

Deno.test("isNotComputable() is false for records with a reason of their own", () => {
  const event = { label: "invalid", reason: "insufficient_balance" };
  for (const other of [event, { reason: null, detail: null }, null, undefined, 0n]) {
    assertEquals(metrics.isNotComputable(other), false);
  }
});

Deno.test("reasons of metrics are in snake_case", async () => {
  const words = new Set<string>();
  const folder = new URL("../../lib/metrics/", import.meta.url);
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const code = await Deno.readTextFile(new URL(name, folder));
    const types = code.matchAll(/^(?:export )?type \w*Reason =([^;]*);/gm);
    const returned = code.matchAll(/NotComputable<("[^>]*)>/g);
    const given = code.matchAll(/\breason: ("\w*")/g);
    for (const [, text = ""] of [...types, ...returned, ...given]) {
      for (const [, word = ""] of text.matchAll(/"([^"]*)"/g)) words.add(word);
    }
  }
  assertEquals(words.has("no_quote") && words.has("no_auctions") && words.has("no_fill"), true);
  assertEquals([...words].filter((word) => !/^[a-z]+(_[a-z]+)*$/.test(word)), []);
});

const UID = "0x0a>0x0b";
const SPELT = "0x0A>0x0B";
const OTHER = "0x0b>0x0c";
const LIMIT = { kind: "sell", sellAmount: 1n, buyAmount: 1n } as const;
const RECORD = { uid: SPELT, ...LIMIT };

function* once<One>(...all: One[]): Generator<One> {
  yield* all;
}

const alone = auctionOf(
  [{ solver: "A", score: 0n, pairs: [["0x0a", "0x0b"]], isWinner: true, txHash: "0xab" }],
  { auction: { orders: [UID], prices: { "0x0b": 10n ** 18n } }, referenceScores: { A: 0n } },
);

function scoreOf(terms: metrics.ScoringTerms) {
  const [solution] = alone.solutions;
  const { score, missing } = computed(metrics.scoreSolution(solution!, alone.auction, terms));
  return [score, ...missing.map((one) => one.missing)];
}

Deno.test("metrics take orders as any iterable of records or pairs, with UIDs in any case", () => {
  const trades = [tradeOf({ orderUid: UID, blockNumber: 102 })];
  const outcomes = metrics.settlementOutcomes([alone], { trades });
  // A fresh one each, since what is iterated once is used up.
  const all: Record<string, () => metrics.ScoringTerms["orders"]> = {
    "a Map in lower case": () => new Map([[UID, LIMIT]]),
    "a Map in mixed case": () => new Map([[SPELT, LIMIT]]),
    "an array of orders": () => [RECORD],
    "an array of pairs": () => [[SPELT, LIMIT] as const],
    "a Set": () => new Set([RECORD]),
    "a generator": () => once(RECORD),
  };
  for (const [what, orders] of Object.entries(all)) {
    assertEquals(scoreOf({ orders: orders() }), [0n, "policies"], what);
    const shares = metrics.consistencyShares([alone], { outcomes, orders: orders() });
    assertEquals([shares.ordersWithoutSurplus, shares.ordersUnknown], [1, 0], what);
  }
  for (
    const policies of [new Map([[SPELT, []]]), [[SPELT, []]] as const, once([SPELT, []] as const)]
  ) {
    assertEquals(scoreOf({ orders: [RECORD], policies }), [0n]);
  }
});

Deno.test("replayCompetition() finds orders and policies in either case", () => {
  const batch = auctionOf([
    { solver: "A", score: 100n, pairs: [["0x0a", "0x0b"], ["0x0b", "0x0c"]] },
    { solver: "B", score: 60n, pairs: [["0x0a", "0x0b"]] },
  ], { auction: { orders: [UID, OTHER], prices: { "0x0b": 10n ** 18n, "0x0c": 10n ** 18n } } });
  const uids = [SPELT, OTHER.toUpperCase()];
  const orders = uids.map((uid) => ({ ...LIMIT, uid }));
  const policies = uids.map((uid) => [uid, []] as const);
  // Executed at the limit, the batch scores 0 on the pair of which the other bid makes 60.
  assertEquals(metrics.replayCompetition(batch, { orders, policies }).basis.filterFlagsReported, 0);
  assertEquals(metrics.replayCompetition(batch).basis.filterFlagsReported, 1);
});

Deno.test("a Map that changes between two calls is read again", () => {
  const orders = new Map([[SPELT, { ...LIMIT, buyAmount: 0n }]]);
  const terms = { orders, policies: [[UID, []]] as const };
  assertEquals(scoreOf(terms), [1n]);
  orders.set(SPELT, LIMIT);
  assertEquals(scoreOf(terms), [0n]);
  orders.delete(SPELT);
  orders.set("0x0a>0x0B", LIMIT);
  assertEquals(scoreOf(terms), [0n]);
  orders.clear();
  assertEquals(scoreOf(terms), [0n, "order"]);
});

Deno.test("records without a UID are rejected, not skipped", () => {
  const trade = { orderUid: UID, ...LIMIT };
  const scored = (orders: unknown) => () => scoreOf({ orders } as metrics.ScoringTerms);
  assertThrows(scored([trade]), InputError, "Cannot score a solution with orders");
  assertThrows(
    scored(once(trade)),
    InputError,
    "Cannot look up records by UID: one of them has no uid",
  );
});
