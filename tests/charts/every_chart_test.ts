import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { InputError } from "orderlens";
import { type Draw, DRAWN, GENERAL, tableOf } from "./drawn.ts";
import { ROW_KINDS } from "./row_kinds.ts";
import * as charts from "orderlens/charts";

/** One row: `text` in columns of text, `value` in all others. */
type Cells = readonly [value: unknown, text: unknown];

function cells(value: unknown, text: unknown = value): Cells {
  return [value, text];
}

/** The kind whose texts a reader of documents may refuse. */
const DRAWN_AS_PNG = "markup and control characters";

const HOSTILE: Readonly<Record<string, readonly Cells[]>> = {
  nulls: [cells(null)],
  "not a number": [cells(NaN, "A")],
  infinity: [cells(Infinity, "A"), cells(-Infinity, "A")],
  "text for numbers": [cells("7")],
  "bigints for numbers": [cells(7n)],
  "booleans for all": [cells(true)],
  zeros: [cells(0, "A")],
  negatives: [cells(-1, "A")],
  "the largest and smallest doubles": [
    cells(Number.MAX_VALUE, "A"),
    cells(-Number.MAX_VALUE, "B"),
    cells(Number.MIN_VALUE, "C"),
  ],
  "70 orders of magnitude": [cells(1e35, "A"), cells(1e-35, "B"), cells(-1, "C")],
  "names of object members": [cells(1, "__proto__"), cells(1, "constructor"), cells(1, "")],
  [DRAWN_AS_PNG]: [cells(1, '<b>&"\u0000\u{1F600}\uD800\n\t' + "x".repeat(300))],
};

/** Every column that charts of a table read, as the kinds of their rows declare it. */
function columnsOf(table: string): [name: string, kind: string][] {
  return ROW_KINDS.flatMap((kind) => kind.table === table ? Object.entries(kind.columns) : []);
}

function rowsOf(columns: readonly [string, string][], cells: readonly Cells[]) {
  return cells.map(([value, text]) =>
    Object.fromEntries(
      columns.map(([name, kind]) => [name, kind.startsWith("text") ? text : value]),
    )
  );
}

/** What `orderTimeline` takes: rows of several tables, each under a name. */
const PARTS = {
  events: "order_events",
  auctions: "order_auctions",
  attempts: "settlement_attempts",
  fills: "executions",
};

/** What a chart draws, with these cells in all columns that it reads. */
function drawnOf(name: string, table: () => string): (cells: readonly Cells[]) => unknown {
  if (name !== "orderTimeline") {
    const columns = columnsOf(table());
    assert(columns.length > 0, `${name} takes rows of a RowKind`);
    return (cells) => rowsOf(columns, cells);
  }
  return (cells) => ({
    order_uid: "0x01",
    ...Object.fromEntries(
      Object.entries(PARTS).map(([part, table]) => [part, rowsOf(columnsOf(table), cells)]),
    ),
  });
}

/** Whether a chart rejects rows: charts of any rows need a column of the kind that they draw. */
function rejects(draw: Draw, rows: unknown): boolean {
  try {
    draw(rows);
    return false;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return true;
  }
}

for (const [name, draw] of DRAWN) {
  const given = drawnOf(name, () => tableOf(name, draw));
  Deno.test(`${name}() draws any rows, as a document that a picture can be made of`, async (t) => {
    for (const [kind, cells] of Object.entries(HOSTILE)) {
      const [rows, twice] = [given(cells), given([...cells, ...cells])];
      await t.step(kind, async () => {
        if (name in GENERAL && rejects(draw, rows)) return;
        const narrow = draw(rows, { width: 240, source: "a test" });
        assertMatch(narrow.svg, /^<svg [^>]*width="240"[^>]*role="img" aria-label="[^"]{10,}"/);
        for (const { svg } of [narrow, draw(twice, { width: 760, source: "a test" })]) {
          assertStringIncludes(svg, "Source:");
          const drawing = svg.replaceAll(/<title>[^<]*<\/title>/g, "");
          for (const sign of ["⚠", '="NaN', "(NaN", "Infinity,", '="Infinity', "undefined"]) {
            assert(!drawing.includes(sign), `${sign} in the drawing`);
          }
          assert(!svg.includes("<b>"));
        }
        // Numbers alone do not break a document: the signs above are what they may leave in it.
        if (kind === DRAWN_AS_PNG) assert((await narrow.png({ scale: 0.2 })).length > 100);
      });
    }
  });
}

Deno.test("Chart becomes a PNG with its text drawn", async () => {
  const { title, svg } = charts.estimates([{ solver: "A", bids: 2 }], {
    group: "solver",
    value: "bids",
  });
  const bare = svg.replaceAll(/<text[^]*?<\/text>/g, "");
  const [whole, textless] = await Promise.all(
    [svg, bare].map((svg) => new charts.Chart({ title, svg, rows: [] }).png({ scale: 1 })),
  );
  assertEquals([...whole!.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert(whole!.length > textless!.length, "text adds nothing to the picture");
  const chart = new charts.Chart({ title, svg, rows: [] });
  await assertRejects(() => chart.png({ scale: 0 }), InputError, "scale 0");
});

const A = `0xaaaa${"0".repeat(32)}0001`;
const B = `0xbbbb${"0".repeat(32)}0002`;
const C = `0xcccc${"0".repeat(32)}0003`;
const NAMES: Readonly<Record<string, string | null>> = { [A]: "Barter", [B]: "Barter", [C]: null };

/** A row of what all charts below read; how much a solver won falls from the first to the last. */
function rowOf(one: object, place: number) {
  return {
    ...one,
    auction_id: 7,
    ranking: place + 1,
    score_native: 3 - place,
    is_winner: place === 0,
    filtered_out: false,
    reference_score_native: 1,
    over_limit_bps: 3 - place,
    in_time: 3 - place,
    late: 1,
    absent: 0,
    pending: 0,
    fills: 4,
    unknown_count: 0,
    below_gas_count: 0,
    surplus_native: 4 - place,
    gas_cost_native: 1,
    after_gas_native: 3 - place,
    auctions_bid: 4,
    auctions_won: 3 - place,
    win_rate: (3 - place) / 4,
    pair: "X → Y",
    bids: 4,
    wins: 3 - place,
    margin_native: 3 - place,
    margin_share: 0.5,
    block_number: place,
    net_value_native: 3 - place,
    order_uid: `0x0${place}`,
    kind: "sell",
    slippage_net_bps: 3 - place,
    network_bps: -1,
    protocol_bps: -1,
    partner_bps: 0,
    market_bps: 5 - place,
  };
}

/** Charts that name solvers, and the options with which they do. */
const NAMING = {
  auctionRanking: {},
  bidsForOrder: {},
  settlementOutcomes: {},
  estimates: { group: "solver", label: "solver_name", value: "surplus_native" },
  solverLeaderboard: {},
  winMargin: {},
  solverImbalances: {},
  slippageBySolver: { sort: "-median_bps" },
  slippageDecomposition: { by: "solver" },
  slippageDistribution: { by: "solver" },
} as const;

function rows(names: Readonly<Record<string, string | null>>) {
  return [A, B, C].map((solver, place) =>
    rowOf({ solver, solver_name: names[solver] ?? null }, place)
  );
}

/** The texts of a drawing that are seen without pointing at anything. */
function seen(svg: string): string {
  return [...svg.replaceAll(/<(title|desc)>[^<]*<\/\1>/g, "").matchAll(/>([^<]+)</g)]
    .map(([, text]) => text).join("\n");
}

for (const [name, options] of Object.entries(NAMING)) {
  const draw = (given: readonly object[]) =>
    (charts[name as keyof typeof NAMING] as Draw)(given, options);

  Deno.test(`${name}() groups solvers by address and shows their names`, () => {
    const { svg } = draw(rows(NAMES));
    const texts = seen(svg);
    assertStringIncludes(texts, "Barter 0xaaaa…0001");
    assertStringIncludes(texts, "Barter 0xbbbb…0002");
    assert(/0xcccc(…|0+)0003/.test(texts));
    const alone = seen(draw(rows({ [A]: "Barter", [B]: "Fractal" })).svg);
    assert(/Barter(?! 0x)/.test(alone) && !alone.includes("0xaaaa"), alone);
    assertStringIncludes(alone, "Fractal");
    if (name === "slippageDistribution") return;
    assert(/<title>[^<]*Barter \(0xaaaa(…|0+)0001\)/.test(svg));
  });

  // Charts of any rows reject a column that their options name and rows lack.
  if (name in GENERAL) continue;
  Deno.test(`${name}() draws rows without names as rows that have no column of names`, () => {
    const nameless = [A, B, C].map((solver, place) => rowOf({ solver }, place));
    assertEquals(draw(rows({})).svg, draw(nameless).svg);
  });
}

Deno.test("sortRows() sorts solvers by their drawn names", () => {
  const order = (sort: "solver" | "-solver") =>
    charts.settlementOutcomes(
      [[A, "Zeta"], [B, "Alpha"]].map(([solver, solver_name], at) => ({
        ...rowOf({}, at),
        solver: solver!,
        solver_name: solver_name!,
      })),
      { sort },
    ).rows.map((row) => row.solver_name);
  assertEquals(order("solver"), ["Alpha", "Zeta"]);
  assertEquals(order("-solver"), ["Zeta", "Alpha"]);
});
