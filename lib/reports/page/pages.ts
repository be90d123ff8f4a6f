import { html as markup, raw } from "hono/html";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { AuctionReport } from "../subjects/inspect_auction.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { MAX_CONTENT_BYTES, renderReport } from "./html_report.ts";
import {
  countBytes,
  type PageContent,
  PageRoom,
  reportJson,
  sanitizeText,
} from "./page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { toPageContent } from "./report_content.ts";
import { addOrderCharts } from "./notebook_report.ts";
import { renderTextPage, type TextOptions } from "./text_page.ts";

/** Options of the page of an order. */
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
  const content = toPageContent(report, tokens);
  return renderHtmlPage(charts ? await addOrderCharts(content, report) : content);
}

/**
 * The report of an account as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function accountPage(report: AccountReport, tokens: TokenOptions = {}): string {
  return renderHtmlPage(toPageContent(report, tokens));
}

/**
 * The report of an auction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function auctionPage(report: AuctionReport, tokens: TokenOptions = {}): string {
  return renderHtmlPage(toPageContent(report, tokens));
}

/**
 * The report of a solver as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function solverPage(report: SolverReport, tokens: TokenOptions = {}): string {
  return renderHtmlPage(toPageContent(report, tokens));
}

/**
 * The report of a transaction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function transactionPage(report: TransactionReport, tokens: TokenOptions = {}): string {
  return renderHtmlPage(toPageContent(report, tokens));
}

/**
 * The report of a solver as text for a terminal: wins, settlements and pairs.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function solverText(report: SolverReport, options: TextOptions & TokenOptions = {}): string {
  return renderTextPage(toPageContent(report, options), options);
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
  return renderTextPage(toPageContent(report, options), options);
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
  return renderTextPage(toPageContent(report, options), options);
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
  return renderTextPage(toPageContent(report, options), options);
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
  return renderTextPage(toPageContent(report, options), options);
}

/** Bytes of a page at most, and of its pictures, tables and documents together. */
const PAGE_LIMITS = { bytes: 300_000, shown: MAX_CONTENT_BYTES };

/** Bytes that the frame of a page takes at most, beside its style. */
const FRAME_BYTES = 12_000;

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

const HEAD_BYTES = countBytes(HEAD);

/**
 * A report as one HTML file, of at most 300,000 bytes by default, that loads nothing and runs nothing.
 *
 * Every text is escaped by the template, and characters that turn the direction of writing are shown
 * as their escapes. The policy in its head forbids scripts, frames, forms and requests, whatever a
 * text holds. What is too long is cut, and the page says what was cut.
 *
 * @param limits Bytes of it at most, and of its pictures, tables and documents together.
 */
export function renderHtmlPage(
  page: PageContent,
  limits = PAGE_LIMITS,
): string {
  const room = new PageRoom(limits.shown);
  const title = sanitizeText(`${page.title}: ${page.sentence}`, 300);
  const body = String(renderReport(page, { room }));
  const bytesLeft = limits.bytes - HEAD_BYTES - FRAME_BYTES - countBytes(body);
  const { json, note } = embedJson(page.data, bytesLeft);
  return `${HEAD}${markup`<title>${title}</title>
</head>
<body class="${ROOT_CLASS}">
<main>
${raw(body)}<footer>
<p>Made with Orderlens. Make it again: <code>${sanitizeText(page.command, 600)}</code></p>
<p>${note}</p>
</footer>
</main>
${json === null ? "" : raw(`<script type="application/json" id="data">${json}</script>\n`)}</body>
</html>
`}`;
}

/** Characters of a text in shortened data. */
const MAX_TEXT_LENGTH = 500;

/** The data whole if there is room for it, otherwise with its long texts cut, otherwise not at all. */
function embedJson(data: unknown, bytes: number): { json: string | null; note: string } {
  const text = reportJson(data, 0);
  const json = text.length > bytes ? null : escapeJson(text);
  if (json !== null && countBytes(json) <= bytes) {
    return { json, note: "The data is in this file, as JSON." };
  }
  const hint = "The command above gives all of it with --json.";
  const cut = escapeJson(JSON.stringify(JSON.parse(text, shortenValue)));
  return countBytes(cut) <= bytes
    ? { json: cut, note: `The data is in this file, as JSON, with long texts cut. ${hint}` }
    : { json: null, note: `The data is too long for this file. ${hint}` };
}

function shortenValue(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > MAX_TEXT_LENGTH
    ? sanitizeText(value, MAX_TEXT_LENGTH)
    : value;
}

const UNSAFE_IN_HTML = /[<\u2028\u2029\p{Bidi_Control}]/gu;

function escapeJson(json: string): string {
  return json.replace(
    UNSAFE_IN_HTML,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
