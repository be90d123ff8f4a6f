import { explorerUrl } from "../../networks/explorer_url.ts";
import type { NetworkName } from "../../networks/network.ts";
import { isNetworkName } from "../../networks/parse_network_name.ts";
import { PAGE_STYLE } from "./page_style.ts";
import type { Cell, CellSubject, Fact, PageContent, ReportTable, Section } from "./page_content.ts";
import { html, type Markup, raw } from "./markup.ts";
import { reportJson } from "./report_json.ts";

/** A link to what a cell names; `null` where there is none. */
export type LinkOf = (subject: CellSubject) => string | null;

/** Rows of a table that are shown before the rest is folded. */
const ROWS_SHOWN = 60;

/** What surrounds a page where it is one of several, such as those of a server. */
export interface HtmlPageOptions {
  /** Where names lead. @default {the explorers of the report's network} */
  readonly linkOf?: LinkOf | undefined;
  /** Markup above the page. @default {none} */
  readonly header?: Markup | undefined;
  /** Markup between the head of the page and its sections. @default {none} */
  readonly intro?: Markup | undefined;
  /** Markup below the sections; a script needs a policy that allows it. @default {none} */
  readonly outro?: Markup | undefined;
  /** Style beside that of pages. @default {none} */
  readonly style?: string | undefined;
  /** Content security policy of the page. @default {nothing is loaded, run or sent} */
  readonly policy?: string | undefined;
}

/**
 * A report as one HTML file that loads nothing and runs nothing.
 *
 * Every text is escaped by the template. The policy in its head forbids scripts, frames, forms and
 * requests, whatever a text holds.
 */
export function htmlPage(page: PageContent, options: HtmlPageOptions = {}): string {
  const { title, sentence, facts, sections, command, data, tone } = page;
  const { linkOf = explorerLinks(page.network), header, intro, outro, style } = options;
  return String(html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${options.policy ?? POLICY}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>${`${title}: ${sentence}`}</title>
        <style>${raw(PAGE_STYLE + (style ?? ""))}</style>
      </head>
      <body>
        ${header ?? ""}
        <main id="content">
    <header class="tone-${tone}">
    <p class="kind">${title}</p>
    <h1>${sentence}</h1>
    ${factList(facts, linkOf)}
    </header>
    ${intro ?? ""}
    <nav aria-label="Parts of this page">${sections.map(({ id, title }) =>
      html`
        <a href="#${id}">${title}</a>
      `
    )}</nav>
    ${sections.map((section) => sectionMarkup(section, linkOf))}
    ${outro ?? ""}
    <footer>
    <p>Made with Orderlens. Make it again: <code>${command}</code></p>
    </footer>
        </main>
        <script type="application/json" id="data">${raw(embedded(data))}</script>
      </body>
    </html>
  `);
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'none'";

/** JSON that cannot end its element. */
function embedded(data: unknown): string {
  return reportJson(data, 0).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function sectionMarkup(section: Section, linkOf: LinkOf): Markup {
  const { id, title, note, facts, table, chart, raw: text } = section;
  return html`
    <section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${note === undefined ? "" : html`<p>${note}</p>`}
    ${facts === undefined ? "" : factList(facts, linkOf)}
    ${chart === undefined ? "" : html`<figure>${raw(chart.svg)}</figure>`}
    ${table === undefined ? "" : tableMarkup(table, { title, linkOf })}
    ${text === undefined ? "" : html`
      <details>
        <summary>As it was sent</summary>
        <pre>${text}</pre>
      </details>
    `}
    </section>
  `;
}

function factList(facts: readonly Fact[], linkOf: LinkOf): Markup {
  return html`<dl>${
    facts.map(({ name, value }) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd>${cellMarkup(value, linkOf)}</dd>
        </div>
      `
    )
  }</dl>`;
}

function tableMarkup(
  { columns, rows }: ReportTable,
  { title, linkOf }: { readonly title: string; readonly linkOf: LinkOf },
): Markup {
  const rowMarkup = (row: readonly Cell[]) =>
    html`<tr>${
      row.map((cell, at) =>
        html`<td class="${columns[at]?.isNumber === true ? "number" : ""}">${
          cellMarkup(cell, linkOf)
        }</td>`
      )
    }</tr>`;
  const head = html`
    <thead>
      <tr>${columns.map(({ name, isNumber }) =>
        html`<th scope="col" class="${isNumber === true ? "number" : ""}">${name}</th>`
      )}</tr>
    </thead>
  `;
  const table = (some: typeof rows) =>
    html`
      <div class="scroll" role="region" tabindex="0" aria-label="${title}">
        <table>${head}<tbody>${some.map(rowMarkup)}</tbody></table>
      </div>
    `;
  if (rows.length <= ROWS_SHOWN) return table(rows);
  const rest = rows.slice(ROWS_SHOWN);
  return html`${table(rows.slice(0, ROWS_SHOWN))}
<details><summary>${String(rest.length)} more rows</summary>${table(rest)}</details>`;
}

function cellMarkup({ text, exact, subject, tone }: Cell, linkOf: LinkOf): Markup {
  const kind = tone === undefined ? "" : ` tone-${tone}`;
  const isHex = exact !== undefined && text.includes("…") && exact.startsWith("0x");
  // The whole text is in the page: style shortens it, so that a copy has all of it.
  const shown = isHex
    ? html`<span class="hex${kind}" title="${exact}"><span>${exact.slice(0, -4)}</span>${
      exact.slice(-4)
    }</span>`
    : html`<span class="${kind.trim()}" title="${exact ?? ""}">${text}</span>`;
  const href = subject === undefined ? null : linkOf(subject);
  return href === null ? shown : html`<a href="${href}" rel="noreferrer">${shown}</a>`;
}

/** Links to the explorers of a public network; none for other deployments. */
export function explorerLinks(network: string | null): LinkOf {
  if (network === null || !isNetworkName(network)) return () => null;
  return (subject) => explorerLink(network, subject);
}

function explorerLink(network: NetworkName, subject: CellSubject): string | null {
  if ("auction" in subject) return null;
  if ("solver" in subject) return explorerUrl(network, { account: subject.solver });
  return explorerUrl(network, subject);
}
