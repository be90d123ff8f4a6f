import { html as markup, raw } from "hono/html";
import { MOST_SHOWN, reportMarkup } from "./html_report.ts";
import {
  byteLength,
  explorerLinks,
  type LinkOf,
  type PageContent,
  PageRoom,
  reportJson,
  safeText,
} from "./page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";

/** Bytes of a page at most, and of its pictures, tables and documents together. */
const ROOM = { bytes: 300_000, shown: MOST_SHOWN };

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
 * A report as one HTML file, of at most 300,000 bytes by default, that loads nothing and runs nothing.
 *
 * Every text is escaped by the template, and characters that turn the direction of writing are shown
 * as their escapes. The policy in its head forbids scripts, frames, forms and requests, whatever a
 * text holds. What is too long is cut, and the page says what was cut.
 *
 * @param linkOf Where names lead. @default {the explorers of the report's network}
 */
export function htmlPage(
  page: PageContent,
  { linkOf = explorerLinks(page.network), most = ROOM }: {
    readonly linkOf?: LinkOf;
    readonly most?: typeof ROOM;
  } = {},
): string {
  const room = new PageRoom(most.shown);
  const title = safeText(`${page.title}: ${page.sentence}`, 300);
  const body = String(reportMarkup(page, { linkOf, room, top: 1, prefix: "" }));
  const left = most.bytes - HEAD_BYTES - FRAME - byteLength(body);
  const { json, note } = embeddedJson(page.data, left);
  return `${HEAD}${markup`<title>${title}</title>
</head>
<body class="${ROOT_CLASS}">
<main>
${raw(body)}<footer>
<p>Made with Orderlens. Make it again: <code>${safeText(page.command, 600)}</code></p>
<p>${note}</p>
</footer>
</main>
${json === null ? "" : raw(`<script type="application/json" id="data">${json}</script>\n`)}</body>
</html>
`}`;
}

/** Characters of a text in shortened data. */
const MOST = 500;

/** The data whole if there is room for it, otherwise with its long texts cut, otherwise not at all. */
function embeddedJson(data: unknown, bytes: number): { json: string | null; note: string } {
  const whole = reportJson(data, 0);
  const json = whole.length > bytes ? null : harmless(whole);
  if (json !== null && byteLength(json) <= bytes) {
    return { json, note: "The data is in this file, as JSON." };
  }
  const all = "The command above gives all of it with --json.";
  const cut = harmless(JSON.stringify(JSON.parse(whole, shorter)));
  return byteLength(cut) <= bytes
    ? { json: cut, note: `The data is in this file, as JSON, with long texts cut. ${all}` }
    : { json: null, note: `The data is too long for this file. ${all}` };
}

function shorter(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > MOST ? safeText(value, MOST) : value;
}

const HARMFUL = /[<\u2028\u2029\p{Bidi_Control}]/gu;

function harmless(json: string): string {
  return json.replace(
    HARMFUL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
