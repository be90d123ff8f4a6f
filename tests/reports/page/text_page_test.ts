import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import * as reports from "orderlens/reports";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { render } from "../../../lib/notebook/mod.ts";
import { renderTextPage } from "../../../lib/reports/page/text_page.ts";
import type { PageContent, ReportColumn } from "../../../lib/reports/page/page_content.ts";
import { filledReport } from "./reports_of_verdicts.ts";
import { cannedBook, filledAnswers, hex, orderBody, uidOf } from "../canned_book.ts";

const WIDTHS = [40, 80, 120];
/** Hex text and commands are never broken, so that they can be copied. */
const COPIED = /0x[0-9a-f]{40,}|^orderlens /;

function tooLong(text: string, width: number): string[] {
  return text.split("\n").filter((line) => line.length > width && !COPIED.test(line));
}

Deno.test("reports as text fit 40, 80 and 120 columns", async () => {
  const recording = await replay("market_3");
  const book = connect(recording);
  const filled = await reports.inspectOrder(book, recording.recorded.orderUids[0]!);
  const auctionId = recording.recorded.auctionIds[5]!;
  const auction = await reports.inspectAuction(book, auctionId);
  const transaction = await reports.inspectTransaction(book, recording.recorded.txHashes[0]!);
  for (const width of WIDTHS) {
    assertEquals(tooLong(reports.orderText(filled, { width }), width), []);
    assertEquals(tooLong(reports.auctionText(auction, { width }), width), []);
    assertEquals(tooLong(reports.transactionText(transaction, { width }), width), []);
  }
});

const BASE: PageContent = {
  title: "Order",
  subject: { auction: 1 },
  sentence: "Filled.",
  tone: "good",
  facts: [],
  sections: [],
  network: null,
  command: "orderlens inspect 1",
  data: null,
};

/** A page with one row of a table. */
function rowAt(width: number, row: readonly [column: ReportColumn, text: string][]): string {
  const table = {
    columns: row.map(([column]) => column),
    rows: [row.map(([, text]) => ({ text }))],
  };
  return renderTextPage({ ...BASE, sections: [{ id: "a", title: "A", table }] }, { width });
}

Deno.test("textPage() breaks paths behind a slash, JSON before a key, and no hex text of a table", () => {
  const path = "data/recorded/market_1.deployment.json";
  const row: [ReportColumn, string][] = [
    [{ name: "Decimals", isNumber: true }, "18"],
    [{ name: "From" }, path],
  ];
  assertMatch(rowAt(40, row), /^ {2} {6}18 {2}data\/recorded\/\n {12}market_1\.deployment\.json$/m);
  const hash = `0x${"ab".repeat(32)}`;
  const words: [ReportColumn, string][] = [
    [{ name: "Why" }, `order ${hash}: it is not known yet`],
    [{ name: "What would show it" }, "Try again"],
  ];
  assertMatch(rowAt(80, words), /^ {2}What would show it {2}Try again$/m);
  const values = { appCode: "a name", metadata: { callData: `${hash}${hash}` }, version: "1.1.0" };
  const raw = JSON.stringify(values);
  const text = renderTextPage({ ...BASE, sections: [{ id: "a", title: "A", raw }] }, { width: 40 });
  const lines = text.split("\n").filter((line) => line.startsWith("  ")).map((line) => line.trim());
  assertEquals(lines.map((line) => line.length), [20, 159, 18]);
  assertEquals(JSON.parse(lines.join("\n")), values);
});

Deno.test("textPage() goes on below with words that do not fit, and never cuts a number", () => {
  const row: [ReportColumn, string][] = [
    [{ name: "Solver" }, "a_solver_with_a_long_name"],
    [{ name: "Buys", isNumber: true }, "1234567890.12345 WETH"],
    [{ name: "What" }, "lost to another solver"],
  ];
  assertStringIncludes(
    rowAt(60, row),
    `  Solver${" ".repeat(29)}Buys  What\n` +
      "  a_solver_with_a_  1234567890.12345 WETH  lost to another\n" +
      `  long_name${" ".repeat(32)}solver`,
  );
  assertStringIncludes(
    rowAt(40, row),
    "  Solver  a_solver_with_a_long_name\n" +
      "  Buys    1234567890.12345 WETH\n" +
      "  What    lost to another solver",
  );
  const order: [ReportColumn, string] = [{ name: "Order" }, "0x12345678…abcdef"];
  assertStringIncludes(rowAt(70, [order, ...row]), "  0x12345678…abcdef  a_solver_wit  1");
  assertStringIncludes(rowAt(66, [order, ...row]), "  Order   0x12345678…abcdef\n");
});

Deno.test("textPage() shows words whole, in any column", () => {
  assertStringIncludes(
    rowAt(50, [
      [{ name: "What" }, "node"],
      [{ name: "Why" }, "The node is of chain 100, the order of chain 1"],
      [{ name: "What would show it" }, "Pass another node"],
    ]),
    "  What  Why                     What would show it\n" +
      "  node  The node is of chain    Pass another node\n" +
      "        100, the order of\n" +
      "        chain 1",
  );
});

const HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202Egnp.exe\u2066\r\n<script>alert(1)</script>";

Deno.test("reports keep other people's words harmless", async () => {
  const fullAppData = JSON.stringify({ appCode: HOSTILE, metadata: {} });
  const uid = uidOf("01");
  const answers = { ...filledAnswers(), [`/api/v1/orders/${uid}`]: orderBody({ fullAppData }) };
  const solvers = new Map([[hex("50", 20), HOSTILE]]);
  const report = await reports.inspectOrder(cannedBook(answers).book, uid, { solvers });
  assertEquals(report.appData?.appCode, HOSTILE);
  for (const width of WIDTHS) {
    const text = reports.orderText(report, { width });
    // Line feeds are of the layout; no other control character is left.
    assert(!/[^\P{Cc}\n]|\p{Bidi_Control}/u.test(text));
    assertEquals(tooLong(text, width), []);
  }
  const page = await reports.orderPage(report, { charts: false });
  assert(!page.includes("<script>alert"));
  assertStringIncludes(page, "Content-Security-Policy");
});

const REPORT = await filledReport();

async function html(value: unknown, options = {}): Promise<string> {
  return String((await render(value, options))["text/html"]);
}

Deno.test("reports say until when an order is valid: validTo, as the chart and the timeline do", async () => {
  const { order, timeline } = REPORT;
  const last = Temporal.Instant.fromEpochMilliseconds(order!.validTo * 1_000);
  const words = String(last).replace("T", " ").replace("Z", " UTC");
  const text = reports.orderText(REPORT, { width: 120 });
  assertMatch(text, new RegExp(`Valid until +${words}`));
  assertMatch(text, new RegExp(`${words} .*Last second of its validity`));
  assertEquals(timeline.find(({ kind }) => kind === "expiry")?.at, last);
  const page = await reports.orderPage(REPORT, { charts: true });
  // The picture has begun that day.
  assertStringIncludes(page, `valid until ${words.slice(11, -4)}`);
});

Deno.test("render() shows a report as its page and its text; a copy too", async () => {
  const bundle = await render(REPORT);
  assertEquals(Object.keys(bundle), ["text/html", "text/plain"]);
  assertEquals(`${bundle["text/plain"]}\n`, reports.orderText(REPORT));
  assertMatch(String(bundle["text/html"]), /^<div class="orderlens-report is-part"><style>/);
  assertStringIncludes(String(bundle["text/html"]), `>${REPORT.uid}</span>`);
  assertEquals(await render({ ...REPORT }), bundle);
});

Deno.test("a report is plain data: showing it adds nothing to it", () => {
  assertEquals(Object.getOwnPropertySymbols(REPORT), []);
  assertEquals(Object.getPrototypeOf(REPORT), Object.prototype);
  assertEquals(JSON.parse(reports.reportJson(REPORT)).schema, "orderlens/inspect@1");
});

Deno.test("render() shows what was parsed from JSON, and other data with a schema, as records", async () => {
  const parsed = JSON.parse(reports.reportJson(REPORT));
  for (const value of [parsed, { schema: "orderlens/inspect@9" }, { schema: "other" }]) {
    assertMatch(await html(value), /^(?:<div[^>]*>)?<table>/);
  }
});

Deno.test("render() takes decimals and symbols of tokens for a report", async () => {
  const [token] = [REPORT.order!.sellToken];
  const shown = await html(REPORT, { symbols: new Map([[token, "GOLD"]]) });
  assertStringIncludes(shown, "1.20898 GOLD");
});

interface Graph {
  readonly roots: readonly string[];
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly isDynamic?: boolean;
      readonly code?: { readonly specifier: string };
    }[];
  }[];
}

/** Modules that importing a file loads at once. */
async function loadedBy(path: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  const { roots, modules }: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set(roots);
  for (const name of loaded) {
    for (const { isDynamic, code } of byName.get(name)?.dependencies ?? []) {
      if (isDynamic !== true && code !== undefined) loaded.add(code.specifier);
    }
  }
  return [...loaded];
}

Deno.test("importing reports loads what writes text, and neither charts nor polars", async () => {
  const loaded = await loadedBy("lib/reports/mod.ts");
  const heavy = /charts\/mod\.ts$|plot|polars|resvg/;
  assertEquals(loaded.filter((name) => heavy.test(name)), []);
  assertEquals(loaded.some((name) => name.endsWith("lib/reports/page/text_page.ts")), true);
});

Deno.test("orderText() names the owner where the receiver is the zero address", async () => {
  const texts = async (receiver: string | null) => {
    const answers = filledAnswers();
    const path = `/api/v1/orders/${uidOf("01")}`;
    const order = { ...Object(answers[path]), receiver };
    const { book } = cannedBook({ ...answers, [path]: order });
    const report = await reports.inspectOrder(book, uidOf("01"));
    return { next: report.next[0]!.text, text: reports.orderText(report) };
  };
  for (const receiver of [null, hex("00", 20), hex("0d", 20)]) {
    const { next, text } = await texts(receiver);
    assertMatch(next, /^Nothing: its owner got 210 atoms/);
    assert(!text.includes("Receiver"));
  }
  const { next, text } = await texts(hex("de", 20));
  assertMatch(next, /^Nothing: its receiver 0x(?:de){20}, not its owner, got 210 atoms/);
  assertMatch(text, /Receiver +0xdedede/);
});

Deno.test("orderText() begins with what of an order is not what was signed", async () => {
  const recording = await replay("market_1");
  const report = await reports.inspectOrder(
    connect(recording),
    recording.recorded.orderUids[0]!,
  );
  const { identity, appData } = report;
  const textOf = (changes: Partial<reports.OrderReport>) =>
    reports.orderText({ ...report, ...changes }).split("\n").slice(0, 9).join(" ");
  assert(!/hash|signed/.test(textOf({})));
  const wrong = { ...identity!, isUidRight: false };
  assertStringIncludes(textOf({ identity: wrong }), "The reported terms do not hash to its UID");
  const forged = { ...identity!, isSignerOwner: false, signer: hex("99", 20) };
  assertStringIncludes(textOf({ identity: forged }), "signed it, not its owner.");
  const replaced = { ...appData!, isHashRight: false };
  assertStringIncludes(textOf({ appData: replaced }), "does not have the hash that was signed.");
});

Deno.test("textPage() takes 200,000 rows", () => {
  const columns: ReportColumn[] = [{ name: "Number", isNumber: true }, { name: "What" }];
  const rows = Array.from(
    { length: 200_000 },
    (_, at) => [{ text: String(at) }, { text: "Ready" }],
  );
  const text = renderTextPage({
    ...BASE,
    sections: [{ id: "a", title: "A", table: { columns, rows } }],
  });
  assertStringIncludes(text, "  199999  Ready\n");
});
