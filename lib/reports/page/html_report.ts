import { html as markup, raw } from "hono/html";
import { type Markup, renderCell, renderFacts, renderWords } from "./html_cell.ts";
import {
  type Cell,
  createExplorerLinks,
  listExplorerPages,
  type PageContent,
  type PageRoom,
  type ReportTable,
  sanitizeText,
  type Section,
  type ToLink,
} from "./page_content.ts";
import { PICTURE_CLASS } from "./page_style.ts";

/** Bytes of pictures, tables and documents of a report together. */
export const MAX_CONTENT_BYTES = 190_000;

/** Characters of a sentence, and of a document, that are shown. */
const MAX_LENGTH = { sentence: 1_200, document: 20_000 };

/** Context of a rendered report. */
interface ReportFrame {
  /** Bytes left on the page. */
  readonly room: PageRoom;
  /** Links of names. @default {the explorers of the report's network} */
  readonly toLink?: ToLink;
  /** Before the names of its sections, of a part of another page. @default {it is a page} */
  readonly prefix?: string;
  /** Whether it updates itself, below what its order is doing. @default {none} */
  readonly state?: Markup | undefined;
  /** Markup between its facts and its parts. @default {none} */
  readonly intro?: Markup | undefined;
}

/** A report: its answer, its facts, and its parts with their headings. */
export function renderReport(
  page: PageContent,
  { room, toLink = createExplorerLinks(page.network), prefix = "", state, intro }: ReportFrame,
): Markup {
  const { title, label, lead, sentence, now, next, facts, sections, tone } = page;
  const isPage = prefix === "";
  const factFrame = { room, toLink, subject: page.subject };
  // Alone, terms are what the page has.
  const hasOutcome = facts.some(({ isTerm }) => isTerm !== true);
  const terms = facts.filter(({ isTerm }) => hasOutcome && isTerm);
  const frame = { room, toLink, prefix, top: isPage ? 1 : 3 };
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  const line = lead?.map((cell) => markup`${renderCell(cell, toLink)} `);
  return markup`<header class="tone-${tone}">
<p class="kind">${sanitizeText(title, 200)} ${
    label === undefined ? "" : renderCell(label, toLink)
  }</p>
${now === undefined ? "" : renderNow(now, toLink)}${state ?? ""}${
    line === undefined ? "" : markup`<p class="lead">${line}</p>\n`
  }${renderHeading(frame.top, sanitizeText(sentence, MAX_LENGTH.sentence))}
${next === undefined ? "" : renderNextSteps(next)}${
    renderFacts(facts.filter((fact) => !terms.includes(fact)), factFrame)
  }${terms.length === 0 ? "" : markup`<div class="terms">${renderFacts(terms, factFrame)}</div>`}
${renderExplorerLinks(page)}</header>
${intro ?? ""}${
    isPage ? markup`<nav aria-label="Parts of this page"><ul>${links}</ul></nav>\n` : ""
  }${renderSections(sections, frame)}`;
}

/** Rows of a table, and characters of a document, that every page has room for. */
const MAX_SHORT = { rows: 12, document: 1_000 };

/** Renders sections in their order; short ones take their room first, so that a long one leaves none of them out. */
function renderSections(
  sections: readonly Section[],
  frame: Parameters<typeof renderSection>[1],
): Markup[] {
  const isShort = ({ chart, table, raw = "" }: Section) =>
    chart === undefined && raw.length <= MAX_SHORT.document &&
    (table?.rows.length ?? 0) <= MAX_SHORT.rows;
  const rendered = new Map<Section, Markup>();
  for (const section of [...sections.filter(isShort), ...sections]) {
    if (!rendered.has(section)) rendered.set(section, renderSection(section, frame));
  }
  return sections.map((section) => rendered.get(section)!);
}

/** Its end has the time left in an element of its own, so that a script may count it down. */
function renderNow(
  { asOf, sentence, end }: NonNullable<PageContent["now"]>,
  toLink: ToLink,
): Markup {
  const time = asOf === null ? "" : markup` <span class="kind">${renderCell(asOf, toLink)}</span>`;
  const { after: left = "", ...value } = end?.value ?? { text: "" };
  const endMarkup = end === null
    ? ""
    : markup` ${end.name} <span class="end">${
      renderCell(value, toLink)
    }</span><span class="left">${left}</span>.`;
  return markup`<p class="now"><strong>Now</strong>${time}<br>${
    renderWords(sanitizeText(sentence, MAX_LENGTH.sentence))
  }${endMarkup}</p>\n`;
}

function renderNextSteps(next: readonly string[]): Markup {
  const steps = next.map((text) =>
    markup`<li>${renderWords(sanitizeText(text, MAX_LENGTH.sentence))}</li>`
  );
  return markup`<div class="next"><p class="kind">What to do next</p><ul>${steps}</ul></div>\n`;
}

/** Links to the explorers of the network, wherever the page itself leads. */
function renderExplorerLinks({ subject, network }: PageContent): Markup | "" {
  const pages = subject === undefined ? [] : listExplorerPages(network, subject);
  const links = pages.map((href) =>
    markup`<a href="${href}" rel="noreferrer">View on ${new URL(href).host}</a> `
  );
  return links.length === 0 ? "" : markup`<p>${links}</p>\n`;
}

function renderHeading(level: number, text: string, id?: string): Markup {
  const name = id === undefined ? "" : markup` id="${id}"`;
  return markup`<${raw(`h${level}`)}${name}>${renderWords(text)}</${raw(`h${level}`)}>`;
}

function renderSection(
  section: Section,
  { toLink, room, top, prefix }: Required<Omit<ReportFrame, "intro" | "state">> & {
    readonly top: number;
  },
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
${renderHeading(top + 1, title, `${id}-title`)}
${
    note === undefined
      ? ""
      : markup`<p>${renderWords(sanitizeText(note, MAX_LENGTH.sentence))}</p>\n`
  }${facts === undefined ? "" : renderFacts(facts, { toLink, room })}${picture}${
    table === undefined ? "" : renderTable(table, { title, toLink, room })
  }${section.raw === undefined ? "" : renderDocument("As it was sent", section.raw, room)}${
    (section.code ?? []).map(({ name, text }) => renderDocument(name, text, room))
  }</section>
`;
}

/** A text as it is, with what is too long for a page cut. */
function renderDocument(name: string, text: string, room: PageRoom): Markup | "" {
  // Escaping makes one character six bytes at most.
  const maxLength = Math.min(MAX_LENGTH.document, Math.floor(room.left / 6));
  const details = markup`<details>
<summary>${name}</summary>
<pre tabindex="0">${sanitizeText(text, maxLength, { hasLines: true })}</pre>
</details>`;
  return room.take(String(details)) ? details : "";
}

/** Context of a rendered table. */
interface TableFrame {
  /** Its caption. */
  readonly title: string;
  /** Links of names. */
  readonly toLink: ToLink;
  /** Bytes left on the page. */
  readonly room: PageRoom;
}

/** Rows that are shown before the rest is folded. */
const MAX_ROWS = 60;

/** As many minor rows in a row are folded at least. */
const MIN_RUN = 3;

/** From so many characters on, a column has a line of its own on narrow pages. */
const MIN_WIDE = 24;

type Column = ReturnType<typeof listColumns>[number];

/** A table without its empty columns; runs of minor rows, and the rows of a long one, are folded. */
function renderTable(table: ReportTable, frame: TableFrame): Markup {
  const columns = listColumns(table);
  const isTitled = table.columns[0]?.name === "";
  const { title, toLink, room } = frame;
  const lines: string[] = [];
  for (const row of table.rows) {
    const line = String(renderRow(row, { columns, isTitled, toLink }));
    if (!room.take(line)) break;
    lines.push(line);
  }
  const head = String(renderHead(columns));
  const renderPart = (body: string, name: string) =>
    markup`<div class="scroll" role="group" tabindex="0" aria-label="Table: ${name}"><table><caption>${name}</caption>${
      raw(head)
    }<tbody>${raw(body)}</tbody></table></div>`;
  const folded = foldRuns(lines, table, (body, name) => renderPart(body, `${title}, ${name}`));
  const foldedRows = folded.slice(MAX_ROWS);
  const [hidden, omitted] = [foldedRows.length, table.rows.length - lines.length]
    .map((count) => count.toLocaleString("en-US"));
  return markup`${renderPart(folded.slice(0, MAX_ROWS).join(""), title)}${
    foldedRows.length === 0
      ? ""
      : markup`<details><summary>${hidden} more rows</summary>${
        renderPart(foldedRows.join(""), `${title}, continued`)
      }</details>`
  }${omitted === "0" ? "" : markup`<p>${omitted} more rows are left out of this page.</p>`}`;
}

/** Columns that say something, with the classes of their cells. */
function listColumns({ columns, rows }: ReportTable) {
  return columns.flatMap(({ name, isNumber, isMinor, isWhole }, index) => {
    let longest = 0;
    for (const row of rows) {
      const text = row[index]?.text ?? "–";
      if (text !== "–") longest = Math.max(longest, text.length);
    }
    if (longest === 0) return [];
    const kinds = [
      isNumber === true && "number",
      isMinor === true && "minor",
      (longest >= MIN_WIDE || isWhole === true) && (isNumber === true ? "long" : "wide"),
    ].filter((kind) => kind !== false);
    return { index, name, kind: kinds.join(" ") };
  });
}

function renderHead(columns: readonly Column[]): Markup {
  const heads = columns.map(({ name, kind }) =>
    name === "" ? markup`<td></td>` : markup`<th scope="col"${renderClass(kind)}>${name}</th>`
  );
  return markup`<thead><tr>${heads}</tr></thead>`;
}

function renderRow(
  row: readonly Cell[],
  { columns, isTitled, toLink }: {
    readonly columns: readonly Column[];
    readonly isTitled: boolean;
    readonly toLink: ToLink;
  },
): Markup {
  const cells = columns.map(({ index, name, kind }, position) => {
    const cell = row[index];
    if (cell === undefined || cell.text === "–" && cell.exact === undefined) {
      return markup`<td class="none ${kind}">–</td>`;
    }
    const content = renderCell(cell, toLink);
    return isTitled && position === 0
      ? markup`<th scope="row" class="wide">${content}</th>`
      : markup`<td${renderClass(kind)} data-name="${name}">${content}</td>`;
  });
  return markup`<tr>${cells}</tr>`;
}

function renderClass(kind: string): Markup | "" {
  return kind === "" ? "" : markup` class="${kind}"`;
}

/** Rows with every run of minor ones, after its first, folded into one. */
function foldRuns(
  lines: readonly string[],
  { minor, columns }: ReportTable,
  renderPart: (body: string, name: string) => Markup,
): string[] {
  if (minor === undefined) return [...lines];
  const rows: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    rows.push(lines[index]!);
    if (!minor.rows.has(index)) continue;
    let end = index + 1;
    while (end < lines.length && minor.rows.has(end)) end++;
    const run = lines.slice(index + 1, end);
    if (run.length < MIN_RUN) continue;
    const name = `${run.length} more ${minor.name}`;
    rows.push(String(
      markup`<tr class="folded"><td colspan="${columns.length}"><details><summary>${name}</summary>${
        renderPart(run.join(""), name)
      }</details></td></tr>`,
    ));
    index = end - 1;
  }
  return rows;
}
