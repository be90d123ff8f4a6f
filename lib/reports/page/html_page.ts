import { html as markup, raw } from "hono/html";
import { factList, type Markup } from "./html_cell.ts";
import { tableMarkup } from "./html_table.ts";
import type { PageContent, Section } from "./page_content.ts";
import { explorerLinks, type LinkOf } from "./page_links.ts";
import { byteLength, PageRoom } from "./page_room.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { embeddedJson } from "./embedded_json.ts";
import { safeText } from "./safe_text.ts";

/** Bytes of a page at most. */
const MOST_BYTES = 300_000;
/** Bytes of pictures, tables and documents together; the data have the rest. */
const MOST_SHOWN = 190_000;
/** Bytes that the frame of a page takes at most, beside its style. */
const FRAME = 12_000;
/** Characters of a sentence, and of a document, that are shown. */
const MOST = { sentence: 1_200, document: 20_000 };

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'none'";

const HEAD = String(
  markup`<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<style>${raw(PAGE_STYLE)}</style>
`,
);
const HEAD_BYTES = byteLength(HEAD);

/**
 * A report as one HTML file of at most 300,000 bytes that loads nothing and runs nothing.
 *
 * Every text is escaped by the template, and characters that turn the direction of writing are shown
 * as their escapes. The policy in its head forbids scripts, frames, forms and requests, whatever a
 * text holds. What is too long is cut, and the page says what was cut.
 *
 * @param linkOf Where names lead. @default {the explorers of the report's network}
 */
export function htmlPage(page: PageContent, linkOf: LinkOf = explorerLinks(page.network)): string {
  const room = new PageRoom(MOST_SHOWN);
  const title = safeText(`${page.title}: ${page.sentence}`, 300);
  const body = String(reportMarkup(page, { linkOf, room, top: 1, prefix: "" }));
  const left = MOST_BYTES - HEAD_BYTES - FRAME - byteLength(body);
  const { json, note } = embeddedJson(page.data, left);
  return `${HEAD}${markup`<title>${title}</title>
</head>
<body class="${ROOT_CLASS}">
<main>
${raw(body)}<footer>
${originalLink(page, linkOf)}<p>Made with Orderlens. Make it again: <code>${
    safeText(page.command, 600)
  }</code></p>
<p>${note}</p>
</footer>
</main>
${json === null ? "" : raw(`<script type="application/json" id="data">${json}</script>\n`)}</body>
</html>
`}`;
}

/**
 * A report as a part of another page, such as a notebook: in one element whose style is its own.
 */
export function htmlFragment(
  page: PageContent,
  linkOf: LinkOf = explorerLinks(page.network),
): string {
  const room = new PageRoom(MOST_SHOWN);
  const prefix = `report-${"uid" in page.subject ? page.subject.uid.slice(2, 14) : page.title}-`
    .replaceAll(/[^\w-]/g, "-");
  const body = reportMarkup(page, { linkOf, room, top: 3, prefix });
  return `<div class="${ROOT_CLASS} is-part"><style>${PAGE_STYLE}</style>\n${body}</div>`;
}

interface Frame {
  readonly linkOf: LinkOf;
  readonly room: PageRoom;
  /** Level of its heading. */
  readonly top: 1 | 3;
  /** Before the names of its sections. */
  readonly prefix: string;
}

function reportMarkup(page: PageContent, frame: Frame): Markup {
  const { title, sentence, facts, sections, tone } = page;
  const isPage = frame.top === 1;
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<header class="tone-${tone}">
<p class="kind">${safeText(title, 200)}</p>
${heading(frame.top, safeText(sentence, MOST.sentence))}
${factList(facts, frame.linkOf)}
</header>
${isPage ? markup`<nav aria-label="Parts of this page"><ul>${links}</ul></nav>\n` : ""}${
    sections.map((section) => sectionMarkup(section, frame))
  }`;
}

function heading(level: number, text: string, id?: string): Markup {
  const name = id === undefined ? "" : markup` id="${id}"`;
  return markup`<${raw(`h${level}`)}${name}>${text}</${raw(`h${level}`)}>`;
}

function sectionMarkup(section: Section, frame: Frame): Markup {
  const { title, note, facts, table, chart } = section;
  const { linkOf, room, top, prefix } = frame;
  const id = `${prefix}${section.id}`;
  const picture = chart === undefined || !room.take(chart.svg) || !room.take(chart.narrow)
    ? ""
    : markup`<figure class="at-wide">${raw(chart.svg)}</figure>
<figure class="at-narrow">${raw(chart.narrow)}</figure>
`;
  return markup`<section id="${id}" aria-labelledby="${id}-title">
${heading(top + 1, title, `${id}-title`)}
${note === undefined ? "" : markup`<p>${safeText(note, MOST.sentence)}</p>\n`}${
    facts === undefined ? "" : factList(facts, linkOf)
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

function originalLink({ subject }: PageContent, linkOf: LinkOf): Markup | "" {
  const href = linkOf(subject);
  if (href === null) return "";
  const host = /^https:\/\/([^/]+)\//.exec(href)?.[1] ?? "the explorer";
  return markup`<p><a href="${href}" rel="noreferrer">The same at ${host}</a></p>\n`;
}
