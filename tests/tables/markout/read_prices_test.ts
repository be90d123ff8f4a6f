import pl from "nodejs-polars";
import { InputError } from "orderlens";
import { readPrices, type ReadPricesOptions } from "orderlens/tables";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

const MS = Date.UTC(2026, 10, 21, 15);
const LONG = "0.00995007992007992080052414252122616744600236415863037109375";

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

Deno.test("readPrices() takes the names that a file has for its columns", async () => {
  const file = await write(
    "export.csv",
    "contract_address,minute,price\n0xa0,2026-11-21 15:00:00.000 UTC,1.5\n",
  );
  const columns = { token: "contract_address", time: "minute", price_usd: "price" };
  assertEquals(pricesOf(file, { columns }), ["0xa0 usd 1.5 0 null"]);
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
    .withColumns(pl.col("text").cast(pl.Decimal(38, 18)).alias("price_usd"));
  assertEquals(pricesOf(await write("decimal.parquet", decimal.writeParquet())), [
    "0xa0 usd 1.500000000000000001 0 null",
  ]);
});

const WRONG: [content: string, message: string, options?: ReadPricesOptions][] = [
  ["", ""],
  ["token,time,price_usd\n0xa0,1,2\n", "it has no column venue", { columns: { source: "venue" } }],
  ["token,time,price_usd\n0xa0,1,2\n0xa0,1,-2\n", "row 1 has the price -2"],
  ["token,time,price\n0xa0,1,2\n", "it has no column close", { columns: { price_usd: "close" } }],
];

Deno.test("readPrices() says what is wrong with a file", async () => {
  const messageFor = (...args: Parameters<typeof readPrices>) =>
    assertThrows(() => readPrices(...args), InputError).message;
  const messageForFile = async (name: string, content: string | Uint8Array, options = {}) => {
    const file = await write(name, content);
    return messageFor(file, options).replaceAll(file, name);
  };
  for (const [content, message, options] of WRONG) {
    const told = await messageForFile("p.csv", content, options);
    assertStringIncludes(told.split("\n")[0]!, `Cannot read prices from p.csv: ${message}`);
  }
  assertEquals(
    messageFor("prices.txt"),
    "Cannot read prices from prices.txt: it is neither .csv nor .parquet\n" +
      "Fix: Pass the path of a CSV or Parquet file",
  );
  assertStringIncludes(messageFor("/nowhere/prices.csv"), "No such file");
  const broken = await messageForFile("p.parquet", "PAR0");
  assert(broken.startsWith("Cannot read prices from p.parquet"));
  assertEquals(
    await messageForFile("p.csv", "token,minute,price\n0xa0,1,2\n"),
    "Cannot read prices from p.csv: it has no column time, price_usd or price_native\n" +
      "  columns: token, minute, price\n" +
      'Fix: Name the file\'s columns in the option columns, such as { price_usd: "price" }',
  );
  // The decimal comma of "1,5" makes one field more: no price may lose its digits by it.
  assertStringIncludes(
    await messageForFile("p.csv", "token,time,price_usd\n0xa0,1,1,5\n"),
    "more fields",
  );
  assertEquals(
    messageFor(new URL("https://example.org/prices.csv")),
    "Cannot read prices from https://example.org/prices.csv: it is not a file\n" +
      "Fix: Download it, and pass the path of the file",
  );
  const lists = pl.DataFrame({ token: ["0xa0"], time: [1], price_usd: [[1.5]] });
  assertEquals(
    (await messageForFile("lists.parquet", lists.writeParquet())).split("\n")[0],
    "Cannot read prices from lists.parquet: the column price_usd is of type List",
  );
  const misnamed = { columns: { price: "x" } };
  assertStringIncludes(
    await messageForFile("p.csv", "token,time,price_usd\n", misnamed),
    "Cannot read prices with columns an object\n",
  );
});

Deno.test("readPrices() passes over empty lines, and takes any line ends and a byte order mark", async () => {
  const text = `\ufefftoken,time,price_usd\r\n"0xa0",${MS},"1.5"\r\n\r\n0xb0,${MS},2\r\n\r\n`;
  assertEquals(pricesOf(await write("p.csv", text)), [
    "0xa0 usd 1.5 0 null",
    "0xb0 usd 2 0 null",
  ]);
});
