import type { Exploration } from "../charts/mod.ts";
import { sha256 } from "../datasets/layout/files.ts";
import { OrderlensError } from "../errors/mod.ts";
import type { Market } from "../market/mod.ts";
import { html, type Markup, raw } from "../reports/page/html_cell.ts";
import type { Section } from "../reports/page/page_content.ts";
import type { EngineColumn, SqlRow, SqlValue } from "../sql/mod.ts";
import type { Frame } from "../tables/mod.ts";
import type { OpenedSource } from "./explorer_source.ts";
import { hashScript } from "./reply.ts";
import type { PageFiles, PageSource } from "./page_source.ts";

/** Most fills of a source whose pages have a view. */
const MAX_READ = 100_000;

/** Most fills of one view, and its bytes: within a page, or in a file of its own. */
const MAX = {
  page: { shown: 1_500, bytes: 130_000 },
  file: { shown: 5_000, bytes: 700_000 },
};

/** It has no frame, and its rows are a part of a table. */
const PAGE_OPTIONS = { frame: null, table: null } as const;

/** The interactive view above the lists of a page. */
interface FillsView {
  /** The view. */
  readonly intro: Markup;
  /** Its script, as a source of a content security policy. @default {it has none} */
  readonly script?: string;
}

/** Explains why no page has a view of so many fills; `null` if pages have one. */
export function explainNoView(fillCount: number): string | null {
  const [count, limit] = [fillCount, MAX_READ].map((number) => number.toLocaleString("en-US"));
  return fillCount > MAX_READ
    ? `No page has a view of the fills: there are ${count}, and views read ${limit} at most.`
    : null;
}

/** Columns by which pages choose fills. */
export interface Fill {
  readonly block_number: number;
  readonly solver: string | null;
  readonly sell_token: string;
  readonly buy_token: string;
}

const COLUMNS = [
  ...["order_uid", "block_number", "solver", "solver_name", "sell_token", "buy_token", "pair"],
  ...["kind", "market_position", "volume_native", "slippage_net_bps", "slippage_gross_bps"],
  ...["slippage_user_shown_bps", "slippage_limit_bps"],
];

/** The fills of a source as a view that answers: slippage by size, with links to the orders. */
export function createFillsExplorer({ isLocal }: OpenedSource, market: () => Promise<Market>) {
  const cache = new WeakMap<Market, Promise<readonly Fill[]>>();
  const read = async () => {
    const opened = await market();
    const fills = cache.get(opened) ??
      opened.fills().then((frame) => (frame.select(...COLUMNS) as Frame).toRecords<Fill>());
    cache.set(opened, fills);
    return await fills;
  };
  /**
   * A view of the newest of some fills, or why there is none of so many; `null` without any, of a dataset
   * that does not have what it needs, and of a deployment elsewhere, which would need a request for every
   * auction.
   *
   * @param count How many fills the source has.
   * @param page The source as the page shows it.
   */
  return async (
    fillCount: number,
    isShown: (fill: Fill) => boolean,
    page: PageSource,
  ): Promise<FillsView | null> => {
    if (!isLocal || fillCount === 0) return null;
    const reason = explainNoView(fillCount);
    if (reason !== null) return { intro: html`<p>${reason}</p>` };
    const fills = (await read().catch(ignoreMissing)).filter(isShown);
    if (fills.length === 0) return null;
    const newest = fills.toSorted((a, b) => b.block_number - a.block_number);
    const { explore } = await import("../charts/explore/explore.ts");
    // Links stay on the site: those of a folder lead to its search, which knows the page of each name.
    const href = page.toHref(page.files === null ? "/" : "/search?q=");
    const { shown: maxRows, bytes } = page.files === null ? MAX.page : MAX.file;
    const draw = (count: number) => explore(newest.slice(0, count), { ...PAGE_OPTIONS, href });
    let count = Math.min(maxRows, newest.length);
    let view = draw(count);
    while (view.html.length > bytes) {
      count = Math.floor(count * Math.min(0.9, bytes / view.html.length));
      view = draw(count);
    }
    const note = count === newest.length
      ? ""
      : html`<p>These are the newest ${String(count)} of ${String(newest.length)} fills.</p>`;
    const markup = page.files === null ? view.html : await shareView(view, page.files);
    return { intro: html`${raw(markup)}${note}`, script: await hashExplorationScript() };
  };
}

/** A view whose style, script and data are files of their own. */
async function shareView(view: Exploration, files: PageFiles): Promise<string> {
  const { createExplorationScript } = await import("../charts/explore/exploration_script.ts");
  const { EXPLORATION_STYLE } = await import("../charts/explore/exploration_style.ts");
  const data = view.dataScript;
  return view.linkFiles({
    style: files.add("explore.css", EXPLORATION_STYLE),
    script: files.add("explore.js", createExplorationScript()),
    data: files.add(`explore/${sha256(data).slice(0, 16)}.js`, data),
  });
}

function ignoreMissing(error: unknown): readonly Fill[] {
  if (error instanceof OrderlensError) return [];
  throw error;
}

/** The source of the script of views, which is the same in all of them. */
async function hashExplorationScript(): Promise<string> {
  const { createExplorationScript } = await import("../charts/explore/exploration_script.ts");
  return await hashScript(createExplorationScript());
}

/** Columns of a result by what can be drawn of them. */
interface ChartColumns {
  /** Columns along the axis to the right: times, texts and numbers. */
  readonly x: readonly string[];
  /** Columns of numbers. */
  readonly y: readonly string[];
}

/** The chart of a result. */
export interface ResultChart {
  /** The columns of both axes. */
  readonly x: string;
  readonly y: string;
  /** The picture, or the view that answers. */
  readonly picture?: NonNullable<Section["chart"]>;
  readonly view?: Markup;
  /** Source of its script. @default {it has none} */
  readonly script?: string;
}

const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|BIGNUM|FLOAT|DOUBLE|DECIMAL\(.*\))$/;
const TIME = /^(?:DATE|TIMESTAMP.*)$/;
/** Numbers that name or place something, and amounts of tokens that differ from row to row. */
const NOT_MEASURED = /(?:^|_)(?:id|block|number|index|ranking|week|ms|sec|(?<!native_)atoms)$/;
/** Texts that name one thing each. */
const UNIQUE_TEXT = /(?:^|_)(?:uid|hash|id)$/;

/** Different texts of a column to choose from. */
const MAX_CHOICES = 40;

/** Whether a column has numbers. */
export function isNumber({ type }: EngineColumn): boolean {
  return NUMBER.test(type);
}

/** Whether a column has times: by its type, or as text by its name. */
function isTime({ name, type }: EngineColumn): boolean {
  return TIME.test(type) || type === "VARCHAR" && /_(?:at|date)$/.test(name);
}

/** Lists the columns of a result that can be drawn. */
export function listChartColumns(columns: readonly EngineColumn[]): ChartColumns {
  const drawable = columns.filter((column) =>
    isNumber(column) || isTime(column) || column.type === "VARCHAR"
  );
  return {
    x: drawable.map(({ name }) => name),
    y: columns.filter(isNumber).map(({ name }) => name),
  };
}

/** The columns that are drawn unless the reader says otherwise; `null` where nothing can be. */
export function chooseAxes(
  columns: readonly EngineColumn[],
  rows: readonly SqlRow[],
): { readonly x: string; readonly y: string } | null {
  const numbers = columns.filter(isNumber);
  const y = numbers.find(({ name }) => !NOT_MEASURED.test(name)) ?? numbers.at(-1);
  const countValues = ({ name }: EngineColumn) => new Set(rows.map((row) => row[name])).size;
  const varying = columns.filter((column) => column !== y && countValues(column) > 1);
  const texts = varying.filter(({ type, name }) => type === "VARCHAR" && !UNIQUE_TEXT.test(name));
  const x = varying.find(isTime) ?? texts.find((column) => countValues(column) === rows.length) ??
    varying.find(isNumber) ?? texts[0];
  return x === undefined || y === undefined ? null : { x: x.name, y: y.name };
}

/** Draws a result: texts as bars, times as a series, numbers as a view that answers. */
export async function drawResult(
  columns: readonly EngineColumn[],
  rows: readonly SqlRow[],
  { x, y }: { readonly x: string; readonly y: string },
): Promise<ResultChart> {
  const xColumn = columns.find(({ name }) => name === x)!;
  const points = rows.map((row) => ({
    ...row,
    [y]: toNumber(row[y]),
    [x]: isTime(xColumn) ? toTime(row[x]) : isNumber(xColumn) ? toNumber(row[x]) : row[x] ?? null,
  }));
  if (isNumber(xColumn)) {
    const { explore } = await import("../charts/explore/explore.ts");
    const countValues = (name: string) => new Set(rows.map((row) => row[name])).size;
    const texts = columns.filter(({ type }) => type === "VARCHAR").map(({ name }) => name)
      .filter((name) => countValues(name) > 1 && countValues(name) <= MAX_CHOICES);
    const shownColumns = [...new Set([...columns.map(({ name }) => name).slice(0, 6), x])];
    const { html } = explore(points, {
      x,
      y,
      filters: texts.slice(0, 3),
      color: texts[0] ?? null,
      columns: shownColumns,
      ...PAGE_OPTIONS,
      href: "/",
    });
    return { x, y, view: raw(html), script: await hashExplorationScript() };
  }
  const { drawPicture } = await import("../reports/page/notebook_report.ts");
  if (isTime(xColumn)) {
    const { timeSeries } = await import("../charts/general/time_series.ts");
    return { x, y, picture: drawPicture((width) => timeSeries(points, { x, y, width }), "result") };
  }
  const { drawRowBars } = await import("../charts/general/row_bars.ts");
  return { x, y, picture: drawPicture((width) => drawRowBars(points, { x, y, width }), "result") };
}

/** Amounts and decimals are texts, which a picture has as numbers. */
function toNumber(value: SqlValue | undefined): number | null {
  const number = value === null || value === undefined ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A time as the engine prints it, in the form of tables. */
function toTime(value: SqlValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  const [, day, time = "00:00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T]([\d:.]+))?/.exec(String(value)) ??
    [];
  return day === undefined ? null : `${day}T${time}Z`;
}
