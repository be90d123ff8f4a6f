import { assertAlmostEquals, assertEquals } from "@std/assert";
import { fillsTable, ordersTable, tradesTable } from "orderlens/tables";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { auctionOf } from "../../metrics/auctions.ts";
import { competitions, records, trades } from "../market.ts";

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

Deno.test("ordersTable() has executed fraction, surplus, and its share", () => {
  const [row] = ordersTable([partlyFilled]).toRecords();
  assertEquals(row?.filled_fraction, 0.3);
  assertEquals([row?.surplus_atoms, row?.surplus_token], ["100000000", USDC]);
  assertEquals(row?.surplus_tokens, 100);
  assertAlmostEquals(Number(row?.surplus_bps), 10_000 * 100 / 6_000);
  assertEquals(row?.limit_buy_tokens_per_sell_token, 2000);
  assertEquals(row?.pair, "WETH → USDC");
});

Deno.test("ordersTable() has the surplus of a buy order in the sold token", () => {
  const order = orderOf({
    kind: "buy",
    executedSellAmount: 90n,
    executedSellAmountBeforeFees: 90n,
    executedBuyAmount: 200n,
  });
  const columns = ["filled_fraction", "surplus_atoms", "surplus_token", "surplus_bps"];
  assertEquals(cells(ordersTable([order]), ...columns), [[1, "10", "0x01", 1000]]);
});

Deno.test("ordersTable() has no surplus without executed amounts, nor for a limit without a price", () => {
  const none = orderOf();
  const priceless = orderOf({ sellAmount: 0n, executedBuyAmount: 5n });
  const columns = ["surplus_atoms", "surplus_bps", "filled_fraction"];
  assertEquals(cells(ordersTable([none, priceless]), ...columns), [
    [null, null, 0],
    [null, null, null],
  ]);
});

Deno.test("ordersTable() distinguishes missing from zero", () => {
  const columns = [
    "executed_fee_atoms fee_token quote_sell_amount_atoms gas_cost_atoms market_position",
  ];
  assertEquals(cells(ordersTable([orderOf()]), ...columns), [[null, null, null, null, null]]);
  const zero = orderOf({ executedFee: 0n, executedFeeToken: WETH, gasCost: 0n });
  assertEquals(cells(ordersTable([zero]), ...columns), [["0", WETH, null, "0", null]]);
});

Deno.test("ordersTable() keeps every digit of a time", () => {
  const creationDate = Temporal.Instant.from("2026-08-21T10:00:00.123456789Z");
  const [row] = ordersTable([orderOf({ creationDate })]).toRecords();
  assertEquals(row?.creation_date, "2026-08-21T10:00:00.123456789Z");
  assertEquals(row?.creation_date_ms, creationDate.epochMilliseconds);
});

Deno.test("ordersTable() keeps 2^256 - 1 atoms and 10^40", () => {
  const huge = orderOf({ sellAmount: 2n ** 256n - 1n, buyAmount: 10n ** 40n });
  const decimals = () => 0;
  const [row] = ordersTable([huge], { decimals }).toRecords();
  assertEquals(row?.sell_amount_atoms, (2n ** 256n - 1n).toString());
  assertEquals(row?.sell_amount_tokens, 2 ** 256);
  assertEquals(row?.buy_amount_atoms, `1${"0".repeat(40)}`);
  assertEquals(row?.buy_amount_tokens, 1e40);
});

const [A, B] = [`0x${"a0".repeat(20)}`, `0x${"b0".repeat(20)}`];

const PAIR = ["0x01", "0x02"] as const;

const ORDER = "0x01>0x02";

Deno.test("tradesTable() names the solver of the transaction, whichever solution lists the order", () => {
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
    cells(tradesTable(fills, { competitions: [auction] }), "auction_id", "solver", "gaps"),
    [
      [auction.auctionId, A, "fill_time"],
      [auction.auctionId, B, "fill_time"],
      [null, null, "solver, fill_time"],
      [null, null, "solver, fill_time"],
    ],
  );
});

Deno.test("tradesTable() takes the winner with the order where no solution names the transaction", () => {
  const auction = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true },
    { solver: B, score: 8n, pairs: [PAIR] },
  ], { transactionHashes: ["0xaa"] });
  const options = { competitions: [auction], solvers: { [A]: "Alpha" } };
  const fills = [tradeOf({ orderUid: ORDER }), tradeOf({ orderUid: "0x0e" })];
  assertEquals(
    cells(tradesTable(fills, options), "solver", "solver_name", "gaps"),
    [[A, "Alpha", "fill_time"], [null, null, "solver, fill_time"]],
  );
});

Deno.test("tradesTable() names the auctions and solvers of the market as debug reports do", () => {
  const place = ["block_number", "log_index", "auction_id", "solver"];
  const own = cells(tradesTable(trades, { competitions }), ...place);
  const reported = cells(fillsTable(records), ...place);
  assertEquals(own.map(String).sort(), reported.map(String).sort());
  assertEquals(own.length, 664);
});
