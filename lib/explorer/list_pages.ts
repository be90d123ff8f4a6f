import { html, type Markup } from "../reports/page/html_cell.ts";
import { reportJson, type ReportTable } from "../reports/page/page_content.ts";
import { csvCell } from "../tables/columns/csv_cell.ts";
import { takeTurns } from "./kept.ts";
import {
  auctionsThatFit,
  type FilterName,
  FILTERS,
  type ListName,
  type ListQuery,
  listQuery,
  ordersThatFit,
  queryText,
  tradesThatFit,
} from "./list_filters.ts";
import {
  AUCTION_COLUMNS,
  type JudgedOrderRow,
  type ListColumn,
  ORDER_COLUMNS,
  type OrderRow,
  TRADE_COLUMNS,
} from "./list_rows.ts";
import type { Listing } from "./listings.ts";
import { jsonReply, pageReply, plainContent, type Reply } from "./reply.ts";
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
  const listing = await shown.listings.current();
  if (name === "auctions") {
    const rows = auctionsThatFit(listing, query.filters, shown);
    const complete = (some: typeof rows) => Promise.resolve(some);
    const table = (some: typeof rows) => auctionTable(some, shown.source);
    const list = { name, rows, columns: AUCTION_COLUMNS, complete, table, note: listing.note };
    return await replyOf(shown, list, { query, format });
  }
  if (name === "trades") {
    const rows = tradesThatFit(listing, query.filters, shown);
    const complete = (some: typeof rows) => Promise.resolve(some);
    const table = (some: typeof rows) => tradeTable(some, shown.words);
    const list = { name, rows, columns: TRADE_COLUMNS, complete, table, note: listing.note };
    return await replyOf(shown, list, { query, format });
  }
  const { rows, note } = await ordersOf(shown, listing, query);
  const judged = new Set(rows.slice(0, MOST_JUDGED));
  return await replyOf(shown, {
    name,
    rows,
    note,
    columns: ORDER_COLUMNS,
    complete: (some: OrderRow[]) =>
      Promise.all(some.map(async (row) => ({
        ...row,
        verdict: judged.has(row) ? await shown.verdicts.of(row.uid) : null,
      }))),
    table: (some: JudgedOrderRow[]) => orderTable(some, shown.words),
  }, { query, format });
}

async function ordersOf(
  shown: Shown,
  listing: Listing,
  { filters }: ListQuery,
): Promise<{ rows: OrderRow[]; note: string }> {
  const fitting = ordersThatFit(listing, filters, shown);
  const { verdict } = filters;
  const { note } = listing;
  if (verdict === undefined) return { rows: fitting, note };
  if (!shown.verdicts.areJudged) {
    return { rows: [], note: `${note} Orders of a live deployment are judged on their own pages.` };
  }
  const rows: OrderRow[] = [];
  for await (const row of takeTurns(fitting.slice(0, MOST_JUDGED), shown.signal)) {
    const found = await shown.verdicts.of(row.uid);
    if (found !== null && isOfClass(found, verdict)) rows.push(row);
  }
  const isCut = fitting.length > MOST_JUDGED;
  return {
    rows,
    note: isCut ? `${note} Only the newest ${MOST_JUDGED} that fit were judged.` : note,
  };
}

interface List<Row, Complete extends Row> {
  readonly name: ListName;
  readonly rows: Row[];
  readonly note: string;
  readonly columns: readonly ListColumn<Complete>[];
  readonly complete: (rows: Row[]) => Promise<Complete[]>;
  readonly table: (rows: Complete[]) => ReportTable;
}

async function replyOf<Row, Complete extends Row>(
  { source, verdicts }: Shown,
  list: List<Row, Complete>,
  { query, format }: { readonly query: ListQuery; readonly format: ListFormat },
): Promise<Reply> {
  const { name, rows, columns, complete, note } = list;
  if (format === "csv") {
    return {
      status: 200,
      type: "text/csv; charset=utf-8; header=present",
      body: listCsv(rows, columns, (some) => complete([...some])),
      headers: { "content-disposition": `attachment; filename="${name}.csv"` },
    };
  }
  const first = (query.page - 1) * ROWS_OF_PAGE;
  const some = await complete(rows.slice(first, first + ROWS_OF_PAGE));
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_OF_PAGE));
  const data = { list: name, ...query, pages, total: rows.length, rows: some };
  if (format === "json") return jsonReply(`${reportJson(data)}\n`);
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const content = plainContent({
    title,
    sentence: rows.length === 0
      ? `No ${name} fit`
      : `${rows.length} ${rows.length === 1 ? name.slice(0, -1) : name}`,
    sections: [{ id: "rows", title: "Newest first", note, table: list.table(some) }],
    data,
  });
  return pageReply(sitePage(content, {
    name: source.name,
    intro: filterForm(name, query, { hasVerdicts: verdicts.areJudged }),
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
export function listCsv<Row, Complete extends Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Complete>[],
  complete: (rows: readonly Row[]) => Promise<readonly Complete[]>,
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

const LABELS: Readonly<Record<FilterName, string>> = {
  text: "Text",
  status: "Status",
  verdict: "Verdict",
  token: "Token",
  owner: "Owner",
  solver: "Solver",
};

const STATUSES = ["presignaturePending", "open", "fulfilled", "cancelled", "expired"];

/** The filters of a list as a form, which works without a script. */
function filterForm(
  name: ListName,
  { filters }: ListQuery,
  options: { readonly hasVerdicts: boolean },
): Markup {
  const fields = FILTERS[name].filter((field) => field !== "verdict" || options.hasVerdicts);
  return html`
    <form class="filters" method="get" action="/${name}" aria-label="Filters">
    ${fields.map((field) => {
      const words = field === "status" ? STATUSES : field === "verdict" ? VERDICT_CLASSES : null;
      const value = filters[field] ?? "";
      return html`<label>${LABELS[field]} ${
        words === null
          ? html`<input name="${field}" value="${value}" maxlength="200" autocomplete="off">`
          : select(field, words, value)
      }</label>`;
    })}
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

/** Links to the pages beside this one, and to the same rows as files. */
function pager(
  name: ListName,
  query: ListQuery,
  { pages, rows }: { readonly pages: number; readonly rows: number },
): Markup {
  const { filters, page } = query;
  const to = (other: number) => `/${name}${queryText({ filters, page: other })}`;
  const files = queryText({ filters, page: 1 });
  return html`
    <nav class="pager" aria-label="Pages">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">Newer</a>` : ""}
    <span>Page ${String(page)} of ${String(pages)}</span>
    ${page < pages ? html`<a href="${to(page + 1)}" rel="next">Older</a>` : ""}
    <a href="/${name}.csv${files}" download>${String(rows)} rows as CSV</a>
    <a href="/${name}.json${queryText(query)}">This page as JSON</a>
    </nav>
  `;
}
