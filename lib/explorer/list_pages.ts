import { html, type Markup } from "../reports/page/html_cell.ts";
import type { ReportTable } from "../reports/page/page_content.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";
import { csvCell } from "../tables/columns/csv_cell.ts";
import { counted } from "../units/format.ts";
import { takeTurns } from "./kept.ts";
import {
  auctionsThatFit,
  FILTERS,
  type ListName,
  type ListQuery,
  listQuery,
  ordersThatFit,
  queryText,
  sorted,
  sortsFor,
  tradesThatFit,
} from "./list_filters.ts";
import {
  AUCTION_COLUMNS,
  type ListColumn,
  ORDER_COLUMNS,
  type OrderRow,
  TRADE_COLUMNS,
} from "./list_rows.ts";
import type { Listing } from "./listings.ts";
import { csvReply, jsonReply, pageReply, plainContent, type Reply } from "./reply.ts";
import { auctionTable, orderTable, tradeTable } from "./row_cells.ts";
import { isOfClass, type Shown, VERDICT_CLASSES } from "./shown.ts";
import { sitePage } from "./site_page.ts";

const ROWS_OF_PAGE = 50;

/** Orders that are judged for one request. */
const MOST_JUDGED = 2_000;

/** Kinds of files of a list. */
export type ListFormat = "html" | "csv" | "json";

/** A list as a page, as a file of all its rows, or one page as JSON. */
export async function listReply(
  shown: Shown,
  name: ListName,
  { search, format }: { readonly search: URLSearchParams; readonly format: ListFormat },
): Promise<Reply> {
  const query = listQuery(name, search);
  const listing = await shown.listing();
  const how = { name, query, format };
  switch (name) {
    case "auctions":
      return await replyOf(shown, how, {
        rows: auctionsThatFit(listing, query.filters, shown),
        note: listing.note,
        columns: AUCTION_COLUMNS,
        table: (rows) => auctionTable(rows, shown),
      });
    case "trades":
      return await replyOf(shown, how, {
        rows: tradesThatFit(listing, query.filters, shown),
        note: listing.note,
        columns: TRADE_COLUMNS,
        table: (rows) => tradeTable(rows, shown),
      });
    case "orders": {
      const { rows, note } = await ordersOf(shown, listing, query);
      const judged = new Set(sorted(rows, query.sort, ORDER_COLUMNS).slice(0, MOST_JUDGED));
      const verdictOf = async (row: OrderRow) =>
        judged.has(row) ? await shown.verdictOf?.(row.uid) ?? null : null;
      return await replyOf(shown, how, {
        rows,
        note,
        columns: ORDER_COLUMNS,
        complete: (some) =>
          Promise.all(some.map(async (row) => ({ ...row, verdict: await verdictOf(row) }))),
        table: (some) => orderTable(some, shown),
      });
    }
  }
}

async function ordersOf(
  shown: Shown,
  listing: Listing,
  { filters }: ListQuery,
): Promise<{ rows: OrderRow[]; note: string }> {
  const fitting = ordersThatFit(listing, filters, shown);
  const { verdict } = filters;
  const { note } = listing;
  const { verdictOf } = shown;
  if (verdict === undefined) return { rows: fitting, note };
  if (verdictOf === null) {
    return { rows: [], note: `${note} Orders of a live deployment are judged on their own pages.` };
  }
  const rows: OrderRow[] = [];
  for await (const row of takeTurns(fitting.slice(0, MOST_JUDGED), shown.signal)) {
    if (isOfClass(await verdictOf(row.uid), verdict)) rows.push(row);
  }
  const isCut = fitting.length > MOST_JUDGED;
  return {
    rows,
    note: isCut ? `${note} Only the newest ${MOST_JUDGED} that fit were judged.` : note,
  };
}

interface List<Row> {
  readonly rows: readonly Row[];
  readonly note: string;
  readonly columns: readonly ListColumn<Row>[];
  /** Adds to some rows what they need, such as their verdicts. @default {nothing} */
  readonly complete?: Complete<Row>;
  readonly table: (rows: readonly Row[]) => ReportTable;
}

type Complete<Row> = (rows: readonly Row[]) => Promise<readonly Row[]>;

async function replyOf<Row>(
  { source, verdictOf }: Shown,
  { name, query, format }: {
    readonly name: ListName;
    readonly query: ListQuery;
    readonly format: ListFormat;
  },
  { columns, note, table, complete = (some) => Promise.resolve(some), ...list }: List<Row>,
): Promise<Reply> {
  const rows = sorted(list.rows, query.sort, columns);
  if (format === "csv") return csvReply(name, listCsv(rows, columns, complete));
  const first = (query.page - 1) * ROWS_OF_PAGE;
  const some = await complete(rows.slice(first, first + ROWS_OF_PAGE));
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_OF_PAGE));
  const data = { list: name, ...query, pages, total: rows.length, rows: some };
  if (format === "json") return jsonReply(data);
  const title = capitalized(name);
  const content = plainContent({
    title,
    sentence: rows.length === 0
      ? `No ${name} fit`
      : `${rows.length} ${rows.length === 1 ? name.slice(0, -1) : name}`,
    sections: [{ id: "rows", title: sortText(query.sort), note, table: table(some) }],
    data,
  });
  return pageReply(sitePage(content, {
    source,
    intro: filterForm(name, query, { hasVerdicts: verdictOf !== null }),
    outro: pager(name, query, { pages, rows: rows.length }),
  }));
}

const ROWS_AT_ONCE = 200;

/**
 * Rows as CSV (RFC 4180), written as they are read: text that a spreadsheet would take for a formula
 * begins with `'`.
 *
 * @param complete Adds to some rows what they need, such as their verdicts.
 */
export function listCsv<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  complete: Complete<Row>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let at = -1;
  return new ReadableStream({
    async pull(controller) {
      if (at < 0) {
        at = 0;
        const names = columns.map(({ name }) => name).join(",");
        return controller.enqueue(encoder.encode(`${names}\r\n`));
      }
      const some = await complete(rows.slice(at, at + ROWS_AT_ONCE));
      at += ROWS_AT_ONCE;
      if (some.length === 0) return controller.close();
      controller.enqueue(encoder.encode(csvOf(some, columns)));
    },
  }, { highWaterMark: 0 });
}

function csvOf<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  return rows.map((row) => `${columns.map(({ of }) => csvCell(of(row))).join()}\r\n`).join("");
}

/** The filters of a list as a form, which works without a script. */
function filterForm(
  name: ListName,
  { filters, sort }: ListQuery,
  options: { readonly hasVerdicts: boolean },
): Markup {
  const fields = FILTERS[name].filter((field) => field !== "verdict" || options.hasVerdicts);
  return html`
    <form class="filters" method="get" action="/${name}" aria-label="Filters">
    ${fields.map((field) => {
      const words = field === "status"
        ? ORDER_STATUSES
        : field === "verdict"
        ? VERDICT_CLASSES
        : null;
      const value = filters[field] ?? "";
      const isTime = field === "from" || field === "to";
      const hint = isTime ? "2026-11-21T15:00" : "";
      return html`<label>${isTime ? `${capitalized(field)} (UTC)` : capitalized(field)} ${
        words === null
          ? html`
            <input name="${field}" value="${value}" placeholder="${hint}" maxlength="200"
              autocomplete="off">
          `
          : select(field, words, value)
      }</label>`;
    })}
    <label>Sort <select name="sort"><option value="">Newest first</option>${sortsFor(name).map((
      each,
    ) =>
      each === sort
        ? html`<option value="${each}" selected>${sortText(each)}</option>`
        : html`<option value="${each}">${sortText(each)}</option>`
    )}</select></label>
    <button type="submit">Filter</button> <a href="/${name}">Clear</a>
    </form>
  `;
}

function select(name: string, words: readonly string[], value: string): Markup {
  const all = value === "" || words.includes(value) ? words : [value, ...words];
  return html`<select name="${name}"><option value="">any</option>${
    all.map((word) =>
      word === value
        ? html`<option value="${word}" selected>${word.replaceAll("_", " ")}</option>`
        : html`<option value="${word}">${word.replaceAll("_", " ")}</option>`
    )
  }</select>`;
}

/** How a list is sorted, in words. */
function sortText(sort: string): string {
  if (sort === "") return "Newest first";
  const words = sort.replace("-", "").replaceAll("_", " ").replace(/ sec$/, "");
  return `By ${words}, ${sort.startsWith("-") ? "descending" : "ascending"}`;
}

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** Links to the pages beside this one, and to the same rows as files. */
function pager(
  name: ListName,
  query: ListQuery,
  { pages, rows }: { readonly pages: number; readonly rows: number },
): Markup {
  const { page } = query;
  const to = (other: number) => `/${name}${queryText({ ...query, page: other })}`;
  const files = queryText({ ...query, page: 1 });
  return html`
    <nav class="pager" aria-label="Pages">
    ${page > 1
      ? html`<a href="${to(1)}">First</a> <a href="${
        to(Math.min(page - 1, pages))
      }" rel="prev">← Previous</a>`
      : ""}
    <span>Page ${String(page)} of ${String(pages)}</span>
    ${page < pages
      ? html`<a href="${to(page + 1)}" rel="next">Next →</a> <a href="${to(pages)}">Last</a>`
      : ""}
    <a href="/${name}.csv${files}" download>${counted(rows, "row")} as CSV</a>
    <a href="/${name}.json${queryText(query)}">This page as JSON</a>
    </nav>
  `;
}
