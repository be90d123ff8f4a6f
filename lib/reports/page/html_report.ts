import { html as markup, raw } from "hono/html";
import { cellMarkup, factList, type Markup } from "./html_cell.ts";
import {
  type Cell,
  explorerLinks,
  type LinkOf,
  type PageContent,
  type PageRoom,
  type ReportTable,
  safeText,
  type Section,
} from "./page_content.ts";
import { PICTURE_CLASS } from "./page_style.ts";

/** Bytes of pictures, tables and documents of a report together. */
export const MOST_SHOWN = 190_000;

/** Characters of a sentence, and of a document, that are shown. */
const MOST = { sentence: 1_200, document: 20_000 };

/** What a report is drawn with. */
interface ReportFrame {
  /** What the page has room for. */
  readonly room: PageRoom;
  /** Where names lead. @default {the explorers of the report's network} */
  readonly linkOf?: LinkOf;
  /** Before the names of its sections, of a part of another page. @default {it is a page} */
  readonly prefix?: string;
  /** Markup between its facts and its parts. @default {none} */
  readonly intro?: Markup | undefined;
}

/** A report: its answer, its facts, and its parts with their headings. */
export function reportMarkup(
  page: PageContent,
  { room, linkOf = explorerLinks(page.network), prefix = "", intro }: ReportFrame,
): Markup {
  const { title, label, lead, sentence, next, facts, sections, tone } = page;
  const isPage = prefix === "";
  const frame = { room, linkOf, prefix, top: isPage ? 1 : 3 };
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  const line = lead?.map((cell) => markup`${cellMarkup(cell, linkOf)} `);
  return markup`<header class="tone-${tone}">
<p class="kind">${safeText(title, 200)} ${label === undefined ? "" : cellMarkup(label, linkOf)}</p>
${line === undefined ? "" : markup`<p class="lead">${line}</p>\n`}${
    heading(frame.top, safeText(sentence, MOST.sentence))
  }
${next === undefined ? "" : nextMarkup(next)}${factList(facts, { room, linkOf, own: page.subject })}
${elsewhere(page)}</header>
${intro ?? ""}${
    isPage ? markup`<nav aria-label="Parts of this page"><ul>${links}</ul></nav>\n` : ""
  }${sections.map((section) => sectionMarkup(section, frame))}`;
}

function nextMarkup(next: readonly string[]): Markup {
  const steps = next.map((text) => {
    // What is between backticks is at the odd places.
    const parts = safeText(text, MOST.sentence).split("`");
    return markup`<li>${
      parts.map((part, at) => at % 2 === 0 ? part : markup`<code>${part}</code>`)
    }</li>`;
  });
  return markup`<div class="next"><p class="kind">What to do next</p><ul>${steps}</ul></div>\n`;
}

/** A link to the explorer of the network, wherever the page itself leads. */
function elsewhere({ subject, network }: PageContent): Markup | "" {
  const href = subject === undefined ? null : explorerLinks(network)(subject);
  const [, host] = /^https:\/\/([^/]+)\//.exec(href ?? "") ?? [];
  return host === undefined
    ? ""
    : markup`<p><a href="${href}" rel="noreferrer">The same at ${host}</a></p>\n`;
}

function heading(level: number, text: string, id?: string): Markup {
  const name = id === undefined ? "" : markup` id="${id}"`;
  return markup`<${raw(`h${level}`)}${name}>${text}</${raw(`h${level}`)}>`;
}

function sectionMarkup(
  section: Section,
  { linkOf, room, top, prefix }: Required<Omit<ReportFrame, "intro">> & { readonly top: number },
): Markup {
  const { title, note, facts, table, chart } = section;
  const id = `${prefix}${section.id}`;
  const picture = chart === undefined
    ? ""
    : !room.take(chart.svg + chart.narrow)
    ? markup`<p>Its picture is left out of this page: it is too long.</p>`
    : markup`<figure class="${PICTURE_CLASS} at-wide">${raw(chart.svg)}</figure>
<figure class="${PICTURE_CLASS} at-narrow">${raw(chart.narrow)}</figure>
`;
  return markup`<section id="${id}" aria-labelledby="${id}-title">
${heading(top + 1, title, `${id}-title`)}
${note === undefined ? "" : markup`<p>${safeText(note, MOST.sentence)}</p>\n`}${
    facts === undefined ? "" : factList(facts, { linkOf, room })
  }${picture}${table === undefined ? "" : tableMarkup(table, { title, linkOf, room })}${
    section.raw === undefined ? "" : documentMarkup(section.raw, room)
  }</section>
`;
}

/** A document as it was sent, with what is too long for a page cut. */
function documentMarkup(text: string, room: PageRoom): Markup | "" {
  // Escaping makes one character six bytes at most.
  const most = Math.min(MOST.document, Math.floor(room.left / 6));
  const shown = markup`<details>
<summary>As it was sent</summary>
<pre tabindex="0">${safeText(text, most, { hasLines: true })}</pre>
</details>`;
  return room.take(String(shown)) ? shown : "";
}

/** What a table is drawn with. */
interface TableFrame {
  /** Its caption. */
  readonly title: string;
  /** Where names lead. */
  readonly linkOf: LinkOf;
  /** What the page has room for. */
  readonly room: PageRoom;
}

/** Rows that are shown before the rest is folded. */
const ROWS_SHOWN = 60;

/** As many minor rows in a row are folded at least. */
const RUN = 3;

/** From so many characters on, a column has a line of its own on narrow pages. */
const WIDE = 24;

type Column = ReturnType<typeof columnsOf>[number];

/** A table without its empty columns; runs of minor rows, and the rows of a long one, are folded. */
function tableMarkup(table: ReportTable, frame: TableFrame): Markup {
  const columns = columnsOf(table);
  const isTitled = table.columns[0]?.name === "";
  const { title, linkOf, room } = frame;
  const lines: string[] = [];
  for (const row of table.rows) {
    const line = String(rowMarkup(row, { columns, isTitled, linkOf }));
    if (!room.take(line)) break;
    lines.push(line);
  }
  const head = String(headMarkup(columns));
  const part = (body: string, name: string) =>
    markup`<div class="scroll" role="group" tabindex="0" aria-label="Table: ${name}"><table><caption>${name}</caption>${
      raw(head)
    }<tbody>${raw(body)}</tbody></table></div>`;
  const folded = foldedRuns(lines, table, (body, name) => part(body, `${title}, ${name}`));
  const rest = folded.slice(ROWS_SHOWN);
  const left = table.rows.length - lines.length;
  return markup`${part(folded.slice(0, ROWS_SHOWN).join(""), title)}${
    rest.length === 0
      ? ""
      : markup`<details><summary>${rest.length} more rows</summary>${
        part(rest.join(""), `${title}, continued`)
      }</details>`
  }${left === 0 ? "" : markup`<p>${left} more rows are left out of this page.</p>`}`;
}

/** Columns that say something, with the classes of their cells. */
function columnsOf({ columns, rows }: ReportTable) {
  return columns.flatMap(({ name, isNumber, isMinor }, at) => {
    let longest = 0;
    for (const row of rows) {
      const text = row[at]?.text ?? "–";
      if (text !== "–") longest = Math.max(longest, text.length);
    }
    if (longest === 0) return [];
    const kinds = [
      isNumber === true && "number",
      isMinor === true && "minor",
      longest >= WIDE && (isNumber === true ? "long" : "wide"),
    ].filter((kind) => kind !== false);
    return { at, name, kind: kinds.join(" ") };
  });
}

function headMarkup(columns: readonly Column[]): Markup {
  const heads = columns.map(({ name, kind }) =>
    name === "" ? markup`<td></td>` : markup`<th scope="col"${classOf(kind)}>${name}</th>`
  );
  return markup`<thead><tr>${heads}</tr></thead>`;
}

function rowMarkup(
  row: readonly Cell[],
  { columns, isTitled, linkOf }: {
    readonly columns: readonly Column[];
    readonly isTitled: boolean;
    readonly linkOf: LinkOf;
  },
): Markup {
  const cells = columns.map(({ at, name, kind }, place) => {
    const cell = row[at];
    if (cell === undefined || cell.text === "–" && cell.exact === undefined) {
      return markup`<td class="none ${kind}">–</td>`;
    }
    const shown = cellMarkup(cell, linkOf);
    return isTitled && place === 0
      ? markup`<th scope="row" class="wide">${shown}</th>`
      : markup`<td${classOf(kind)} data-name="${name}">${shown}</td>`;
  });
  return markup`<tr>${cells}</tr>`;
}

function classOf(kind: string): Markup | "" {
  return kind === "" ? "" : markup` class="${kind}"`;
}

/** Rows with every run of minor ones, after its first, folded into one. */
function foldedRuns(
  lines: readonly string[],
  { minor, columns }: ReportTable,
  part: (body: string, name: string) => Markup,
): string[] {
  if (minor === undefined) return [...lines];
  const rows: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    rows.push(lines[at]!);
    if (!minor.rows.has(at)) continue;
    let end = at + 1;
    while (end < lines.length && minor.rows.has(end)) end++;
    const run = lines.slice(at + 1, end);
    if (run.length < RUN) continue;
    const name = `${run.length} more ${minor.name}`;
    rows.push(String(
      markup`<tr class="folded"><td colspan="${columns.length}"><details><summary>${name}</summary>${
        part(run.join(""), name)
      }</details></td></tr>`,
    ));
    at = end - 1;
  }
  return rows;
}
