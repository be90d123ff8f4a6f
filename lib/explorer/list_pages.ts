import { html, type Markup } from "../reports/page/html_cell.ts";
import type { ReportTable } from "../reports/page/page_content.ts";
import { shortHex } from "../reports/page/page_words.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";
import { formatCsvCell } from "../tables/columns/csv_cell.ts";
import { pluralize } from "../units/format.ts";
import { takeTurns } from "./kept.ts";
import type { FacetCount, Listing, Selection } from "./listing.ts";
import {
  filterNames,
  formatListQuery,
  type ListName,
  type ListQuery,
  type ListRows,
  LISTS,
  readListQuery,
  sortNames,
} from "./lists.ts";
import { csvReply, jsonReply, pageReply, plainContent, type Reply } from "./reply.ts";
import { auctionTable, orderTable, tradeTable } from "./row_cells.ts";
import { isOfClass, type Shown, VERDICT_CLASSES } from "./shown.ts";
import { sitePage } from "./site_page.ts";

const ROWS_OF_PAGE = 50;

/** Rows that a download reads at a time. */
const ROWS_AT_ONCE = 10_000;

/** Orders that are judged for one request. */
const MAX_JUDGED = 2_000;

/** Kinds of files of a list. */
export type ListFormat = "html" | "csv" | "json";

const TABLES: {
  readonly [Name in ListName]: (rows: readonly ListRows[Name][], shown: Shown) => ReportTable;
} = { orders: orderTable, auctions: auctionTable, trades: tradeTable };

/** A list as a page, as a file of all its rows, or one page as JSON. */
export async function listReply<Name extends ListName>(
  shown: Shown,
  name: Name,
  { search, format }: { readonly search: URLSearchParams; readonly format: ListFormat },
): Promise<Reply> {
  const query = readListQuery(name, search);
  const listing = await shown.listing();
  const { selection, note } = await selectVerdict(shown, listing, query);
  const { total, facets } = await listing.count(name, selection);
  const read = async (limit: number, offset: number): Promise<readonly ListRows[Name][]> => {
    const rows = await listing.rows(name, { ...selection, sort: query.sort, limit, offset });
    const judge = async (row: ListRows[Name], index: number) =>
      "verdict" in row && offset + index < MAX_JUDGED
        ? { ...row, verdict: await shown.verdictOf?.(row.uid) ?? null }
        : row;
    return await Promise.all(rows.map(judge));
  };
  if (format === "csv") return csvReply(name, listCsv(read, Object.keys(LISTS[name].columns)));
  const rows = await read(ROWS_OF_PAGE, (query.page - 1) * ROWS_OF_PAGE);
  const pages = Math.max(1, Math.ceil(total / ROWS_OF_PAGE));
  const data = { list: name, ...query, pages, total, facets, rows };
  if (format === "json") return jsonReply(data);
  const content = plainContent({
    title: capitalized(name),
    sentence: total === 0 ? `No ${name} fit` : `${total} ${total === 1 ? name.slice(0, -1) : name}`,
    sections: [{
      id: "rows",
      title: sortText(query.sort),
      note,
      table: TABLES[name](rows, shown),
    }],
    data,
  });
  return pageReply(sitePage(content, {
    source: shown.source,
    intro: html`${filterForm(name, query, { hasVerdicts: shown.verdictOf !== null })}${
      facetLinks(shown, name, query, facets)
    }`,
    outro: pager(name, query, { pages, rows: total }),
  }));
}

/** The filters of a query as a selection: by verdict, the orders that were judged so. */
async function selectVerdict(
  { verdictOf, signal }: Shown,
  listing: Listing,
  { filters }: ListQuery,
): Promise<{ selection: Selection; note: string }> {
  const { verdict, ...others } = filters;
  const { note } = listing;
  if (verdict === undefined) return { selection: { filters }, note };
  if (verdictOf === null) {
    const why = "Orders of a live deployment are judged on their own pages.";
    return { selection: { filters: { ...others, verdict: "" } }, note: `${note} ${why}` };
  }
  const fitting = await listing.rows("orders", { filters: others, limit: MAX_JUDGED + 1 });
  const uids: string[] = [];
  for await (const { uid } of takeTurns(fitting.slice(0, MAX_JUDGED), signal)) {
    if (isOfClass(await verdictOf(uid), verdict)) uids.push(uid);
  }
  const isCut = fitting.length > MAX_JUDGED;
  return {
    selection: { filters: { ...others, verdict: uids.join(" ") } },
    note: isCut ? `${note} Only the newest ${MAX_JUDGED} that fit were judged.` : note,
  };
}

/**
 * Rows as CSV (RFC 4180), written as they are read: text that a spreadsheet would take for a formula
 * begins with `'`.
 *
 * @param read Reads some rows, which are the last ones if they are fewer than the limit.
 */
export function listCsv(
  read: (limit: number, offset: number) => Promise<readonly object[]>,
  columns: readonly string[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const write = (row: object) =>
    `${columns.map((name) => formatCsvCell(Reflect.get(row, name))).join()}\r\n`;
  let offset = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${columns.join()}\r\n`)),
    async pull(controller) {
      const rows = await read(ROWS_AT_ONCE, offset);
      offset += ROWS_AT_ONCE;
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(write).join("")));
      if (rows.length < ROWS_AT_ONCE) controller.close();
    },
  }, { highWaterMark: 0 });
}

/** How many rows there are of each value of a filter, with links to these. */
function facetLinks(
  { words, source }: Shown,
  name: ListName,
  query: ListQuery,
  facets: readonly FacetCount[],
): Markup {
  const nameOf = ({ filter, value }: FacetCount) =>
    filter === "token"
      ? words.token(value).text
      : filter === "solver"
      ? source.solverName(value) ?? shortHex(value)
      : filter === "owner"
      ? shortHex(value)
      : value;
  const lines = [...Map.groupBy(facets, ({ filter }) => filter)].map(([filter, counts]) =>
    html`<li>${capitalized(filter)}: ${
      counts.map((count, index) => {
        const filters = { ...query.filters, [filter]: count.value };
        const link = formatListQuery({ ...query, filters, page: 1 });
        return html`${index === 0 ? "" : ", "}<a href="/${name}${link}">${nameOf(count)}</a> ${
          String(count.rows)
        }`;
      })
    }</li>`
  );
  return html`
    <nav class="facets" aria-label="Most frequent values">
      <ul>${lines}</ul>
    </nav>
  `;
}

/** The filters of a list as a form, which works without a script. */
function filterForm(
  name: ListName,
  { filters, sort }: ListQuery,
  options: { readonly hasVerdicts: boolean },
): Markup {
  const fields = filterNames(name).filter((field) => field !== "verdict" || options.hasVerdicts);
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
    <label>Sort <select name="sort"><option value="">Newest first</option>${sortNames(name).map((
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
  const to = (other: number) => `/${name}${formatListQuery({ ...query, page: other })}`;
  const files = formatListQuery({ ...query, page: 1 });
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
    <a href="/${name}.csv${files}" download>${pluralize(rows, "row")} as CSV</a>
    <a href="/${name}.json${formatListQuery(query)}">This page as JSON</a>
    </nav>
  `;
}
