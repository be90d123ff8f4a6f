import pl from "nodejs-polars";
import { InputError } from "orderlens";
import {
  auctionRanking,
  leftOnTheTable,
  slippageBySize,
  slippageDecomposition,
  solverImbalances,
  solverRewards,
  winMargin,
} from "orderlens/charts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

const BID = { auction_id: 7, is_winner: true, filtered_out: false };
const BIDS = [
  { ...BID, ranking: 1, solver: "A", score_native: 2, native_usd: 2_500 },
  { ...BID, ranking: 2, solver: "B", score_native: 0.5, native_usd: 2_500, is_winner: false },
  { ...BID, ranking: 3, solver: "C", score_native: 1, native_usd: null, is_winner: false },
];

Deno.test("a chart in US dollars multiplies native values by the rate of their row, and counts rows without one", () => {
  const chart = auctionRanking(BIDS, { currency: "usd", nativeSymbol: "ETH" });
  assertEquals(chart.rows.map(({ solver, score_native: score }) => [solver, score]), [
    ["A", 5_000],
    ["B", 1_250],
  ]);
  assertStringIncludes(chart.svg, "Score (USD)");
  assert(!chart.svg.includes("ETH"));
  assertStringIncludes(
    chart.svg,
    "Values in US dollars by the native prices of dollar tokens in each auction; 1 row without a dollar rate",
  );
  // A frame, and the native default, which needs no rate.
  const frame = pl.DataFrame(BIDS);
  assertEquals(auctionRanking(frame, { currency: "usd" }).rows.length, 2);
  for (const currency of [undefined, "native"] as const) {
    const native = auctionRanking(BIDS, currency === undefined ? {} : { currency });
    assertEquals(native.rows.map(({ score_native: score }) => score), [2, 0.5, 1]);
    assert(!native.svg.includes("US dollars"));
  }
  assertEquals(auctionRanking([], { currency: "usd" }).rows, []);
});

Deno.test("every chart of native values takes a currency, and says what rows lack", () => {
  const fill = { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, volume_native: 2 };
  const margin = { auction_id: 7, solver: "A", margin_native: 0.5, margin_share: 0.25 };
  const imbalance = { tx_hash: "0x01", block_number: 100, solver: "A", net_value_native: 0.5 };
  const bySize = slippageBySize([{ ...fill, native_usd: 3_000 }], { currency: "usd" });
  assertStringIncludes(bySize.svg, "size 6,000 US dollars");
  assertStringIncludes(winMargin([{ ...margin, native_usd: 10 }], { currency: "usd" }).svg, "USD");
  const rows = [{ ...imbalance, native_usd: 10 }, {
    ...imbalance,
    tx_hash: "0x02",
    native_usd: null,
  }];
  assertStringIncludes(solverImbalances(rows, { currency: "usd" }).svg, "no dollar rate");
  const calls = [
    () => slippageBySize([fill], { currency: "usd" }),
    () => winMargin([margin], { currency: "usd" }),
    () => solverImbalances([imbalance], { currency: "usd" }),
    () => solverRewards([{ solver: "A" }] as never, { currency: "usd" }),
    () => leftOnTheTable([{ left_native: 1 }] as never, { currency: "usd" }),
  ];
  for (const call of calls.slice(0, 3)) assertThrows(call, InputError, "without native_usd");
  for (const call of calls) assertThrows(call, InputError, "Fix: Pass rows of");
  const inBps = () =>
    slippageDecomposition([{ ...fill, native_usd: 1 }] as never, { currency: "usd" });
  assertThrows(inBps, InputError);
  assertThrows(
    () => auctionRanking(BIDS, { currency: "eur" as never }),
    InputError,
    "currency",
  );
});
