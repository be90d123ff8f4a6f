import { assert, assertEquals } from "@std/assert";
import { AuctionTimes } from "orderlens/metrics";
import {
  buildTable,
  MARKOUT,
  priceSeries,
  type Records,
  records as recordsOf,
} from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { competitions, records } from "../market.ts";
import { readRawMarket } from "../rewards/raw_rewards.ts";

type Row = Record<string, string | number | null>;

/** When made-up orders are created, and an hour before they expire. */
const START = Date.UTC(2026, 7, 21, 10);
const instantOf = (block: number) => Temporal.Instant.fromEpochMilliseconds(START + block * 1_000);
const decimals = () => 18;

/** One order of `0x01` for `0x02`, which sold 100 for 190, with a fee of 10 in what it bought. */
const order = orderOf({ fullAppData: "{}" });
const trade = tradeOf({
  executedProtocolFees: [{ policy: { volume: { factor: 0.05 } }, amount: 10n, token: "0x02" }],
});
const prices = priceSeries([
  { token: "0x01", time: START, price_usd: "2.000", price_native: "0.2", source: "a" },
  { token: "0x02", time: START, price_usd: "1", price_native: "0.1", source: "b" },
]);
const times = new AuctionTimes([], { blockTimes: new Map([[103, instantOf(103)]]) });

function build(options: Records = {}, trades = [trade]) {
  return buildTable(MARKOUT, { records: [{ order, trades }], prices, times, decimals, ...options });
}

Deno.test("MARKOUT measures a fill by hand, without and with its fees", () => {
  // 190 for 100 at 2 to 1 is 95%; 200 before the fee is 100%.
  const measured = "markout_bps markout_exact solver_efficiency_bps solver_efficiency_exact";
  assertEquals(cells(build(), measured), [[-500, "-1/20", 0, "0/1"]]);
  const known = [
    "volume_usd_exact price_unit time_basis sell_price buy_price sell_price_source",
    "sell_price_age_seconds gaps",
  ];
  assertEquals(cells(build(), ...known), [
    [`0.${"0".repeat(15)}200000`, "usd", "block", "2.000", "1", "a", 103, "auction"],
  ]);
  assertEquals(cells(build({ unit: "native" }), "markout_bps volume_usd"), [[-500, 2e-16]]);
  // Of a token with 16 decimals, 190 atoms are a hundred times as much: 9500%.
  const unlike = (token: string) => token === "0x01" ? 18 : 16;
  assertEquals(cells(build({ decimals: unlike }), "markout_exact"), [["94/1"]]);
});

Deno.test("MARKOUT uses the last prices before the delay has passed", () => {
  const later = priceSeries([
    { token: "0x01", time: START, price_usd: "2" },
    { token: "0x02", time: START, price_usd: "1" },
    { token: "0x02", time: START + 163_000, price_usd: "1.25" },
  ]);
  const bps = (delayMs: number) => cells(build({ prices: later, delayMs }), "markout_bps")[0]![0];
  // The fill is of second 103: a minute later, 190 for 100 at 2 to 1.25 is 118.75%.
  assertEquals([0, 59_999, 60_000].map(bps), [-500, -500, 1_875]);
});

Deno.test("MARKOUT takes decimals and roles from the instance of an auction, and says so", () => {
  const auction = auctionOf([{
    solver: "0xa0",
    score: 1n,
    isWinner: true,
    txHash: trade.txHash,
    uid: order.uid,
    pairs: [["0x01", "0x02"]],
  }], { transactionHashes: [trade.txHash!], auction: { orders: ["0x0e"], prices: {} } });
  const instance = {
    id: auction.auctionId,
    orders: [],
    tokens: { "0x01": { decimals: 18 }, "0x02": { decimals: 16 } },
    surplusCapturingJitOrderOwners: [],
  };
  const columns = "markout_exact sell_decimals_source buy_decimals_source role role_source";
  const known = { competitions: [auction], decimals: () => null };
  assertEquals(cells(build(known), columns), [[null, null, null, "unknown", null]]);
  // Without the auction, and with one without a list, the role is that of the order's own fields.
  const bare = { ...auction, auction: { orders: [], prices: {} } };
  for (const competitions of [[], [bare]]) {
    assertEquals(cells(build({ competitions }), "role role_source"), [["listed", "order"]]);
  }
  const listing = { ...auction, auction: { orders: [order.uid], prices: {} } };
  assertEquals(cells(build({ competitions: [listing] }), "role role_source"), [
    ["listed", "auction"],
  ]);
  // As with decimals that are known: 190 atoms of a token with 16 are a hundred times as much.
  assertEquals(cells(build({ ...known, instances: [instance] }), columns), [
    ["94/1", "instance", "instance", "liquidity", "instance"],
  ]);
  // No amount has that many decimals.
  for (const decimals of [-1, 78]) {
    const tokens = { ...instance.tokens, "0x02": { decimals } };
    assertEquals(cells(build({ ...known, instances: [{ ...instance, tokens }] }), columns), [
      [null, "instance", null, "liquidity", "instance"],
    ]);
  }
  // Decimals that are known count.
  const both = { ...known, instances: [instance], decimals: () => 18 };
  assertEquals(cells(build(both), columns), [
    ["-1/20", "known", "known", "liquidity", "instance"],
  ]);
});

Deno.test("MARKOUT gives a reason for each missing input", () => {
  const one = priceSeries([{ token: "0x01", time: START, price_usd: 2 }]);
  const everywhere = (reason: string) => [reason, reason, reason];
  const unlisted = "token_not_in_series";
  const cases: [Records, reasons: (string | null)[], gaps: string][] = [
    [{ times: new AuctionTimes([]) }, everywhere("time_unknown"), "auction, fill_time"],
    [{ maxAgeMs: 1_000 }, everywhere("price_too_old"), "auction, prices"],
    [{ prices: one }, [unlisted, null, unlisted], "auction, prices"],
    [{ decimals: () => null }, ["decimals_unknown", null, null], "auction"],
  ];
  for (const [options, reasons, gaps] of cases) {
    const columns = "markout_bps markout_reason sell_price_reason buy_price_reason gaps";
    assertEquals(cells(build(options), columns), [[null, ...reasons, gaps]]);
  }
  const { executedProtocolFees: _, ...bare } = trade;
  const frame = build({}, [bare]);
  assertEquals(cells(frame, "markout_bps", "solver_efficiency_reason", "gaps"), [
    [-500, "fees_unknown", "auction, fees"],
  ]);
});

Deno.test("MARKOUT prices the native token as its wrapped token", () => {
  const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
  const wrapped = `0x${"02".repeat(20)}`;
  const buysNative = orderOf({ buyToken: native, fullAppData: "{}" });
  const dollars = priceSeries([
    { token: "0x01", time: START, price_usd: "2", price_native: "2" },
    { token: wrapped, time: START, price_usd: "1" },
  ]);
  const bps = (options: Records) =>
    cells(
      buildTable(MARKOUT, {
        records: [{ order: buysNative, trades: [{ ...trade, buyToken: native }] }],
        prices: dollars,
        times,
        decimals,
        ...options,
      }),
      "markout_bps",
    )[0]![0];
  assertEquals(bps({}), null);
  assertEquals(bps({ wrappedNativeToken: wrapped }), -500);
  assertEquals(bps({ unit: "native" }), -500);
});

Deno.test("MARKOUT treats a price of 0 as missing, and takes the volume of the other side", () => {
  const worthless = priceSeries([
    { token: "0x01", time: START, price_usd: "0" },
    { token: "0x02", time: START, price_usd: "1" },
  ]);
  assertEquals(
    cells(build({ prices: worthless }), "markout_reason", "sell_price", "volume_usd_exact"),
    [["price_zero", "0", `0.${"0".repeat(15)}190`]],
  );
});

Deno.test("MARKOUT adds a fee back to the side that the order leaves open", () => {
  const executedProtocolFees = [{
    policy: { volume: { factor: 0.05 } },
    amount: 5n,
    token: "0x01",
  }];
  const fill = { ...trade, buyToken: "0x01", buyAmount: 90n, executedProtocolFees };
  const same = (kind: "sell" | "buy") => {
    const order = orderOf({ kind, buyToken: "0x01", fullAppData: "{}" });
    const frame = buildTable(MARKOUT, {
      records: [{ order, trades: [fill] }],
      prices,
      times,
      decimals,
    });
    return cells(frame, "markout_exact solver_efficiency_exact")[0];
  };
  // 90 for 100: a sell order would have bought 95, a buy order would have sold 95.
  assertEquals(same("sell"), ["-1/10", "-1/20"]);
  assertEquals(same("buy"), ["-1/10", "-1/19"]);
});

/** Decimal text of a native price, which is for 10^18 atoms: whole tokens of the market. */
function wholePrice(price: string): string {
  const digits = price.padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

Deno.test("MARKOUT matches the recorded bodies, fill by fill", async () => {
  const raw = await readRawMarket();
  const auctions = raw.auctions.toSorted((a, b) => a.auctionStartBlock - b.auctionStartBlock);
  const fills = new Map(
    raw.trades.values().map((fill) => [`${fill.blockNumber} ${fill.logIndex}`, fill]),
  );
  // The market price is the native price of the last auction that began at or before the fill.
  const series = priceSeries(
    auctions.flatMap(({ auctionStartBlock, auction }) =>
      Object.entries(auction.prices).map(([token, price]) => ({
        token,
        time: instantOf(auctionStartBlock),
        price_native: wholePrice(price),
      }))
    ),
  );
  const priceAt = (token: string, block: number) =>
    auctions.findLast(({ auctionStartBlock, auction }) =>
      auctionStartBlock <= block && auction.prices[token] !== undefined
    )!.auction.prices[token]!;
  // Blocks are as many seconds apart as their numbers: no order's life may contradict that.
  const life = { creationDate: instantOf(0), validTo: 2 ** 32 - 1 };
  const endless = records.map((each) => ({ ...each, order: { ...each.order, ...life } }));
  const frame = buildTable(MARKOUT, {
    records: endless,
    prices: series,
    competitions,
    decimals,
    times: new AuctionTimes([], {
      blockTimes: new Map(
        [...fills.values()].map(({ blockNumber }) => [blockNumber, instantOf(blockNumber)]),
      ),
    }),
  });
  const rows = recordsOf<Row>(frame);
  assertEquals(rows.length, fills.size);
  for (const row of rows) {
    const fill = fills.get(`${row.block_number} ${row.log_index}`)!;
    const { sellToken, buyToken, blockNumber } = fill;
    const sellPrice = BigInt(priceAt(sellToken, blockNumber));
    const buyPrice = BigInt(priceAt(buyToken, blockNumber));
    const feeIn = (token: string) =>
      fill.executedProtocolFees!.filter((fee) => fee.token === token)
        .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const [sold, bought] = [BigInt(fill.sellAmount), BigInt(fill.buyAmount)];
    assertIs(row.markout_exact, bought * buyPrice, sold * sellPrice);
    assertIs(
      row.solver_efficiency_exact,
      (bought + feeIn(buyToken)) * buyPrice,
      (sold - feeIn(sellToken)) * sellPrice,
    );
    const double = Number(bought * buyPrice) / Number(sold * sellPrice) - 1;
    assert(Math.abs(Number(row.markout_bps) - 1e4 * double) < 1e-8);
    assertEquals(row.markout_reason, null);
  }
});

/** Checks that a fraction in lowest terms is `received / given - 1`. */
function assertIs(text: string | number | null | undefined, received: bigint, given: bigint): void {
  const [numerator, denominator] = String(text).split("/").map(BigInt);
  assertEquals(numerator! * given, (received - given) * denominator!);
  const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b);
  assertEquals(gcd(numerator! < 0n ? -numerator! : numerator!, denominator!), 1n);
}
