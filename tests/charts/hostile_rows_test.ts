import { assert, assertStringIncludes } from "@std/assert";
import { InputError } from "orderlens";
import { type Draw, DRAWN, GENERAL, tableOf } from "./drawn.ts";
import { ROW_KINDS } from "./row_kinds.ts";

/** One row: `text` in columns of text, `value` in all others. */
type Cells = readonly [value: unknown, text: unknown];

function row(value: unknown, text: unknown = value): Cells {
  return [value, text];
}

const HOSTILE: Readonly<Record<string, readonly Cells[]>> = {
  nulls: [row(null)],
  "not a number": [row(NaN, "A")],
  infinity: [row(Infinity, "A"), row(-Infinity, "A")],
  "text for numbers": [row("7")],
  "bigints for numbers": [row(7n)],
  "booleans for all": [row(true)],
  zeros: [row(0, "A")],
  negatives: [row(-1, "A")],
  "the largest and smallest doubles": [
    row(Number.MAX_VALUE, "A"),
    row(-Number.MAX_VALUE, "B"),
    row(Number.MIN_VALUE, "C"),
  ],
  "70 orders of magnitude": [row(1e35, "A"), row(1e-35, "B"), row(-1, "C")],
  "names of object members": [row(1, "__proto__"), row(1, "constructor"), row(1, "")],
  "markup and control characters": [row(1, '<b>&"\u0000\u{1F600}\uD800\n\t' + "x".repeat(300))],
};

/** Kinds whose texts or sizes a reader of documents may refuse. */
const DRAWN_AS_PNG = [
  "nulls",
  "the largest and smallest doubles",
  "names of object members",
  "markup and control characters",
];

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
  events: "orderEventsTable",
  auctions: "orderAuctionsTable",
  attempts: "settlementAttemptsTable",
  fills: "executionsTable",
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
        for (const { svg } of [narrow, draw(twice, { width: 760, source: "a test" })]) {
          assertStringIncludes(svg, "Source:");
          const drawing = svg.replaceAll(/<title>[^<]*<\/title>/g, "");
          for (const sign of ["⚠", '="NaN', "(NaN", "Infinity,", '="Infinity', "undefined"]) {
            assert(!drawing.includes(sign), `${sign} in the drawing`);
          }
          assert(!svg.includes("<b>"));
        }
        // Numbers alone do not break a document: the signs above are what they may leave in it.
        if (!DRAWN_AS_PNG.includes(kind)) return;
        const png = await narrow.png({ scale: 0.2 });
        assert(png.length > 100);
      });
    }
  });
}
