import { html as markup, raw } from "hono/html";
import { factList, type Markup } from "./html_cell.ts";
import { tableMarkup } from "./html_table.ts";
import type { PageContent, Section } from "./page_content.ts";
import type { LinkOf } from "./page_links.ts";
import type { PageRoom } from "./page_room.ts";
import { PICTURE_CLASS } from "./page_style.ts";
import { safeText } from "./safe_text.ts";

/** Bytes of pictures, tables and documents of a report together. */
export const MOST_SHOWN = 190_000;
/** Characters of a sentence, and of a document, that are shown. */
const MOST = { sentence: 1_200, document: 20_000 };

/** What a report is drawn with. */
export interface ReportFrame {
  readonly linkOf: LinkOf;
  readonly room: PageRoom;
  /** Level of its heading. */
  readonly top: 1 | 3;
  /** Before the names of its sections. */
  readonly prefix: string;
}

/** A report: its answer, its facts, and its parts with their headings. */
export function reportMarkup(page: PageContent, frame: ReportFrame): Markup {
  const { title, sentence, facts, sections, tone } = page;
  const isPage = frame.top === 1;
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<header class="tone-${tone}">
<p class="kind">${safeText(title, 200)}</p>
${heading(frame.top, safeText(sentence, MOST.sentence))}
${factList(facts, { ...frame, own: page.subject })}
</header>
${isPage ? markup`<nav aria-label="Parts of this page"><ul>${links}</ul></nav>\n` : ""}${
    sections.map((section) => sectionMarkup(section, frame))
  }`;
}

function heading(level: number, text: string, id?: string): Markup {
  const name = id === undefined ? "" : markup` id="${id}"`;
  return markup`<${raw(`h${level}`)}${name}>${text}</${raw(`h${level}`)}>`;
}

function sectionMarkup(section: Section, frame: ReportFrame): Markup {
  const { title, note, facts, table, chart } = section;
  const { linkOf, room, top, prefix } = frame;
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
