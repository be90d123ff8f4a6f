import fc from "fast-check";
import { Decimal, InputError } from "orderlens";
import { isNotComputable } from "orderlens/metrics";
import { priceAt, type PriceRow, priceSeries } from "orderlens/tables";
import { assert, assertEquals, assertThrows } from "@std/assert";

const A = "0xAa";
const B = "0xbb";

function priceOf(...args: Parameters<typeof priceAt>): string {
  const found = priceAt(...args);
  return isNotComputable(found) ? found.reason : `${found.price} ${found.ageMs}`;
}

const series = priceSeries([
  { token: A, time: "2026-11-21T15:02:00Z", price_usd: "3", price_native: "0.003" },
  { token: A, time: "2026-11-21T15:00:00Z", price_usd: "1", source: "venue" },
  { token: A.toLowerCase(), time: "2026-11-21T15:01:00Z", price_usd: null, price_native: "0.002" },
  { token: B, time: "2026-11-21T15:00:00Z", price_native: 1e-7 },
]);
const at = (clock: string) => `2026-11-21T${clock}Z`;

Deno.test("priceAt() says why there is no price", () => {
  assertEquals(priceOf(series, A, at("14:59:59.999")), "before_first_price");
  assertEquals(priceOf(series, "0xcc", at("15:00:00")), "token_not_in_series");
  assertEquals(priceOf(series, B, at("15:00:00")), "no_price_in_unit");
  assertEquals(priceOf(series, A, at("16:02:00")), "3 3600000");
  assertEquals(priceOf(series, A, at("16:02:00.001")), "price_too_old");
  assertEquals(priceOf(series, A, at("15:02:01"), { maxAgeMs: 999 }), "price_too_old");
  assertEquals(priceOf(series, A, at("15:02:00"), { maxAgeMs: 0 }), "3 0");
  assertEquals(priceOf(priceSeries([]), A, at("15:00:00")), "token_not_in_series");
});

Deno.test("priceAt() names the source, and priceSeries() what it has", () => {
  const found = priceAt(series, A, at("15:00:00"));
  assert(!isNotComputable(found));
  assertEquals([found.source, found.timeMs], ["venue", Date.UTC(2026, 10, 21, 15)]);
  assertEquals(series.units, ["usd", "native"]);
  assertEquals(series.tokens, ["0xaa", "0xbb"]);
  assertEquals([series.count("usd"), series.count("native")], [2, 3]);
  assertEquals(priceOf(series, "0xaA", at("15:01:30"), { unit: "native" }), "0.002 30000");
});

Deno.test("priceSeries() keeps every digit of text, and the shortest text of doubles", () => {
  const long = "0.00995007992007992080052414252122616744600236415863037109375";
  const values = [long, 0.1, 5n, "1e-7", Decimal.parse("2.50")];
  const rows = values.map((price_usd, index) => ({ token: A, time: index + 1, price_usd }));
  const prices = values.map((_, index) => priceOf(priceSeries(rows), A, index + 1));
  assertEquals(prices, [long, "0.1", "5", "0.0000001", "2.50"].map((text) => `${text} 0`));
});

Deno.test("priceSeries() reads times in seconds, milliseconds, text and objects", () => {
  const ms = Date.UTC(2026, 10, 21, 15, 0, 7);
  const times: PriceRow["time"][] = [
    ms,
    ms / 1_000,
    BigInt(ms),
    `${ms}`,
    `${ms / 1_000}`,
    new Date(ms),
    Temporal.Instant.fromEpochMilliseconds(ms),
    "2026-11-21T15:00:07Z",
    "2026-11-21 15:00:07.000 UTC",
    "2026-11-21 15:00:07",
    "2026-11-21T16:00:07+01:00",
    "2026-11-21T15:00:07.000000",
    // As PostgreSQL, DuckDB and polars write them.
    "2026-11-21 15:00:07+00",
    "2026-11-21 17:00:07.000000+0200",
    "2026-11-21t15:00:07z",
  ];
  for (const time of times) {
    const one = priceSeries([{ token: A, time, price_usd: 1 }]);
    assertEquals(one.of(A, "usd")?.map(({ timeMs }) => timeMs), [ms], String(time));
  }
});

Deno.test("priceSeries() takes the later of two rows of one time", () => {
  const rows = ["1", "2"].map((price_usd) => ({ token: A, time: 5, price_usd }));
  assertEquals(priceOf(priceSeries(rows), A, 5), "2 0");
  assertEquals(priceOf(priceSeries(rows.toReversed()), A, 5), "1 0");
});

Deno.test("priceSeries() rejects rows that are not prices, and names them", () => {
  const good = { token: A, time: 1, price_usd: 1 };
  for (
    const [wrong, words] of [
      [{ ...good, token: "USDC" }, "row 1 has the token USDC"],
      [{ ...good, token: undefined }, "row 1 has the token undefined"],
      [null, "row 1 has the token undefined"],
      [{ ...good, time: "yesterday" }, "row 1 has the time yesterday"],
      [{ ...good, time: "2026-02-30T00:00:00Z" }, "row 1 has the time 2026-02-30T00:00:00Z"],
      [{ ...good, time: null }, "row 1 has the time null"],
      [{ ...good, time: 1.5 }, "row 1 has the time 1.5"],
      // In microseconds, which as milliseconds would be far in the future.
      [{ ...good, time: 1_795_273_207_000_000 }, "row 1 has the time 1795273207000000"],
      [{ ...good, time: "1795273207000000" }, "row 1 has the time 1795273207000000"],
      [{ ...good, price_usd: -1 }, "row 1 has the price -1"],
      [{ ...good, price_usd: "1,5" }, "row 1 has the price 1,5"],
      [{ ...good, price_usd: NaN }, "row 1 has the price NaN"],
    ] as const
  ) {
    assertThrows(
      () => priceSeries([good, wrong as never]),
      InputError,
      `Cannot read prices: ${words}`,
    );
  }
  assertThrows(() => priceSeries(undefined as never), InputError, "from undefined");
});

Deno.test("priceAt() agrees with looking at every row", () => {
  const time = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.array(fc.tuple(time, fc.nat(9))), time, fc.nat(50), (rows, when, maxAgeMs) => {
      const built = priceSeries(
        rows.map(([ms, price]) => ({ token: A, time: 2e11 + ms, price_usd: price })),
      );
      let best: [number, number] | undefined;
      for (const row of rows) if (row[0] <= when && row[0] >= (best?.[0] ?? 0)) best = row;
      const found = priceOf(built, A, 2e11 + when, { maxAgeMs });
      const expected = best === undefined
        ? rows.length === 0 ? "token_not_in_series" : "before_first_price"
        : when - best[0] > maxAgeMs
        ? "price_too_old"
        : `${best[1]} ${when - best[0]}`;
      assertEquals(found, expected);
    }),
  );
});
