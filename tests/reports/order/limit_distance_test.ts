import { orderCharts, orderPage, type OrderReport, orderText } from "orderlens/reports";
import { ratio } from "orderlens/units";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { measureDistance } from "../../../lib/reports/order/limit_distance.ts";
import { filledReport, reportsOf } from "../page/reports_of_verdicts.ts";

/** Distances in basis points by Python's fractions, from the recorded native prices and amounts. */
const RECORDED: Readonly<Record<string, string>> = {
  // −1968.8111 to −1905.6208, the median −1931.9612.
  "0x0185da7b":
    "Limit 1,931.96 bps (median; 1,905.62 bps to 1,968.81 bps) beyond native prices in all 5 auctions without a bid",
  // Six from −35.8969 on with the median −17.5534, the other seven up to 91.6822.
  "0xd5f3d087":
    "Limit 17.55 bps (median; 15.35 bps to 35.9 bps) beyond native prices in 6 of 13 auctions without a bid, and within them in 7",
  // 39.199 to 61.1664, the median 61.1664.
  "0x3798275c":
    "Limit 61.17 bps (median; 39.2 bps to 61.17 bps) within native prices in all 7 auctions without a bid, before fees and network costs",
};

Deno.test("inspectOrder() says how far the limit was from the market where nobody bid", async () => {
  const reports = await reportsOf("market_1", Object.keys(RECORDED));
  for (const [index, text] of Object.values(RECORDED).entries()) {
    const report = reports[index]!;
    assertEquals(report.limitDistance?.text, text);
    assertStringIncludes(orderText(report, { width: 300 }), `${text}.`);
    const { distance } = await orderCharts(report);
    assertEquals(distance?.rows.length, report.limitDistance!.auctions);
  }
  const page = await orderPage(reports[1]!);
  assertStringIncludes(page, "Its limit where nobody bid");
  assert(/id="distance"[\s\S]*<svg/.test(page));
  assertEquals((await orderCharts(await filledReport())).distance, null);
});

type Auction = OrderReport["auctions"][0];

/** An auction without a bid on the order: distances of both markets, in basis points. */
function unbid(prices: bigint | null, offer: bigint | null): Auction {
  const toRatio = (bps: bigint | null) => bps === null ? null : ratio(bps, 1n);
  return {
    outcome: "no_bid_limit_beyond_market",
    marketOverLimitBps: toRatio(prices),
    pairOffer: offer === null ? null : { overLimitBps: toRatio(offer) },
  } as Auction;
}

Deno.test("measureDistance() compares with native prices and with offers, and counts both", () => {
  const bid = { ...unbid(5n, 5n), outcome: "outbid" } as Auction;
  const seventeen = Array.from({ length: 17 }, () => unbid(-33n, null));
  const { text, auctions, nativePrices, pairOffers } = measureDistance([...seventeen, bid])!;
  assertEquals(text, "Limit 33 bps beyond native prices in all 17 auctions without a bid");
  assertEquals([auctions, nativePrices?.known, nativePrices?.beyond, pairOffers], [
    17,
    17,
    17,
    null,
  ]);
  const mixed = measureDistance([unbid(-10n, -4n), unbid(-21n, 6n), unbid(null, -9n)])!;
  // The medians of −10 and −21, and of −4 and −9.
  assertEquals(
    mixed.text,
    "Limit 15.5 bps (median; 10 bps to 21 bps) beyond native prices in 2 of 3 auctions without a bid; " +
      "6.5 bps (median; 4 bps to 9 bps) beyond the best price that solvers offered other orders of the pair in 2 of 3 auctions with one",
  );
  assertEquals(mixed.nativePrices?.medianBps, ratio(-31n, 2n));
  assertEquals([mixed.pairOffers?.known, mixed.pairOffers?.beyond], [3, 2]);
  assertEquals(
    measureDistance([unbid(null, 3n)])!.text,
    "Distance of the limit from the market unknown: no native prices of both tokens are at hand in the only auction without a bid; " +
      "the best price that solvers offered other orders of the pair met it in the only auction with one",
  );
  assertEquals(
    measureDistance([unbid(10_000_001n, null)])!.text,
    "Limit over 10,000,000 bps within native prices in the only auction without a bid, before fees and network costs",
  );
  assertEquals(measureDistance([bid]), null);
});
