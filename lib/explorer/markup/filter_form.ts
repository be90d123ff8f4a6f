import type { Markup } from "../../reports/page/html_cell.ts";
import { html } from "../../reports/page/markup.ts";
import { type FilterName, FILTERS, type ListName, queryText } from "../lists/list_filters.ts";
import type { ListQuery } from "../lists/list_filters.ts";
import { VERDICT_CLASSES } from "../lists/verdicts.ts";

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
export function filterForm(
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
export function pager(
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
