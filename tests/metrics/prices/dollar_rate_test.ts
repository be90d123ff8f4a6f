import { Decimal } from "orderlens";
import { dollarRate, dollarValue, isNotComputable } from "orderlens/metrics";
import { compareRatios, HexMap, type Ratio, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";

const USDC = { address: "0xaf88d065e77c8cc2239327c5edb3a432268e5831", decimals: 6 };
const USDT = { address: "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", decimals: 6 };
const USDC_E = { address: "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8", decimals: 6 };
const DAI = { address: "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", decimals: 18 };

/** Native prices of auction 4672122 of Arbitrum One. */
const PRICES: readonly [string, bigint][] = [
  [USDC.address, 224140264504637563644936192n],
  [USDT.address, 224252220756742314336976896n],
  [USDC_E.address, 224112622063744465877598208n],
  [DAI.address, 224107454863230n],
];

function rateOf(
  tokens: Parameters<typeof dollarRate>[0],
  prices: Iterable<readonly [string, bigint | Decimal]> = PRICES,
) {
  const byToken = new HexMap(prices);
  return dollarRate(tokens, (token) => byToken.get(token));
}

function assertRate(found: ReturnType<typeof rateOf>, expected: Ratio) {
  assert(!isNotComputable(found));
  assertEquals(compareRatios(found.nativePerDollar, expected), 0);
}

Deno.test("dollarRate is the median of the dollar tokens of a recorded auction", () => {
  // By Python's fractions: the mean of USDC and USDC.e, the two in the middle.
  const median = ratio(2188734797697177878528n, 9765625n);
  const found = rateOf([USDC, USDT, USDC_E, DAI]);
  assertRate(found, median);
  assertEquals(
    isNotComputable(found) ? [] : found.tokens,
    [USDC, USDT, USDC_E, DAI].map(
      ({ address }) => address,
    ),
  );
  // The order of tokens does not matter, nor does the case of addresses.
  const upper = { ...DAI, address: DAI.address.toUpperCase().replace("0X", "0x") };
  assertRate(rateOf([upper, USDC_E, USDC, USDT]), median);
  assertRate(rateOf([USDT, DAI, USDC_E]), ratio(PRICES[2]![1], 10n ** 12n));
  assertRate(rateOf([DAI]), ratio(224107454863230n, 1n));
});

Deno.test("dollarRate uses no price of 0, and says why there is none", () => {
  const reasonOf = (found: ReturnType<typeof rateOf>) => isNotComputable(found) && found.reason;
  const zero: readonly [string, bigint][] = [[USDC.address, 0n]];
  assertEquals(reasonOf(rateOf([])), "no_dollar_token");
  assertEquals(reasonOf(rateOf([USDC], [])), "no_dollar_price");
  assertEquals(reasonOf(rateOf([USDC], zero)), "no_dollar_price");
  const withDai = rateOf([USDC, DAI], [...zero, [DAI.address, 7n]]);
  assertRate(withDai, ratio(7n, 1n));
  assertEquals(isNotComputable(withDai) ? [] : withDai.tokens, [DAI.address]);
  assertThrows(() => rateOf([USDC], [[USDC.address, -1n]]), RangeError, "must not be negative");
  assertThrows(() => rateOf([{ ...USDC, decimals: 300 }]), RangeError);
});

Deno.test("dollarValue is exact, also of a negative amount and at a price with a fraction", () => {
  const rate = { nativePerDollar: ratio(2188734797697177878528n, 9765625n) };
  // By Python's fractions, 400 * 10^9 atoms sold and 459,695 atoms of USDC of surplus.
  assertEquals(
    ratioToNumber(dollarValue(400_000_000_000n, 8132497051487337185280n, rate)),
    14.514123246359429,
  );
  const surplus = dollarValue(-459_695n, PRICES[0]![1], rate);
  assertEquals(ratioToNumber(surplus), -0.4597233480424714);
  // Half a native atom for an atom, and two native atoms for a dollar: a quarter of a dollar.
  const price = Decimal.parse("500000000000000000.0");
  const quarter = dollarValue(1n, price, { nativePerDollar: ratio(2n, 1n) });
  assertEquals(compareRatios(quarter, ratio(1n, 4n)), 0);
});
