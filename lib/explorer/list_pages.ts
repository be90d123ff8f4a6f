import { html, type Markup } from "../reports/page/html_cell.ts";
import type { ReportTable } from "../reports/page/page_content.ts";
import { nameVerdict } from "../reports/order/verdicts.ts";
import { shortenHex, toStatusCell } from "../reports/page/cell_formatter.ts";
import { buildTokensSection } from "../reports/page/tokens_section.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";
import { formatCsvCell } from "../tables/columns/csv_cell.ts";
import { pluralize } from "../units/format.ts";
import { takeTurns } from "./cache.ts";
import type { FacetCount, Listing, Selection } from "./listing.ts";
import {
  formatListQuery,
  listFilters,
  type ListName,
  type ListQuery,
  type ListRows,
  LISTS,
  listSorts,
  readListQuery,
} from "./lists.ts";
import { createContent, type Reply, toCsvReply, toHtmlReply, toJsonReply } from "./reply.ts";
import { buildAuctionTable, buildOrderTable, buildTradeTable } from "./row_cells.ts";
import { isInClass, listRowTokens, type PageContext, VERDICT_CLASSES } from "./page_context.ts";
import { type PageSource, renderLink } from "./page_source.ts";
import { renderSitePage } from "./site_page.ts";

/** Rows of one page of a list. */
export const ROWS_PER_PAGE = 50;

/** Rows that a download reads at a time. */
const DOWNLOAD_BATCH = 10_000;

/** Orders that are judged for one request, and of a list: the newest. */
export const MAX_JUDGED = 2_000;

/** Kinds of files of a list. */
export type ListFormat = "html" | "csv" | "json";

const TABLES: {
  readonly [Name in ListName]: (
    rows: readonly ListRows[Name][],
    context: PageContext,
  ) => ReportTable;
} = { orders: buildOrderTable, auctions: buildAuctionTable, trades: buildTradeTable };

/** A list as a page, as a file of all its rows, or one page as JSON. */
export async function renderList<Name extends ListName>(
  context: PageContext,
  name: Name,
  { search, format }: { readonly search: URLSearchParams; readonly format: ListFormat },
): Promise<Reply> {
  const query = readListQuery(name, search);
  const listing = await context.listing();
  const { selection, note } = await selectByVerdict(context, listing, query);
  const { total, facets } = await listing.count(name, selection);
  const readRows = async (limit: number, offset: number): Promise<readonly ListRows[Name][]> => {
    const rows = await listing.rows(name, { ...selection, sort: query.sort, limit, offset });
    const judge = async (row: ListRows[Name], index: number) =>
      "verdict" in row && offset + index < MAX_JUDGED
        ? { ...row, verdict: await context.verdictOf?.(row.uid) ?? null }
        : row;
    return await Promise.all(rows.map(judge));
  };
  if (format === "csv") {
    return toCsvReply(name, streamCsv(readRows, Object.keys(LISTS[name].columns)));
  }
  const rows = await readRows(ROWS_PER_PAGE, (query.page - 1) * ROWS_PER_PAGE);
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE));
  const data = { list: name, ...query, pages, total, facets, rows };
  if (format === "json") return toJsonReply(data);
  const facetTokens = facets.flatMap(({ filter, value }) =>
    filter === "token" ? { sell_token: value } : []
  );
  const words = await context.nameTokensOf([...rows, ...facetTokens]);
  const tokens = buildTokensSection(listRowTokens(rows), words);
  const content = createContent({
    title: capitalize(name),
    sentence: total === 0 ? `No ${name} fit` : `${total} ${total === 1 ? name.slice(0, -1) : name}`,
    sections: [{
      id: "rows",
      title: formatSort(query.sort),
      note,
      table: TABLES[name](rows, { ...context, words }),
    }, ...tokens === null ? [] : [tokens]],
    data,
  });
  return toHtmlReply(renderSitePage(content, {
    source: context.source,
    intro: html`${renderFilters(context, name, query)}${
      renderFacets({ ...context, words }, name, query, facets)
    }`,
    outro: renderPager(context.source, name, { query, pages, rows: total }),
  }));
}

/** The filters of a query as a selection: by verdict, the orders that were judged so. */
async function selectByVerdict(
  { verdictOf, signal }: PageContext,
  listing: Listing,
  { filters }: ListQuery,
): Promise<{ selection: Selection; note: string }> {
  const { verdict, ...otherFilters } = filters;
  const { note } = listing;
  if (verdict === undefined) return { selection: { filters }, note };
  if (verdictOf === null) {
    const reason = "Orders of a live deployment are judged on their own pages.";
    return { selection: { filters: { ...otherFilters, verdict: "" } }, note: `${note} ${reason}` };
  }
  const candidates = await listing.rows("orders", { filters: otherFilters, limit: MAX_JUDGED + 1 });
  const uids: string[] = [];
  for await (const { uid } of takeTurns(candidates.slice(0, MAX_JUDGED), signal)) {
    if (isInClass(await verdictOf(uid) ?? "", verdict)) uids.push(uid);
  }
  const isCut = candidates.length > MAX_JUDGED;
  return {
    selection: { filters: { ...otherFilters, verdict: uids.join(" ") } },
    note: isCut
      ? `${note} Verdicts were computed for the newest ${MAX_JUDGED} matching orders only.`
      : note,
  };
}

/**
 * Rows as CSV (RFC 4180), written as they are read: text that a spreadsheet would take for a formula
 * begins with `'`.
 *
 * @param readRows Reads some rows, which are the last ones if they are fewer than the limit.
 */
export function streamCsv(
  readRows: (limit: number, offset: number) => Promise<readonly object[]>,
  columns: readonly string[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const write = (row: object) =>
    `${columns.map((name) => formatCsvCell(Reflect.get(row, name))).join()}\r\n`;
  let offset = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${columns.join()}\r\n`)),
    async pull(controller) {
      const rows = await readRows(DOWNLOAD_BATCH, offset);
      offset += DOWNLOAD_BATCH;
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(write).join("")));
      if (rows.length < DOWNLOAD_BATCH) controller.close();
    },
  }, { highWaterMark: 0 });
}

/** Renders the number of rows for each value of a filter, with links to them. */
function renderFacets(
  { words, source }: PageContext,
  name: ListName,
  query: ListQuery,
  facets: readonly FacetCount[],
): Markup {
  const formatName = ({ filter, value }: FacetCount) =>
    filter === "token"
      ? words.token(value).text
      : filter === "solver"
      ? source.solverName(value) ?? shortenHex(value)
      : filter === "owner"
      ? shortenHex(value)
      : nameChoice(filter, value);
  const lines = [...Map.groupBy(facets, ({ filter }) => filter)].map(([filter, counts]) =>
    html`<li>${capitalize(filter)}: ${
      counts.map((count, index) => {
        const filters = { ...query.filters, [filter]: count.value };
        const link = formatListQuery({ ...query, filters, page: 1 });
        const text = formatName(count);
        return html`${index === 0 ? "" : ", "}${
          renderLink(source, `/${name}${link}`, text) ?? text
        } ${String(count.rows)}`;
      })
    }</li>`
  );
  return html`
    <nav class="facets" aria-label="Most frequent values">
      <ul>${lines}</ul>
    </nav>
  `;
}

/** The filters of a list as a form, which works without a script; nothing where none can be used. */
function renderFilters(
  { source, verdictOf }: PageContext,
  name: ListName,
  { filters, sort }: ListQuery,
): Markup | null {
  if (source.toHref(`/${name}?sort=`) === null) return null;
  const fields = listFilters(name).filter((field) => field !== "verdict" || verdictOf !== null);
  return html`
    <form class="filters" method="get" action="${source.toHref(`/${name}`)}" aria-label="Filters">
    ${fields.map((field) => {
      const choices = field === "status"
        ? ORDER_STATUSES
        : field === "verdict"
        ? VERDICT_CLASSES
        : null;
      const value = filters[field] ?? "";
      const isTime = field === "from" || field === "to";
      const hint = isTime ? "2026-11-21T15:00" : "";
      return html`<label>${isTime ? `${capitalize(field)} (UTC)` : capitalize(field)} ${
        choices === null
          ? html`
            <input name="${field}" value="${value}" placeholder="${hint}" maxlength="200"
              autocomplete="off">
          `
          : renderSelect(field, choices, value)
      }</label>`;
    })}
    <label>Sort <select name="sort"><option value="">Newest first</option>${listSorts(name).map((
      option,
    ) =>
      option === sort
        ? html`<option value="${option}" selected>${formatSort(option)}</option>`
        : html`<option value="${option}">${formatSort(option)}</option>`
    )}</select></label>
    <button type="submit">Filter</button> ${renderLink(source, `/${name}`, "Clear")}
    </form>
  `;
}

function renderSelect(name: string, choices: readonly string[], value: string): Markup {
  const options = value === "" || choices.includes(value) ? choices : [value, ...choices];
  return html`<select name="${name}"><option value="">any</option>${
    options.map((choice) =>
      choice === value
        ? html`<option value="${choice}" selected>${nameChoice(name, choice)}</option>`
        : html`<option value="${choice}">${nameChoice(name, choice)}</option>`
    )
  }</select>`;
}

/** Names the value of a filter as pages do. */
function nameChoice(filter: string, value: string): string {
  return filter === "status"
    ? toStatusCell(value).text
    : filter === "verdict"
    ? nameVerdict(value)
    : value;
}

/** Describes the sort order of a list in words. */
function formatSort(sort: string): string {
  if (sort === "") return "Newest first";
  const words = sort.replace("-", "").replaceAll("_", " ").replace(/ sec$/, "");
  return `By ${words}, ${sort.startsWith("-") ? "descending" : "ascending"}`;
}

function capitalize(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** Links to the pages beside this one, and to the same rows as files. */
function renderPager(
  source: PageSource,
  name: ListName,
  { query, pages, rows }: {
    readonly query: ListQuery;
    readonly pages: number;
    readonly rows: number;
  },
): Markup {
  const { page } = query;
  const linkTo = (page: number, text: string, rel?: string) =>
    renderLink(source, `/${name}${formatListQuery({ ...query, page })}`, text, {
      ...rel !== undefined && { rel },
    });
  const files = formatListQuery({ ...query, page: 1 });
  return html`
    <nav class="pager" aria-label="Pages">
    ${page > 1
      ? html`${linkTo(1, "First")} ${linkTo(Math.min(page - 1, pages), "← Previous", "prev")}`
      : ""}
    <span>Page ${String(page)} of ${String(pages)}</span>
    ${page < pages ? html`${linkTo(page + 1, "Next →", "next")} ${linkTo(pages, "Last")}` : ""}
    ${renderLink(source, `/${name}.csv${files}`, `${pluralize(rows, "row")} as CSV`, {
      isFile: true,
    })}
    ${renderLink(source, `/${name}.json${formatListQuery(query)}`, "This page as JSON")}
    </nav>
  `;
}
