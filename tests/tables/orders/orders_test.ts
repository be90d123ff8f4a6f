import { assertEquals } from "@std/assert";
import { buildTable, FILLS, LIFECYCLE, ORDERS, TRADES } from "orderlens/tables";
import { orderOf, reportOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { auctionOf } from "../../metrics/auctions.ts";
import type { OrderEvidence } from "orderlens/metrics";
import type { Competition } from "orderlens/schemas";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/** 3 of 10 WETH sold for 6,100 USDC, at a limit of 2,000 each. */
const partlyFilled = orderOf({
  sellToken: WETH,
  buyToken: USDC,
  sellAmount: 10n ** 19n,
  buyAmount: 20_000_000_000n,
  executedSellAmount: 3n * 10n ** 18n,
  executedSellAmountBeforeFees: 3n * 10n ** 18n,
  executedBuyAmount: 6_100_000_000n,
});

Deno.test("ORDERS has executed fraction, surplus, and its share", () => {
  const columns = [
    "pair limit_buy_tokens_per_sell_token filled_fraction surplus_token",
    "surplus_atoms surplus_tokens surplus_bps",
  ];
  assertEquals(cells(buildTable(ORDERS, { orders: [partlyFilled] }), ...columns), [
    ["WETH → USDC", 2000, 0.3, USDC, "100000000", 100, 10_000 * 100 / 6_000],
  ]);
});

Deno.test("ORDERS has the surplus of a buy order in the sold token", () => {
  const order = orderOf({
    kind: "buy",
    executedSellAmount: 90n,
    executedSellAmountBeforeFees: 90n,
    executedBuyAmount: 200n,
  });
  const columns = ["filled_fraction", "surplus_atoms", "surplus_token", "surplus_bps"];
  assertEquals(cells(buildTable(ORDERS, { orders: [order] }), ...columns), [[
    1,
    "10",
    "0x01",
    1000,
  ]]);
});

Deno.test("ORDERS has no surplus without executed amounts, nor for a limit without a price", () => {
  const none = orderOf();
  const priceless = orderOf({ sellAmount: 0n, executedBuyAmount: 5n });
  const columns = ["surplus_atoms", "surplus_bps", "filled_fraction"];
  assertEquals(cells(buildTable(ORDERS, { orders: [none, priceless] }), ...columns), [
    [null, null, 0],
    [null, null, null],
  ]);
});

Deno.test("ORDERS distinguishes missing from zero", () => {
  const columns = [
    "executed_fee_atoms fee_token quote_sell_amount_atoms gas_cost_atoms market_position",
  ];
  assertEquals(cells(buildTable(ORDERS, { orders: [orderOf()] }), ...columns), [[
    null,
    null,
    null,
    null,
    null,
  ]]);
  const zero = orderOf({ executedFee: 0n, executedFeeToken: WETH, gasCost: 0n });
  assertEquals(cells(buildTable(ORDERS, { orders: [zero] }), ...columns), [[
    "0",
    WETH,
    null,
    "0",
    null,
  ]]);
});

const [A, B] = [`0x${"a0".repeat(20)}`, `0x${"b0".repeat(20)}`];

const PAIR = ["0x01", "0x02"] as const;

const ORDER = "0x01>0x02";

Deno.test("TRADES names the solver of the transaction, whichever solution lists the order", () => {
  const auction = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true, txHash: "0xaa" },
    { solver: B, score: 8n, pairs: [["0x03", "0x04"]], isWinner: true, txHash: "0xbb" },
  ], { transactionHashes: ["0xaa", "0xbb"] });
  const fills = [
    tradeOf({ orderUid: ORDER, txHash: "0xAA" }),
    tradeOf({ orderUid: "0x0e", txHash: "0xbb" }),
    tradeOf({ orderUid: ORDER, txHash: "0xcc" }),
    tradeOf({ orderUid: ORDER, txHash: null }),
  ];
  assertEquals(
    cells(
      buildTable(TRADES, { trades: fills, competitions: [auction] }),
      "auction_id",
      "solver",
      "gaps",
    ),
    [
      [auction.auctionId, A, "fill_time"],
      [auction.auctionId, B, "fill_time"],
      [null, null, "solver, fill_time"],
      [null, null, "solver, fill_time"],
    ],
  );
});

Deno.test("TRADES takes the winner with the order where no solution names the transaction", () => {
  const auction = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true },
    { solver: B, score: 8n, pairs: [PAIR] },
  ], { transactionHashes: ["0xaa"] });
  const options = { competitions: [auction], solvers: { [A]: "Alpha" } };
  const fills = [tradeOf({ orderUid: ORDER }), tradeOf({ orderUid: "0x0e" })];
  assertEquals(
    cells(buildTable(TRADES, { trades: fills, ...options }), "solver", "solver_name", "gaps"),
    [[A, "Alpha", "fill_time"], [null, null, "solver, fill_time"]],
  );
});

const at = (time: string) => Temporal.Instant.from(`2026-08-21T10:${time}Z`);
const now = at("10:00");
const validTo = at("05:00").epochMilliseconds / 1_000;
const filled = {
  executedSellAmount: 100n,
  executedSellAmountBeforeFees: 100n,
  executedBuyAmount: 210n,
};
const COLUMNS = [
  "status status_agrees time_to_first_fill_seconds time_to_last_fill_seconds",
  "observed_seconds",
];

function rowOf(evidence: OrderEvidence) {
  return cells(buildTable(LIFECYCLE, { evidence: [evidence], now }), ...COLUMNS)[0];
}

Deno.test("LIFECYCLE measures the times of a filled order by its events", () => {
  const order = orderOf({ ...filled, status: "fulfilled", validTo });
  const debugReport = reportOf({
    order,
    events: [
      { label: "created", timestamp: at("00:00") },
      { label: "traded", timestamp: at("00:07.5") },
      { label: "ready", timestamp: at("00:08") },
      { label: "traded", timestamp: at("01:00") },
    ],
  });
  assertEquals(rowOf({ order, debugReport }), ["fulfilled", true, 7.5, 60, 60]);
  assertEquals(rowOf({ order }), ["fulfilled", true, null, null, null]);
});

Deno.test("LIFECYCLE covers an order until it expires, is cancelled, or until now", () => {
  const events = [
    { label: "created", timestamp: at("00:00") },
    { label: "cancelled", timestamp: at("02:00") },
  ];
  const expired = orderOf({ status: "expired", validTo });
  const open = orderOf({ status: "open" });
  const cancelled = orderOf({ status: "cancelled", invalidated: true });
  // An order is valid until the end of the second that it names.
  assertEquals(rowOf({ order: expired }), ["expired", true, null, null, 301]);
  assertEquals(rowOf({ order: open }), ["open", true, null, null, 600]);
  assertEquals(rowOf({ order: cancelled }), ["cancelled", true, null, null, null]);
  const debugReport = reportOf({ order: cancelled, events });
  assertEquals(rowOf({ order: cancelled, debugReport }), ["cancelled", true, null, null, 120]);
});

Deno.test("LIFECYCLE has no time to the last fill of a partially filled order", () => {
  const order = orderOf({ ...filled, executedSellAmount: 50n, executedSellAmountBeforeFees: 50n });
  const debugReport = reportOf({ order, events: [{ label: "traded", timestamp: at("00:09") }] });
  assertEquals(rowOf({ order, debugReport }), ["open", true, 9, null, 600]);
});

Deno.test("LIFECYCLE finds each order's auctions among all, regardless of case", () => {
  const bid = { solver: "0xa0", score: 1n, pairs: [] } as const;
  const auction = auctionOf([bid], { auction: { orders: ["0x0F"], prices: {} } });
  const other = auctionOf([bid], { auctionId: 2 });
  const columns = ["auction_count", "bid_count"];
  const all = [auction, other];
  const frame = buildTable(LIFECYCLE, { evidence: [{ order: orderOf() }], now, competitions: all });
  assertEquals(cells(frame, ...columns), [[1, 0]]);
  const own = buildTable(LIFECYCLE, {
    evidence: [{ order: orderOf(), competitions: [] }],
    now,
    competitions: all,
  });
  assertEquals(cells(own, ...columns), [[0, 0]]);
});

Deno.test("LIFECYCLE counts null where unknown, and 0 where there was nothing", () => {
  const columns = [
    "event_count auction_count bid_count had_bid fill_count failed_attempt_count",
  ];
  const order = orderOf();
  const countsOf = (evidence: OrderEvidence, competitions?: Competition[]) =>
    cells(
      buildTable(LIFECYCLE, { evidence: [evidence], now, ...competitions && { competitions } }),
      ...columns,
    )[0];
  assertEquals(countsOf({ order }), [null, null, null, null, null, null]);
  assertEquals(countsOf({ order, trades: [] }), [null, null, null, null, 0, null]);
  assertEquals(countsOf({ order, trades: [] }, []), [null, 0, 0, false, 0, null]);
  assertEquals(countsOf({ order, debugReport: reportOf({ order, events: [] }) }), [
    ...[0, 0, 0, false, 0, 0],
  ]);
});

const [RECIPIENT, OTHER] = [`0x${"Aa".repeat(20)}`, `0x${"bB".repeat(20)}`];
const HOOK = { target: RECIPIENT, callData: "0x", gasLimit: "1" };
const SAID = [
  "app_code widget_app_code order_class slippage_bips is_smart_slippage hook_count",
  "bridge_destination_chain is_flash_loan wrapper partner_recipient",
];

function documented(document: unknown) {
  return orderOf({ fullAppData: document === null ? null : JSON.stringify(document) });
}

const WHOLE = documented({
  appCode: "page",
  metadata: {
    widget: { appCode: "CoW Swap" },
    orderClass: { orderClass: "twap" },
    quote: { slippageBips: "12.5", smartSlippage: true },
    hooks: { pre: [HOOK], post: [HOOK, HOOK] },
    bridging: { destinationChainId: 1151111081099710 },
    flashloan: { token: RECIPIENT, amount: "1" },
    wrappers: [{ address: RECIPIENT }, { address: OTHER }],
    partnerFee: [
      { volumeBps: 10, recipient: RECIPIENT },
      { bps: 5, recipient: OTHER },
      { surplusBps: 2_000, maxVolumeBps: 100, recipient: RECIPIENT },
    ],
  },
});

Deno.test("ORDERS and FILLS have the fields of the app data document", () => {
  const [a, b] = [RECIPIENT, OTHER].map((address) => address.toLowerCase());
  const both = `${a}, ${b}`;
  const expected = [
    ["page", "CoW Swap", "twap", 12.5, true, 3, "1151111081099710", true, both, both],
  ];
  assertEquals(cells(buildTable(ORDERS, { orders: [WHOLE] }), ...SAID), expected);
  assertEquals(
    cells(buildTable(FILLS, { records: [{ order: WHOLE, trades: [tradeOf({})] }] }), ...SAID),
    expected,
  );
  // Of the volume: 10 and 5; the fee on surplus is of something else.
  assertEquals(cells(buildTable(ORDERS, { orders: [WHOLE] }), "partner_bps"), [[15]]);
});

Deno.test("ORDERS has null without an app data document, and 0 hooks with an empty one", () => {
  const none = Array(10).fill(null);
  const surplus = { surplusBps: 2_000, maxVolumeBps: 100, recipient: RECIPIENT };
  const orders = [null, "no document", {}, { metadata: { partnerFee: surplus } }].map(documented);
  const [without, malformed, empty, ofSurplus] = cells(buildTable(ORDERS, { orders }), ...SAID);
  assertEquals([without, malformed], [none, none]);
  assertEquals(empty, [null, null, null, null, null, 0, null, false, null, null]);
  assertEquals(ofSurplus?.at(-1), RECIPIENT.toLowerCase());
  assertEquals(cells(buildTable(ORDERS, { orders }), "partner_bps"), [[null], [null], [null], [
    null,
  ]]);
});

Deno.test("ORDERS names a receiver only where it is not the owner by definition", () => {
  const zero = `0x${"00".repeat(20)}`;
  const other = `0x${"de".repeat(20)}`;
  const orders = [null, zero, other].map((receiver) => orderOf({ receiver }));
  assertEquals(cells(buildTable(ORDERS, { orders }), "receiver"), [[null], [null], [other]]);
});

Deno.test("TRADES distinguishes two settlements of one transaction by their orders", () => {
  const other = "0x03>0x04";
  const first = auctionOf(
    [{ solver: A, score: 9n, pairs: [PAIR], isWinner: true, txHash: "0xaa" }],
    { auctionId: 1, transactionHashes: ["0xaa"] },
  );
  const second = auctionOf(
    [{ solver: B, score: 8n, pairs: [["0x03", "0x04"]], isWinner: true, txHash: "0xaa" }],
    { auctionId: 2, transactionHashes: ["0xaa"] },
  );
  const fills = [ORDER, other, "0x0e"].map((orderUid) => tradeOf({ orderUid, txHash: "0xaa" }));
  const together = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true, txHash: "0xaa" },
    { solver: B, score: 8n, pairs: [["0x03", "0x04"]], isWinner: true, txHash: "0xaa" },
  ], { transactionHashes: ["0xaa"] });
  for (const competitions of [[first, second], [second, first]]) {
    assertEquals(
      cells(buildTable(TRADES, { trades: fills, competitions }), "auction_id", "solver"),
      [
        [1, A],
        [2, B],
        [null, null],
      ],
    );
  }
  assertEquals(
    cells(buildTable(TRADES, { trades: fills.slice(0, 2), competitions: [together] }), "solver"),
    [
      [A],
      [B],
    ],
  );
});
