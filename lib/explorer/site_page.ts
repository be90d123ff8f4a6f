import {
  HttpError,
  InputError,
  NotFoundError,
  NotRecordedError,
  OrderlensError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from "../errors/mod.ts";
import { COPY_SCRIPT, html, type Markup, raw } from "../reports/page/html_cell.ts";
import { renderReport } from "../reports/page/html_report.ts";
import {
  cell,
  type CellSubject,
  countBytes,
  type PageContent,
  PageRoom,
  sanitizeText,
  toFacts,
} from "../reports/page/page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "../reports/page/page_style.ts";
import {
  buildPolicy,
  createContent,
  type Failure,
  FailureError,
  FOLDER_POLICY,
  type Reply,
  toHtmlReply,
} from "./reply.ts";
import { type PageSource, renderLink } from "./page_source.ts";
import { toPath } from "./row_cells.ts";

/** Parts of an explorer page beside its content. */
interface SitePageOptions {
  /** The source that is shown. */
  readonly source: PageSource;
  /** The search text. @default {nothing} */
  readonly searched?: string;
  /** Whether the page updates itself, below what its order is doing. @default {it does not} */
  readonly state?: Markup;
  /** Markup between the head of the page and its sections. @default {none} */
  readonly intro?: Markup | undefined;
  /** Markup below the sections. @default {none} */
  readonly outro?: Markup;
  /** Path of the same as JSON. @default {none} */
  readonly data?: string;
  /** Source of the page's own script, for its policy. @default {it has none} */
  readonly script?: string | undefined;
}

/** Bytes of what a page shows. */
const MAX_CONTENT_BYTES = 260_000;

/** A page with the head of the explorer above it; its links stay inside. */
export function renderSitePage(page: PageContent, options: SitePageOptions): string {
  const { source, searched = "", state, intro, outro, script, data } = options;
  const content = source.adaptPage(page);
  const title = sanitizeText(`${content.title}: ${content.sentence}`, 300);
  const frame = {
    toLink: (subject: CellSubject) => source.toHref(toPath(subject)),
    room: new PageRoom(MAX_CONTENT_BYTES - countBytes(`${intro ?? ""}${outro ?? ""}`)),
    state,
    intro,
  };
  const { files } = source;
  const policy = files === null ? buildPolicy(script) : FOLDER_POLICY;
  const style = files === null
    ? html`<style>${raw(STYLE)}</style>`
    : html`<link rel="stylesheet" href="${files.add("site.css", STYLE)}">`;
  const copyScript = files === null
    ? html`<script>${raw(COPY_SCRIPT)}</script>`
    : html`<script src="${files.add("copy.js", COPY_SCRIPT)}"></script>`;
  const json = data === undefined ? null : renderLink(source, data, "View as JSON");
  return String(html`
    <!doctype html>
    <html lang="en">
      <head>
    <meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
    ${raw(HEAD)}${style}
    <title>${title}</title>
      </head>
      <body class="${ROOT_CLASS}">
    ${renderHeader(source, searched)}<main id="content">
    ${renderReport(content, frame)}${outro ?? ""}<footer>
    <p>Made with Orderlens. Elsewhere: <code>${sanitizeText(content.command, 600)}</code></p>
    ${json === null ? "" : html`<p>${json}</p>`}${files?.foot ?? ""}
    </footer>
    </main>
    ${copyScript}
      </body>
    </html>
  `);
}

/** Pages of the head, with the names of their links. */
const HEAD_PAGES: readonly (readonly [path: string, name: string])[] = [
  ["/orders", "Orders"],
  ["/auctions", "Auctions"],
  ["/trades", "Trades"],
  ["/solvers", "Solvers"],
  ["/pairs", "Pairs"],
  ["/tokens", "Tokens"],
  ["/live", "Live"],
  ["/sql", "SQL"],
  ["/dataset", "Data"],
];

function renderHeader(source: PageSource, searched: string): Markup {
  const links = HEAD_PAGES.map(([path, name]) => renderLink(source, path, name))
    .filter((link) => link !== null);
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <header class="site">
      <nav aria-label="Explorer">
        <ul>
          <li><a href="${source.toHref(
            "/",
          )}" class="home">Orderlens</a> <span class="source">${source
            .name}</span></li>
          ${links.map((link) => html`<li>${link}</li>`)}
        </ul>
      </nav>
      <form role="search" action="${source.toHref("/search")}" method="get">
        <label for="q">Search</label>
        <input id="q" name="q" type="search" accesskey="s" value="${searched}" maxlength="500"
          autocomplete="off" autocapitalize="off" spellcheck="false"
          placeholder="UID, transaction, auction, account, solver or token">
        <button type="submit">Go</button>
      </form>
    </header>
  `;
}

const SITE_STYLE = `
.${ROOT_CLASS} {
  & .skip { position: absolute; left: -100rem; padding: .5rem 1rem; background: var(--paper); }
  & .skip:focus { left: 0; top: 0; z-index: 1; }
  & header.site { border: 0; border-bottom: 1px solid var(--line); background: var(--panel); padding: .5rem 1rem; }
  & header.site > * { max-width: 74rem; margin: 0 auto; }
  & header.site ul { margin: 0 0 .5rem; }
  & header.site .home { font-weight: 700; }
  & header.site .source { color: var(--soft); }
  & form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
  & header.site form { align-items: center; }
  & header.site input { flex: 1 1 12rem; }
  & form.filters { margin: .5rem 0 1.5rem; }
  & form.filters label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); flex: 1 1 9rem; min-width: 0; }
  & .sql { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem 2rem; margin: 1rem 0; }
  & .sql aside { max-height: 26rem; overflow: auto; border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .8rem; }
  & .sql aside:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  & .sql dl { display: block; font-size: .85rem; }
  & .sql dt { font-family: ui-monospace, monospace; color: var(--ink); margin-top: .3rem; overflow-wrap: anywhere; }
  & .sql dd { color: var(--soft); }
  & form.query { align-content: start; align-items: center; }
  & form.query > :is(textarea, p, ul, label[for]) { flex: 1 1 100%; margin: 0; }
  & form.query > :is(p, label) { color: var(--soft); font-size: .85rem; }
  & textarea { font: .9rem/1.45 ui-monospace, monospace; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .3rem; padding: .5rem; resize: vertical; min-width: 0; }
  & .examples { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; font-size: .9rem; }
  & .problem { border-left: .3rem solid var(--bad); overflow-x: auto; }
  & :is(input, select, button:not(.copy)):not(.orderlens-explore *) {
    font: inherit; font-size: 1rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft);
    border-radius: .3rem; padding: .3rem .5rem; min-width: 0; max-width: 100%; height: 2.3rem;
  }
  & :is(input, select, textarea):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  & main > nav:has(li:only-child) { display: none; }
  & .facets ul { padding: 0; list-style: none; font-size: .9rem; }
  & .pager { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0; }
  @media print { & :is(header.site, form, .sql, .pager, .skip, #state) { display: none; } }
}
@container ${ROOT_CLASS} (width >= 40rem) { .${ROOT_CLASS} td:has(> .copy) { white-space: nowrap; } }
@container ${ROOT_CLASS} (width < 48rem) { .${ROOT_CLASS} .sql { grid-template-columns: minmax(0, 1fr); } }
`;

const STYLE = `${PAGE_STYLE}${SITE_STYLE}`;

const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
`;

/** The page about a failure. */
export function renderFailure(failure: Failure, source: PageSource): Reply {
  const { status, what: sentence, why: reason, remedy } = failure;
  const content = createContent({
    title: String(status),
    sentence: sentence,
    tone: status < 500 ? "warning" : "bad",
    facts: toFacts({
      Why: reason === undefined ? null : cell(reason),
      "What to do": cell(remedy),
    }),
    sections: [],
    data: failure,
  });
  return toHtmlReply(renderSitePage(content, { source }), { status });
}

/** Converts an error of the source to the failure that a page shows. Its errors show no secrets. */
export function toFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof OrderlensError)) return INTERNAL_ERROR;
  const [sentence = "", ...facts] = error.message.split("\nFix: ", 1)[0]!.split("\n");
  const reason = facts.map((line) => line.trim()).join("; ");
  return {
    status: chooseStatus(error),
    what: sentence,
    ...reason !== "" && { why: reason },
    remedy: error.remedy,
  };
}

function chooseStatus(error: OrderlensError): number {
  if (error instanceof InputError) return 400;
  if (error instanceof NotFoundError || error instanceof NotRecordedError) return 404;
  const isBusy = error instanceof RateLimitedError || error instanceof UnavailableError ||
    error instanceof TimeoutError || error instanceof HttpError && error.status === 503;
  return isBusy ? 503 : 502;
}

const INTERNAL_ERROR: Failure = {
  status: 500,
  what: "This page could not be rendered",
  why: "The explorer has a bug, and keeps running",
  remedy: "Report the address of this page and the version of Orderlens",
};
