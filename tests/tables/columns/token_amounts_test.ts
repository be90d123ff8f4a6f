import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  buildTable,
  NATIVE_PRICES,
  sumAtoms,
  sumAtomsBy,
  TOKEN_FACTS,
  TokenAmounts,
  TOKENS,
  TRADES,
} from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { tradeOf } from "../made_up.ts";
import { Decimal, HexMap } from "../../../lib/units/mod.ts";
import { toNativeValue } from "../../../lib/tables/columns/columns.ts";
import pl from "nodejs-polars";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

const USDC_MIXED = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

const UNKNOWN = `0x${"ab".repeat(20)}`;

Deno.test("TokenAmounts converts known tokens to whole tokens, and no others", () => {
  const amounts = new TokenAmounts();
  assertEquals(amounts.tokens(1_500_000n, USDC), 1.5);
  assertEquals(amounts.tokens(-1_500_000n, USDC_MIXED), -1.5);
  assertEquals(amounts.tokens(2n ** 256n - 1n, NATIVE), 1.157920892373162e59);
  assertEquals(amounts.tokens(1n, UNKNOWN), null);
  assertEquals(amounts.tokens(null, USDC), null);
  assertEquals(amounts.tokens(undefined, USDC), null);
  assertEquals(amounts.tokens(1n, undefined), null);
});

Deno.test("TokenAmounts prefers the caller's decimals to the known ones, by map or function", () => {
  const byMap = new TokenAmounts({ decimals: new Map([[USDC_MIXED, 2], [UNKNOWN, 0]]) });
  assertEquals(byMap.tokens(150n, USDC), 1.5);
  assertEquals(byMap.tokens(150n, UNKNOWN), 150);
  assertEquals(byMap.tokens(10n ** 18n, WETH), 1);
  const byFunction = new TokenAmounts({
    decimals: (address) => address === USDC ? null : undefined,
  });
  assertEquals(byFunction.tokens(1n, USDC), null);
  assertEquals(byFunction.tokens(10n ** 18n, WETH), 1);
});

Deno.test("TokenAmounts looks up one network only if it is named", () => {
  assertEquals(new TokenAmounts({ network: "mainnet" }).decimals(USDC), 6);
  assertEquals(new TokenAmounts({ network: "base" }).decimals(USDC), null);
  assertEquals(new TokenAmounts({ network: "xdai" }).label(NATIVE), "xDAI");
  assertEquals(new TokenAmounts().label(NATIVE), "0xeeee…eeee");
});

Deno.test("TokenAmounts rejects impossible decimals", () => {
  for (const decimals of [-1, 1.5, 78, NaN]) {
    const amounts = new TokenAmounts({ decimals: () => decimals });
    assertThrows(() => amounts.tokens(1n, USDC), InputError, `with ${decimals} decimals`);
  }
});

Deno.test("TokenAmounts names tokens by symbol, or by the ends of their addresses", () => {
  const amounts = new TokenAmounts({ symbols: new Map([[UNKNOWN, "ABC"]]) });
  assertEquals(amounts.pair(WETH, USDC_MIXED), "WETH → USDC");
  assertEquals(amounts.pair(UNKNOWN, WETH), "ABC → WETH");
  assertEquals(amounts.pair(undefined, WETH), null);
  assertEquals(new TokenAmounts().label(UNKNOWN), "0xabab…abab");
});

Deno.test("TokenAmounts returns prices in whole tokens, for any decimals", () => {
  const amounts = new TokenAmounts();
  const usdc = { atoms: 5_000_000_000n, token: USDC };
  const weth = { atoms: 2n * 10n ** 18n, token: WETH };
  assertEquals(amounts.price(usdc, weth), 2500);
  assertEquals(amounts.price(weth, usdc), 0.0004);
  assertEquals(amounts.price(usdc, { atoms: 0n, token: WETH }), null);
  assertEquals(amounts.price(usdc, { atoms: 1n, token: UNKNOWN }), null);
});

Deno.test("buildTable() reports all unknown tokens in one call, and calls nothing without them", () => {
  const reported: (readonly string[])[] = [];
  const onUnknownTokens = (addresses: readonly string[]) => void reported.push(addresses);
  const trade = tradeOf({
    sellToken: UNKNOWN.toUpperCase().replace("0X", "0x"),
    buyToken: USDC,
  });
  const other = { ...trade, sellToken: `0x${"aa".repeat(20)}` };
  buildTable(TRADES, { trades: [trade, trade, other], onUnknownTokens });
  assertEquals(reported, [[other.sellToken, UNKNOWN]]);
  const priced = auctionOf([], { auction: { orders: [], prices: { [WETH]: 10n ** 18n } } });
  buildTable(NATIVE_PRICES, { competitions: [priced], onUnknownTokens });
  assertEquals(reported.length, 1);
});

Deno.test("buildTable() rejects records that are not decoded", () => {
  const raw = { blockNumber: 1, logIndex: 0, sellAmount: "1", sellAmountBeforeFees: "1" };
  assertThrows(() => buildTable(TRADES, { trades: [raw as never] }), InputError, "decoded trades");
});

Deno.test("toNativeValue is the nearest double to the exact value, at a whole price and a fraction", () => {
  const worth = (atoms: bigint, price: bigint | Decimal) =>
    toNativeValue(atoms, "0xA1", new HexMap([["0xa1", price]]));
  assertEquals(worth(10n ** 18n, 10n ** 18n), 1);
  assertEquals(worth(3n, 10n ** 17n), 3e-19);
  // 3 atoms at 0.1: 3 * 0.1 of doubles is 0.30000000000000004.
  assertEquals(worth(3n * 10n ** 36n, Decimal.parse("0.1")), 0.3);
  // 10^100 atoms at 10^-90 for 10^18 of them: 10^(100 - 90 - 36).
  assertEquals(worth(10n ** 100n, Decimal.parse(`0.${"0".repeat(89)}1`)), 1e-26);
  assertEquals(toNativeValue(1n, "0xb2", new HexMap<bigint>()), null);
});

const LONG = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

/** A frame with one amount per row, and who it belongs to. */
function amounts(rows: readonly (readonly [string | null, string | null])[]) {
  return pl.DataFrame([
    pl.Series("owner", rows.map(([owner]) => owner), pl.String),
    pl.Series("amount", rows.map(([, amount]) => amount), pl.String),
  ]);
}

Deno.test("sumAtoms() adds amounts beyond doubles, from a column or from texts", () => {
  const texts = [LONG, "-1", "0", LONG];
  const expected = 2n ** 257n - 3n;
  assertEquals(sumAtoms(amounts(texts.map((text) => ["a", text])).getColumn("amount")), expected);
  assertEquals(sumAtoms(texts), expected);
  assertEquals(sumAtoms(new Set(texts)), 2n ** 256n - 2n);
  assertEquals(sumAtoms([]), 0n);
});

Deno.test("sumAtoms() rejects nulls and fractions, with the row and the remedy", () => {
  const { message, remedy } = assertThrows(
    () => sumAtoms(amounts([["a", "1"], ["b", null]]).getColumn("amount")),
    InputError,
  );
  assert(message.includes("amount: it is unknown (null) in row 1"));
  assert(remedy?.includes('frame.dropNulls("amount")'));
  for (const cell of ["1.5", "1e18", "", " 1", "+1", "0x10", "1\n"]) {
    assertThrows(() => sumAtoms(["1", cell]), InputError, "in row 1 is not an amount of atoms");
  }
  const doubles = pl.DataFrame({ fee_native: [0.5] }).getColumn("fee_native");
  assertThrows(() => sumAtoms(doubles), InputError, "Cannot sum fee_native: 0.5");
  for (const given of ["12", 12, null, {}]) {
    assertThrows(() => sumAtoms(given as never), InputError, "Cannot sum");
  }
});

Deno.test("sumAtomsBy() gives the groups in order of appearance, null among them", () => {
  const frame = amounts([["b", LONG], [null, "-5"], ["b", "1"], ["a", "0"], [null, "2"]]);
  const sums = sumAtomsBy(frame, "owner", "amount");
  assertEquals(sums.toRecords(), [
    { owner: "b", row_count: 2, amount: `${2n ** 256n}` },
    { owner: null, row_count: 2, amount: "-3" },
    { owner: "a", row_count: 1, amount: "0" },
  ]);
  assertEquals(sums.dtypes.map(({ variant }) => variant), ["String", "Int64", "String"]);
});

Deno.test("sumAtomsBy() keeps the kind of each group column", () => {
  const frame = amounts([["a", "1"], ["a", "2"], ["a", "4"]]).withColumns(
    pl.Series("at_ms", [1_795_322_540_000, 1_795_322_540_000, 1_795_322_541_000], pl.Int64),
    pl.Series("is_partner", [true, true, null], pl.Bool),
    pl.Series("factor", [0.5, 0.5, 0.25], pl.Float64),
  ).withColumn(pl.col("at_ms").cast(pl.Datetime("ms")).dt.truncate("1m").alias("minute"));
  const by = ["at_ms", "is_partner", "factor", "minute"];
  const sums = sumAtomsBy(frame, by, ["amount"]);
  assertEquals(sums.getColumn("amount").toArray(), ["3", "4"]);
  assertEquals(sums.select(...by).dtypes, frame.select(...by).dtypes);
});

Deno.test("sumAtomsBy() gives one row without groups, and none without rows", () => {
  const frame = amounts([["a", "1"], ["b", "2"]]);
  assertEquals(sumAtomsBy(frame, [], "amount").toRecords(), [{ row_count: 2, amount: "3" }]);
  const none = sumAtomsBy(amounts([]), "owner", "amount");
  assertEquals([none.height, none.columns], [0, ["owner", "row_count", "amount"]]);
});

Deno.test("sumAtomsBy() rejects missing and repeated columns, and unknown amounts", () => {
  const frame = amounts([["a", "1"], ["b", null]]);
  const { remedy } = assertThrows(() => sumAtomsBy(frame, "solver", "amount"), InputError);
  assertEquals(remedy, "Pass one of owner, amount");
  assertThrows(() => sumAtomsBy(frame, "amount", "amount"), InputError, "two columns");
  const counted = frame.rename({ owner: "row_count" });
  assertThrows(() => sumAtomsBy(counted, "row_count", "amount"), InputError, "two columns");
  assertThrows(() => sumAtomsBy(frame, "owner", "amount"), InputError, "unknown (null) in row 1");
  assertThrows(() => sumAtomsBy([] as never, "owner", "amount"), InputError, "of an array");
});

Deno.test("TOKENS has each token of the orders once, with the source of its facts", () => {
  const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  const orders = [
    orderOf({ sellToken: weth.toUpperCase().replace("0X", "0x"), buyToken: "0x0b" }),
    orderOf({ sellToken: "0x0a", buyToken: weth }),
    orderOf({ sellToken: "0x0c", buyToken: "0x0c" }),
  ];
  const frame = buildTable(TOKENS, {
    orders,
    network: "mainnet",
    decimals: new Map([["0x0A", 6]]),
    symbols: new Map([["0x0b", "BEE"]]),
  });
  const shipped = TOKEN_FACTS.find(({ network, address }) =>
    network === "mainnet" && address === weth
  )!;
  assertEquals(frame.toRecords(), [
    { token: "0x0a", symbol: null, decimals: 6, source: "deployment" },
    { token: "0x0b", symbol: "BEE", decimals: null, source: "deployment" },
    { token: weth, symbol: "WETH", decimals: 18, source: shipped.source },
  ]);
});
