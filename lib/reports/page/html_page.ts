import { html as markup, raw } from "hono/html";
import type { Markup } from "./html_cell.ts";
import { MOST_SHOWN, reportMarkup } from "./html_report.ts";
import type { PageContent } from "./page_content.ts";
import { explorerLinks, type LinkOf } from "./page_links.ts";
import { byteLength, PageRoom } from "./page_room.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { embeddedJson } from "./embedded_json.ts";
import { safeText } from "./safe_text.ts";

/** Bytes of a page at most. */
const MOST_BYTES = 300_000;
/** Bytes that the frame of a page takes at most, beside its style. */
const FRAME = 12_000;
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

function originalLink({ subject }: PageContent, linkOf: LinkOf): Markup | "" {
  const href = linkOf(subject);
  if (href === null) return "";
  const host = /^https:\/\/([^/]+)\//.exec(href)?.[1] ?? "the explorer";
  return markup`<p><a href="${href}" rel="noreferrer">The same at ${host}</a></p>\n`;
}
