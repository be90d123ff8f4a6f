import pl from "nodejs-polars";
import * as charts from "orderlens/charts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { BUILT } from "./built.ts";
import { orders } from "./market.ts";
import { type Draw, DRAWN, GENERAL, tableOf } from "../charts/drawn.ts";
import { openMarket } from "orderlens/market";
import { readViews } from "orderlens/sql";
import { TABLES } from "orderlens/tables";
import { ROW_KINDS } from "../charts/row_kinds.ts";

/** `orderTimeline` takes several kinds of rows, each under a name. */
const ORDER = { order_uid: "0x01" };
const NOTHING: Readonly<Record<string, unknown>> = { orderTimeline: ORDER };

/** Options of every chart. */
const ALWAYS = [
  "title",
  "subtitle",
  "colors",
  "width",
  "height",
  "marginLeft",
  "source",
  "finding",
];

/** Options that any text suits. */
const FREE_TEXTS = [
  "title",
  "subtitle",
  "source",
  "finding",
  "nativeSymbol",
  "orderUid",
  "by",
  "noun",
];

/** Options of charts of any rows that any text suits, beside each other; `n` contradicts `weight`. */
const COLUMN_NAMES = ["x", "y", "series", "unit", "group", "label", "value", "weight"];

/** Options with a value for each of some names. */
const BY_NAME = ["colors"];

function rejection(run: () => unknown): string {
  return assertThrows(run, InputError).message;
}

/** Names of all options, as the error about an unknown one lists them. */
function optionsOf(draw: Draw, nothing: unknown): string[] {
  const listed = rejection(() => draw(nothing, { noSuchOption: 1 })).split("Fix: Pass ")[1] ?? "";
  return listed.split(", ");
}

for (const [name, draw] of DRAWN) {
  const nothing = NOTHING[name] ?? [];

  Deno.test(`${name}() rejects unknown options and values`, () => {
    const action = `Cannot draw ${name} with`;
    assertStringIncludes(
      rejection(() => draw(nothing, { heading: "Mine" })),
      `${action} "heading"`,
    );
    assertStringIncludes(
      rejection(() => draw(nothing, { widht: 300 })),
      "Fix: Pass width; other options are",
    );
    assertStringIncludes(rejection(() => draw(nothing, null)), `${action} null as options`);
    const options = optionsOf(draw, nothing);
    const isFree = (option: string) =>
      FREE_TEXTS.includes(option) ||
      (name in GENERAL && COLUMN_NAMES.includes(option));
    for (const always of ALWAYS) {
      assert(options.includes(always), `${always} in ${options}`);
    }
    for (const option of options) {
      for (const value of [BY_NAME.includes(option) ? [] : {}, Symbol("x"), null, NaN]) {
        const text = rejection(() => draw(nothing, { [option]: value }));
        assertStringIncludes(text, `${action} ${option} `);
        assertStringIncludes(text, `as ${option}`);
      }
      if (!isFree(option) && option !== "n") {
        rejection(() => draw(nothing, { [option]: "no such word" }));
      }
    }
    const all = (value: unknown, takes: (option: string) => boolean) =>
      Object.fromEntries(options.filter(takes).map((option) => [option, value]));
    draw(nothing, all("any", isFree));
    draw(nothing, all(undefined, (option) => !(option in (GENERAL[name] ?? {}))));
  });

  Deno.test(`${name}() rejects anything but rows of its kind`, () => {
    const rows = (one: unknown) => name === "orderTimeline" ? { ...ORDER, events: one } : one;
    const told = (one: unknown) => rejection(() => draw(rows(one)));
    for (
      const [wrong, words] of [
        [Promise.resolve([]), "`await` it first"],
        [{ async *[Symbol.asyncIterator]() {} }, "`await Array.fromAsync(…)`"],
        [new Map([[1, {}]]), "`[...map.values()]`"],
        [pl.DataFrame({ a: [1] }).lazy(), "`await frame.collect()`"],
        ["rows", 'from "rows"'],
        [{ rows: [] }, "from an object"],
        [new Set(), "`Array.from(it)`"],
        [[null], "row 0 is null"],
      ] as const
    ) assertStringIncludes(told(wrong), words);
    assertStringIncludes(rejection(() => draw(undefined)), "undefined");
    const remedy = name in GENERAL
      ? /Pass columns that the rows have: \w+/
      : /Pass rows of the table \w+, which/;
    const without = new RegExp(`without .*\\nFix: ${remedy.source}`);
    assert(without.test(told(orders)), told(orders));
    const empty = told(pl.DataFrame({ a: [1] }));
    assert(without.test(empty), empty);
    const missing = empty.split("\n")[0]!.split("without ")[1]!.split(", ");
    assertEquals(missing, [...new Set(missing)]);
  });
}

const frames = new Map(BUILT.map(({ table, full }) => [table.name, full]));
const market = await openMarket("market_1");
Deno.test.afterAll(() => market[Symbol.asyncDispose]());
for (const view of ["leaderboard", "pairs", "concentration", "gas_surplus", "cow_shares"]) {
  frames.set(view, await market.frame(`SELECT * FROM ${view} ORDER BY ALL`));
}

/** Enough rows for every series of a chart, and few enough to draw it many times. */
const ROWS = 60;

/** The beginning of the recorded market's table that a chart draws. */
function frameOf(name: string, draw: Draw): pl.DataFrame {
  return frames.get(tableOf(name, draw))!.head(ROWS);
}

for (const [name, drawn] of DRAWN) {
  if (name === "orderTimeline") continue;
  Deno.test(`${name}() draws a frame of its table like its rows`, () => {
    const frame = frameOf(name, drawn);
    const { svg, finding } = drawn(frame);
    assertEquals(svg, drawn(frame.toRecords()).svg);
    const empty = drawn(frame.filter(pl.lit(false)));
    assertEquals(empty.svg, drawn([]).svg);
    for (const said of [finding, empty.finding]) {
      assert(/^\w.*[^.]\.$/.test(said) && !/NaN|undefined|null|Infinity/.test(said), said);
    }
    assert(/^No \w+|^Nothing/.test(empty.finding) && empty.finding !== finding, empty.finding);
  });

  Deno.test(`${name}() takes a title, a subtitle and colors from its caller`, () => {
    const rows = frameOf(name, drawn).toRecords();
    const series = name in GENERAL ? { series: "solver" } : {};
    const draw = (of: unknown, options = {}) => drawn(of, { ...series, ...options });
    const said = draw(rows, { title: "Mine & yours", subtitle: "Of a test" });
    assertEquals(said.title, "Mine & yours");
    assertStringIncludes(said.svg, "<title>Mine &amp; yours</title>");
    assertStringIncludes(said.svg, ' font-weight="bold">Mine &amp; yours</text>');
    assertStringIncludes(said.svg, ">Of a test</text>");
    const told = rejection(() => draw(rows, { colors: { "no such series": "red" } }));
    assertStringIncludes(told, `Cannot draw ${name} with a color for "no such series"`);
    const known = [...(told.split("Fix: ")[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, one]) => one!);
    assert(known.length > 0, `${told}\nFix: give ${name} a \`legend\` with at least one entry`);
    const colors = Object.fromEntries(known.map((one, place) => [one, `#12345${place}`]));
    const { svg } = draw(rows, { colors });
    const shapes = (text: string) => text.match(/<(?:rect|circle|path|line)/g)?.length;
    assertEquals(shapes(svg), shapes(said.svg));
    const painted = known.filter((one) => svg.includes(`"${colors[one]}"`));
    assert(painted.length > 0, `none of ${known} is painted`);
    assertStringIncludes(
      rejection(() => draw(rows, { colors: { [known[0]!]: "blu" } })),
      `with "blu" as the color of "${known[0]}"`,
    );
  });
}

const GROUPED = DRAWN.filter(([name, draw]) =>
  optionsOf(draw, NOTHING[name] ?? []).some((option) => ["by", "series"].includes(option))
);
assert(GROUPED.length > 8, "charts have options `by` or `series`");
for (const [name, drawn] of GROUPED) {
  Deno.test(`${name}() groups by a column of the caller's own, and lists columns there are`, () => {
    const option = name in GENERAL ? "series" : "by";
    const own = frameOf(name, drawn).toRecords().map((row, index) => (
      { ...row, my_side: index % 2 === 0 ? "left" : "right" }
    ));
    // Rows of one solver each need a name each.
    const isNamed = ["solverLeaderboard", "settlementOutcomes"].includes(name);
    const rows = isNamed ? own.slice(0, 2) : own;
    for (const input of [rows, pl.DataFrame(rows)]) {
      const { svg } = drawn(input, { [option]: "my_side" });
      for (const side of ["left", "right"]) {
        assert(new RegExp(`>${side}\\b`).test(svg), `${side} in ${svg}`);
      }
      const told = rejection(() => drawn(input, { [option]: "your_side" }));
      assertStringIncludes(told, `Cannot draw ${name} without your_side`);
      assertStringIncludes(
        told,
        `Fix: Pass columns that the rows have: ${Object.keys(rows[0]!)[0]}`,
      );
      assertStringIncludes(told, "my_side");
    }
  });
}

/** What says of how many things a percentage is: a number of them in its sentence. */
const NUMBER_OF_THINGS = /\bn = |\d of (?:the )?\d|\d (?:fill|order|row|fee|win|bid|solution)s?\b/;

/** Charts whose rows are sums over many things, however few rows there are. */
const SUMMED = ["orderTimeline", "solverLeaderboard"];

for (const [name, drawn] of DRAWN) {
  if (SUMMED.includes(name)) continue;
  Deno.test(`${name}() gives the number of rows with a percentage of few`, () => {
    const rows = frameOf(name, drawn).head(12).toRecords();
    const { title, finding } = drawn(rows);
    for (const sentence of [title, ...finding.split(". ")]) {
      assert(!sentence.includes("%") || NUMBER_OF_THINGS.test(sentence), sentence);
    }
  });
}

Deno.test("orderTimeline() draws frames like their rows", () => {
  const [uid] = frames.get("order_events")!.getColumn("order_uid").toArray() as string[];
  const of = (table: string) => frames.get(table)!.filter(pl.col("order_uid").eq(pl.lit(uid!)));
  const drawn = (as: (frame: pl.DataFrame) => unknown) =>
    (charts.orderTimeline as Draw)({
      order_uid: uid,
      events: as(of("order_events")),
      auctions: as(of("order_auctions")),
      fills: as(of("executions")),
    }).svg;
  assertEquals(drawn((frame) => frame), drawn((frame) => frame.toRecords()));
  const misspelt = { order_uid: uid, event: [] };
  assertStringIncludes(rejection(() => (charts.orderTimeline as Draw)(misspelt)), "Pass events;");
  assertStringIncludes(rejection(() => (charts.orderTimeline as Draw)({})), "without order_uid");
});

Deno.test("charts accept frames with bigint, dates and unused columns", () => {
  const frame = pl.DataFrame({
    solver: ["A", "B"],
    auction_id: pl.Series("auction_id", [3n, 5n], pl.UInt64),
    margin_native: [1, null],
    margin_share: [0.5, 0.5],
    lists: pl.Series("lists", [[1], [2]]),
  });
  const { rows, svg } = charts.winMargin(frame);
  assertEquals(rows, [{ solver: "A", auction_id: 3, margin_native: 1, margin_share: 0.5 }]);
  assertStringIncludes(svg, "1 row without a number in margin_native left out");
  const events = pl.DataFrame({
    timestamp: [new Date("2026-11-21T15:00:00Z"), new Date("2026-11-21T15:00:02Z")],
    label: ["created", "ready"],
  });
  const listed = [{ timestamp: "2026-11-21T15:00:00Z", label: "created" }, {
    timestamp: "2026-11-21T15:00:02Z",
    label: "ready",
  }];
  assertEquals(
    charts.orderTimeline({ ...ORDER, events }).svg,
    charts.orderTimeline({ ...ORDER, events: listed }).svg,
  );
});

Deno.test("charts reject a text column where they need numbers", () => {
  const text = pl.DataFrame({ auction_id: [1], solver: ["A"], margin_native: ["1.5"] })
    .withColumn(pl.lit(0.5).alias("margin_share"));
  const told = rejection(() => charts.winMargin(text));
  assertStringIncludes(told, "Cannot draw winMargin: the column margin_native is text");
  const decimal = text.withColumn(pl.col("margin_native").cast(pl.Decimal(20, 2)));
  assertStringIncludes(rejection(() => charts.winMargin(decimal)), "margin_native cannot be read");
});

Deno.test("charts reject a frame without the columns that their options need", () => {
  const frame = pl.DataFrame({ order_uid: ["0x01"], kind: ["sell"], slippage_net_bps: [1] });
  charts.slippageDistribution(frame);
  assertStringIncludes(
    rejection(() => charts.slippageDistribution(frame, { baseline: "limit" })),
    "without slippage_limit_bps",
  );
  assertStringIncludes(rejection(() => charts.slippageByPair(frame)), "without pair\n");
  assertStringIncludes(rejection(() => charts.slippageBySize(frame)), "without volume_native\n");
});

/** What a chart can draw and its table does not tell: a time of another table, or of the reader. */
const NOT_IN_TABLES = [
  "OrderTimelineAuction.auction_at_ms",
  "OrderTimelineAuction.auction_time_max_ms",
  "OrderTimelineAuction.time_basis",
  "OrderTimelineFill.fill_time_max_ms",
  "OrderTimelineFill.filled_at_ms",
  "OrderTimelineFill.time_basis",
  "OrderTimelineFill.timestamp",
];

/** Kinds of column that a property of a row may come from. */
const DTYPES: Readonly<Record<string, readonly string[]>> = {
  text: ["String"],
  number: ["Int64", "Float64"],
  flag: ["Bool"],
  moment: ["String"],
};

/** Columns by the name of their table or view. */
const COLUMNS = new Map(
  [...Object.values(TABLES), ...await readViews()].map(({ name, columns }) => [
    name,
    new Map<string, string>(columns.map((column) => [column.name, column.dtype])),
  ]),
);

Deno.test("charts take rows of a declared kind", () => {
  const tables = ROW_KINDS.map(({ table }) => table);
  for (const [name, draw] of DRAWN) {
    if (name === "orderTimeline") continue;
    assert(
      tables.includes(tableOf(name, draw)),
      `${name}: declare its rows as a RowKind in its file`,
    );
  }
});

assert(ROW_KINDS.length > 0);
for (const { row, table, columns } of ROW_KINDS) {
  Deno.test(`${row} matches names and kinds of columns of ${table}`, () => {
    const dtypes = COLUMNS.get(table);
    assert(dtypes !== undefined, `${table} is a table or a view`);
    const missing: string[] = [];
    for (const [name, kind] of Object.entries(columns)) {
      const dtype = dtypes.get(name);
      if (dtype === undefined) missing.push(`${row}.${name}`);
      else assert(DTYPES[kind.replace("?", "")]?.includes(dtype), `${row}.${name} is ${dtype}`);
    }
    const expected = NOT_IN_TABLES.filter((one) => one.startsWith(`${row}.`));
    assertEquals(missing.toSorted(), expected.toSorted());
  });
}
