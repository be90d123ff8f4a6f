import { html as markup, raw } from "hono/html";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { AuctionReport } from "../subjects/inspect_auction.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { MOST_SHOWN, reportMarkup } from "./html_report.ts";
import { byteLength, type PageContent, PageRoom, reportJson, safeText } from "./page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { contentOf } from "./report_content.ts";
import { withOrderCharts } from "./shown_report.ts";
import { type TextOptions, textPage } from "./text_page.ts";

/** How a page of a report is made. */
export interface PageOptions extends TokenOptions {
  /** Whether it has pictures, which take most of its time. @default {true} */
  charts?: boolean | undefined;
}

/**
 * The report of an order as one HTML file of at most 300,000 bytes: it loads nothing, runs no script,
 * prints well, and is readable in the dark and on phones. The report is in it as JSON.
 *
 * Texts of other people stay texts. What is too long for a page is cut, which the page says.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Facts about tokens, for amounts in whole tokens, and whether to draw pictures.
 * @returns The text of the file.
 *
 * @example A page of an order, without pictures
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectOrder, orderPage } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectOrder(connect(recording), recording.recorded.orderUids[0]!);
 * const page = await orderPage(report, { charts: false });
 *
 * assertStringIncludes(page, report.uid);
 * ```
 */
export async function orderPage(report: OrderReport, options: PageOptions = {}): Promise<string> {
  const { charts = true, ...tokens } = options;
  const content = contentOf(report, tokens);
  return htmlPage(charts ? await withOrderCharts(content, report) : content);
}

/**
 * The report of an account as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function accountPage(report: AccountReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of an auction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function auctionPage(report: AuctionReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a solver as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function solverPage(report: SolverReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a transaction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function transactionPage(report: TransactionReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a solver as text for a terminal: wins, settlements and pairs.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function solverText(report: SolverReport, options: TextOptions & TokenOptions = {}): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an auction as text for a terminal: solutions, bids, fills with fees, the replay.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function auctionText(
  report: AuctionReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of a transaction as text for a terminal: auction, solver, orders and fees.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function transactionText(
  report: TransactionReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an account as text for a terminal: verdicts of its newest orders.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function accountText(
  report: AccountReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an order as text for a terminal: verdict, timeline, amounts, bids, fees, unknowns.
 *
 * Amounts are in whole tokens where their decimals are known. Control characters in other people's
 * words are replaced.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function orderText(report: OrderReport, options: TextOptions & TokenOptions = {}): string {
  return textPage(contentOf(report, options), options);
}

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
 * @param most Bytes of it at most, and of its pictures, tables and documents together.
 */
export function htmlPage(
  page: PageContent,
  most = ROOM,
): string {
  const room = new PageRoom(most.shown);
  const title = safeText(`${page.title}: ${page.sentence}`, 300);
  const body = String(reportMarkup(page, { room }));
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
