import fc from "fast-check";
import pl from "nodejs-polars";
import { Decimal, InputError } from "orderlens";
import { isNotComputable } from "orderlens/metrics";
import { priceAt, type PriceRow, priceSeries, readPrices } from "orderlens/tables";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

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
const LONG = "0.00995007992007992080052414252122616744600236415863037109375";
const at = (clock: string) => `2026-11-21T${clock}Z`;

Deno.test("priceAt() returns no price in another unit, and by default none older than an hour", () => {
  assertEquals(priceOf(series, B, at("15:00:00")), "no_price_in_unit");
  assertEquals(priceOf(series, A, at("16:02:00")), "3 3600000");
  assertEquals(priceOf(series, A, at("16:02:00.001")), "price_too_old");
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
  const values = [LONG, 0.1, 5n, "1e-7", Decimal.parse("2.50")];
  const rows = values.map((price_usd, index) => ({ token: A, time: index + 1, price_usd }));
  const prices = values.map((_, index) => priceOf(priceSeries(rows), A, index + 1));
  assertEquals(prices, [LONG, "0.1", "5", "0.0000001", "2.50"].map((text) => `${text} 0`));
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

Deno.test("priceAt() agrees with a scan of every row", () => {
  const time = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.array(fc.tuple(time, fc.nat(9))), time, fc.nat(50), (rows, when, maxAgeMs) => {
      const built = priceSeries(
        rows.map(([ms, price]) => ({ token: A, time: 2e11 + ms, price_usd: price })),
      );
      const last = Math.max(...rows.map(([ms]) => ms).filter((ms) => ms <= when));
      const prices = rows.filter(([ms]) => ms === last).map(([, price]) => price)
        .sort((a, b) => a - b);
      const [low, high] = [prices[(prices.length - 1) >> 1]!, prices[prices.length >> 1]!];
      const best = prices.length === 0 ? undefined : [last, (low + high) / 2] as const;
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

Deno.test("priceSeries() takes the median of prices at one time, whatever the order of the rows", () => {
  const row = (price: string, source: string | null = null) => (
    { token: A, time: 2e11, price_native: price, source }
  );
  const priceIn = (...rows: PriceRow[]) => {
    const built = priceSeries(rows);
    assertEquals(built.count("native"), 1);
    return priceOf(built, A, 2e11);
  };
  const three = [row("0.3"), row("0.1"), row("0.25")];
  assertEquals(priceIn(...three), "0.25 0");
  assertEquals(priceIn(...three.toReversed()), "0.25 0");
  // The mean of 0 and 2 has no more digits than they have.
  assertEquals(priceIn(row("0"), row("2")), "1 0");
  // The mean of 0.1 and 1e-80 is exact.
  assertEquals(priceIn(row("1e-80"), row("0.1")), `0.05${"0".repeat(78)}5 0`);
  const sourceIn = (...rows: PriceRow[]) => {
    const found = priceAt(priceSeries(rows), A, 2e11);
    assert(!isNotComputable(found));
    return found.source;
  };
  assertEquals(sourceIn(row("1", "b"), row("1", "a")), "a");
  assertEquals(sourceIn(row("1", "a"), row("1", "b")), "a");
  assertEquals(sourceIn(row("1", "a"), row("2", "a")), "a");
  assertEquals(sourceIn(row("1", "a"), row("2", "b")), null);
});

const MS = Date.UTC(2026, 10, 21, 15);

const folder = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = `${folder}/${name}`;
  if (typeof content === "string") await Deno.writeTextFile(file, content);
  else await Deno.writeFile(file, content);
  return file;
}

function pricesOf(...args: Parameters<typeof readPrices>): string[] {
  const series = readPrices(...args);
  return series.units.flatMap((unit) =>
    series.tokens.flatMap((token) =>
      (series.of(token, unit) ?? []).map(({ price, timeMs, source }) =>
        `${token} ${unit} ${price} ${timeMs - MS} ${source}`
      )
    )
  );
}

Deno.test("readPrices() reads CSV with every digit, and rows with one price of two", async () => {
  const file = await write(
    "prices.csv",
    `token,time,price_usd,price_native,source,note
0xA0,2026-11-21T15:00:00Z,${LONG},,first,"a, note"
0xA0,${MS / 1_000 + 60},1.0000,1e-7,,
0xb0,${MS + 1},,0.5,second,
`,
  );
  assertEquals(pricesOf(file), [
    `0xa0 usd ${LONG} 0 first`,
    "0xa0 usd 1.0000 60000 null",
    "0xa0 native 0.0000001 60000 null",
    "0xb0 native 0.5 1 second",
  ]);
  assertEquals(pricesOf(new URL(`file://${file}`), { source: "second" }), [
    "0xb0 native 0.5 1 second",
  ]);
});

Deno.test("readPrices() reads Parquet with text, doubles, decimals and times of any unit", async () => {
  for (const unit of ["ms", "us", "ns"] as const) {
    const frame = pl.DataFrame({
      token: ["0xa0", "0xb0"],
      time: [new Date(MS), new Date(MS + 1)],
      price_usd: [LONG, "2"],
      price_native: [0.1, null],
    }).withColumns(pl.col("time").cast(pl.Datetime(unit)));
    assertEquals(pricesOf(await write("prices.parquet", frame.writeParquet())), [
      `0xa0 usd ${LONG} 0 null`,
      "0xb0 usd 2 1 null",
      "0xa0 native 0.1 0 null",
    ]);
  }
  const decimal = pl.DataFrame({ token: ["0xa0"], time: [MS], text: ["1.500000000000000001"] })
    .withColumns(pl.col("text").cast(pl.Decimal(38, 18)).alias("price_native"));
  assertEquals(pricesOf(await write("decimal.parquet", decimal.writeParquet())), [
    "0xa0 native 1.500000000000000001 0 null",
  ]);
});

const LISTS = pl.DataFrame({ token: ["0xa0"], time: [1], price_usd: [[1.5]] });

/** Files with what is wrong with them, by name or with their content. */
const WRONG: [message: string, file: string | URL, content?: string | Uint8Array, object?][] = [
  [" prices from p.csv: ", "p.csv", ""],
  [
    " prices from p.csv: row 1 has the price -2",
    "p.csv",
    "token,time,price_usd\n0xa0,1,2\n0xa0,1,-2\n",
  ],
  // The decimal comma of "1,5" makes one field more: no price may lose its digits by it.
  ["more fields", "p.csv", "token,time,price_usd\n0xa0,1,1,5\n"],
  [" prices from p.parquet", "p.parquet", "PAR0"],
  [
    " prices from lists.parquet: the column price_usd is of type List\n",
    "lists.parquet",
    LISTS.writeParquet(),
  ],
  [
    " prices from p.csv: it has no column time, price_usd or price_native\n" +
    "  columns: token, minute, price\n" +
    'Fix: Name the file\'s columns in the option columns, such as { price_usd: "price" }',
    "p.csv",
    "token,minute,price\n0xa0,1,2\n",
  ],
  ["it has no column venue", "p.csv", "token,time,price_usd\n0xa0,1,2\n", { source: "venue" }],
  ["it has no column close", "p.csv", "token,time,price\n0xa0,1,2\n", { price_usd: "close" }],
  [" prices with columns an object\n", "p.csv", "token,time,price_usd\n", { price: "x" }],
  ["No such file", "/nowhere/prices.csv"],
  [
    " prices from prices.txt: it is neither .csv nor .parquet\n" +
    "Fix: Pass the path of a CSV or Parquet file",
    "prices.txt",
  ],
  [
    " prices from https://example.org/prices.csv: it is not a file\n" +
    "Fix: Download it, and pass the path of the file",
    new URL("https://example.org/prices.csv"),
  ],
];

Deno.test("readPrices() says what is wrong with a file", async () => {
  for (const [message, name, content, columns] of WRONG) {
    const file = content === undefined ? name : await write(String(name), content);
    const options = columns === undefined ? {} : { columns };
    const error = assertThrows(() => readPrices(file, options), InputError);
    assertStringIncludes(error.message.replaceAll(String(file), String(name)), message);
    assert(error.message.startsWith("Cannot read prices "));
  }
});

Deno.test("readPrices() skips empty lines, and accepts any line ending and a byte order mark", async () => {
  const text = `\ufefftoken,time,price_usd\r\n"0xa0",${MS},"1.5"\r\n\r\n0xb0,${MS},2\r\n\r\n`;
  assertEquals(pricesOf(await write("p.csv", text)), ["0xa0 usd 1.5 0 null", "0xb0 usd 2 0 null"]);
});
