import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseInstant } from "../../../lib/units/instant.ts";
import {
  orderCharts,
  orderPage,
  type OrderReport,
  orderText,
  type ReportedBid,
  type ReportedFunds,
} from "orderlens/reports";
import { tolerance } from "orderlens/metrics";
import { reportJson } from "../../../lib/reports/page/page_content.ts";
import { renderCell, renderWords } from "../../../lib/reports/page/html_cell.ts";
import { toAgedCell } from "../../../lib/reports/page/order_amounts.ts";
import { buildUnknownSection } from "../../../lib/reports/page/subject_sections.ts";
import {
  formatAge,
  toStatusCell,
  toTimeCell,
  toTransactionCell,
} from "../../../lib/reports/page/cell_formatter.ts";
import { filledReport, KEPT, reportsOf, withTexts } from "./reports_of_verdicts.ts";

const REPORT = await filledReport();
const BYTES = 300_000;

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function plain(options = {}): Promise<string> {
  return orderPage({ ...REPORT, ...options }, { charts: false });
}

/** The data of a page. */
function dataOf(page: string): { uid?: string; appData?: { document: string } } {
  return JSON.parse(/<script type="application\/json" id="data">(.*)<\/script>/.exec(page)![1]!);
}

Deno.test("orderPage() begins with a policy that forbids scripts and requests", async () => {
  const page = await plain();
  assertMatch(
    page,
    /^<!doctype html>\n<html lang="en">\n<head>\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';/,
  );
  assertEquals(/script-src/.test(page), false);
});

/** Whether the times of a report are intervals. */
function timed(basis: "bracketed" | "event"): Partial<OrderReport> {
  return { timeline: REPORT.timeline.map((entry) => ({ ...entry, basis })) };
}

/** A tolerance of 1/99: signed 98 of 100 quoted, 1 of which is for the network. */
function signed(isQuoted: boolean): Partial<OrderReport> {
  const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 98n } as const;
  const quote = isQuoted ? { sellAmount: 1_000n, buyAmount: 100n, fee: 10n } : null;
  return { tolerance: tolerance(order, quote) };
}

const FUNDS: ReportedFunds = {
  moment: "now",
  block: 7,
  at: Temporal.Instant.from("2026-08-21T10:00:00Z"),
  balanceAtoms: 5n,
  nativeAtoms: 0n,
  neededAtoms: 5n,
  remainingAtoms: 5n,
  isChecked: true,
  allowanceAtoms: 0n,
  missingBalanceAtoms: 0n,
  missingAllowanceAtoms: 0n,
  relayer: "0x44",
  spender: "0x44",
  isRelayerApproved: null,
};

const [AUCTION] = REPORT.auctions;
const WON = AUCTION!.bids[0]!;
const LOST = Array.from({ length: 9 }, (_, at) => ({ ...WON, isWinner: false, ranking: at + 2 }));

const INTERVALS = "times of auctions and fills are intervals";
const OF_AUCTIONS = "times of auctions are intervals";
const BLOCKS = '>Known by</th><th scope="col" class="number">Block</th>';
const SIGNED = "<dt>Tolerance signed</dt><dd>";
const RECEIVER = "<dt>Receiver</dt>";
const UNLIMITED = ">unlimited</span>";

/** What differs in a report, what its page then has, and what it does not have. */
const DIFFERENCES: readonly (readonly [Partial<OrderReport>, has: string, lacks?: string])[] = [
  [{}, `<span class="whole">${REPORT.uid}</span>`],
  // Empty columns are left out.
  [{}, BLOCKS],
  [{ timeline: REPORT.timeline.map((entry) => ({ ...entry, block: null })) }, "", BLOCKS],
  [timed("bracketed"), `Without a node, ${INTERVALS}`],
  [timed("event"), "", INTERVALS],
  [{ evidence: { ...REPORT.evidence, node: true } }, `Some ${OF_AUCTIONS}`, "Without a node"],
  [signed(true), `${SIGNED}+101.01 bps, before volume fees</dd>`],
  [signed(false), `${SIGNED}The order has no stored quote</dd>`],
  // The receiver is named where it is not the owner.
  [{ order: { ...REPORT.order!, receiver: `0x${"5e".repeat(20)}` } }, RECEIVER],
  [{ order: { ...REPORT.order!, receiver: null } }, "", RECEIVER],
  [
    {
      order: { ...REPORT.order!, receiver: REPORT.order!.owner.toUpperCase().replace("0X", "0x") },
    },
    "",
    RECEIVER,
  ],
  // Also after a part of an allowance was spent.
  [{ funds: { ...FUNDS, allowanceAtoms: 2n ** 253n } }, UNLIMITED],
  [{ funds: { ...FUNDS, allowanceAtoms: 10n ** 36n } }, "", UNLIMITED],
  [{ funds: { ...FUNDS, balanceAtoms: 2n ** 253n } }, "", UNLIMITED],
  [
    { auctions: [{ ...AUCTION!, bids: [WON, ...LOST] }] },
    "<summary>8 more bids that lost</summary>",
  ],
];

Deno.test("orderPage() shows what differs between reports", async () => {
  for (const [differs, has, lacks] of DIFFERENCES) {
    const page = await plain(differs);
    assertStringIncludes(page, has);
    assert(lacks === undefined || !page.includes(lacks), lacks);
  }
});

Deno.test("orderPage() draws two widths of each picture, whose parts have no names of their own", async () => {
  const { timeline, auctions, fills } = await orderCharts(REPORT);
  const page = await orderPage(REPORT);
  for (const chart of [timeline, auctions, fills]) {
    const name = `role="img" aria-label="${chart!.title.replaceAll(/[<>&"]/g, "")}"`;
    assertEquals(page.split(name).length, 3, name);
  }
  assertEquals(/<g\b[^>]* aria-label/.test(page), false);
});

Deno.test("orderCharts() draws no life of intervals alone, and names no part of an order the whole", async () => {
  const [half] = await reportsOf("market_1", ["0x4bf7d775"]);
  const { timeline } = await orderCharts(half!);
  assertStringIncludes(timeline!.title, ": 50.0% filled");
  assertMatch(timeline!.svg, /class="interval"[^>]*><line /, "auctions are drawn as intervals");
  const unknown = await orderCharts({ ...half!, fills: [] });
  assertStringIncludes(unknown.timeline!.title, ": 50.0% filled, no trade known");
  const none = { ...half!.order!, executedSellAmount: 0n, executedBuyAmount: 0n };
  const pending = { order: none, fills: [], cause: "executed_not_indexed" as const };
  assertMatch(
    (await orderCharts({ ...half!, ...pending })).timeline!.title,
    /: executed, no trade known$/,
  );
  const intervals = {
    evidence: { ...half!.evidence, debugReport: "refused" as const },
    timeline: half!.timeline.map((entry) => ({ ...entry, basis: "bracketed" as const })),
  };
  assertEquals((await orderCharts({ ...half!, ...intervals })).timeline, null);
  // It was replaced, which has no time: a bar from its creation would say that it went on.
  const [replaced] = await reportsOf(
    "solver_competition__cannot_replace_order_bid_on_by_non_winning_solution",
    ["0xd7352b9a"],
  );
  const order = { ...replaced!.order!, status: "cancelled" as const };
  const begun = replaced!.timeline.filter(({ kind }) => kind === "created" || kind === "expiry");
  assertEquals((await orderCharts({ ...replaced!, order, timeline: begun })).timeline, null);
  const open = { ...replaced!.order!, status: "open" as const };
  const waiting = await orderCharts({ ...replaced!, order: open, timeline: begun, auctions: [] });
  assertMatch(waiting.timeline!.title, /: not filled yet$/);
});

Deno.test("orderCharts() draws the limit over several auctions without a bid, not over one", async () => {
  const [unbid] = await reportsOf("market_1", ["0xdd85c658"]);
  const { distance } = await orderCharts(unbid!);
  assertMatch(distance!.svg, />n = 3 prices</);
  assertMatch(distance!.svg, />1660<\/text>/);
  const auctions = unbid!.auctions.slice(0, 1);
  assertEquals((await orderCharts({ ...unbid!, auctions })).distance, null);
});

Deno.test("orderCharts() splits a fill as the report does: 1.5 bps network, 2.6 bps fees, 1.0 bps gained", async () => {
  const { fills } = await orderCharts(REPORT);
  assertEquals(
    fills?.title,
    "Why the fill differs from the gross quote: network −1.5, protocol −2.6, partner 0, market +1.0 bps",
  );
});

Deno.test("orderPage() has status, amounts, next step and the whole transaction before anything else", async () => {
  const deployment = { ...REPORT.deployment, network: "mainnet" };
  const page = await orderPage({ ...REPORT, deployment }, { charts: false, decimals: () => 18 });
  const { order, fills: [fill] } = REPORT;
  const head = page.slice(page.indexOf("<header"), page.indexOf("</header>"));
  const parts = [
    'class="pill tone-good"><span title="fulfilled">Filled',
    `href="https://etherscan.io/token/${order!.sellToken}"`,
    `href="https://etherscan.io/token/${order!.buyToken}"`,
    "<h1>",
    "What to do next",
    "<dt>Rate</dt>",
    // 0.392513 / 119.946 of the limit, and 99.5374 / 99.5683 of the quote.
    "(+32.72 bps over the limit, −3.1 bps from the quote before fees)",
    "<dt>Surplus</dt>",
    "<dt>Fees</dt>",
    `<span class="whole">${fill!.txHash}</span>`,
    `href="https://etherscan.io/tx/${fill!.txHash}"`,
    "<dt>Filled at</dt>",
    "when the service indexed it)",
    "<dt>Solver</dt>",
    "<dt>Limit rate</dt>",
    "<dt>Quoted rate</dt>",
    "<dt>Failed attempt</dt>",
    " in auction 2031: driver failed: Could not submit the solution to the blockchain, ended in block",
    '<div class="terms">',
    `<span class="whole">${REPORT.uid}</span>`,
    "View on explorer.cow.fi",
  ];
  const places = parts.map((part) => head.indexOf(part));
  assertEquals(places.includes(-1), false, parts[places.indexOf(-1)]);
  assertEquals(places, places.toSorted((a, b) => a - b));
});

Deno.test("orderPage() has terms smaller below what happened, where anything did", async () => {
  const order: OrderReport["order"] = {
    ...REPORT.order!,
    // No decimals, so that it has no rate.
    sellToken: `0x${"5e".repeat(20)}`,
    receiver: null,
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
  };
  const nothing = await plain({ order, fills: [], auctions: [], timeline: [] });
  assertMatch(nothing, /<dl><div[^>]*><dt>UID<\/dt>/);
  assertEquals(nothing.includes('class="terms"'), false);
  assertMatch(await plain(), /<div class="terms"><dl><div[^>]*><dt>UID<\/dt>/);
});

Deno.test("orderPage() says first what happened, then that a document is not the signed one", async () => {
  const appData = { ...REPORT.appData!, isHashRight: false };
  const page = await plain({ appData });
  assertMatch(
    page,
    /<h1>Filled in block \d+[^<]*\. Its app data document does not have the hash that was signed\.<\/h1>/,
  );
});

Deno.test("orderPage() names the bid and the simulation of an order without a fill", async () => {
  const [unfair] = await reportsOf(
    "solver_competition__cannot_replace_order_bid_on_by_non_winning_solution",
    ["0xd7352b9a"],
  );
  const { auctions, evidence } = unfair!;
  const [bid] = auctions[0]!.bids;
  const page = (bids: readonly object[], simulation: OrderReport["evidence"]["simulation"]) =>
    orderPage({
      ...unfair!,
      evidence: { ...evidence, simulation },
      auctions: [{ ...auctions[0]!, bids: bids as readonly ReportedBid[] }, {
        ...auctions[0]!,
        bids: [],
      }],
    }, { charts: false });
  const named = { ...bid, solverName: "solver_x", auctionId: 17, overLimitBps: 12.5 };
  const behind = { ...named, ranking: 2, filteredOut: false, behindWinnerAtoms: 1_500n };
  const lost = await page([{ ...behind, solverName: "solver_y", ranking: 3 }, behind], {
    tenderlyRequest: {},
    error: 'execution reverted: <b>, data: "0x08c379a0"',
  });
  assertMatch(
    lost.replaceAll(/<wbr>|<.?span[^>]*>/g, ""),
    /<dt>Best bid<.dt><dd>.*solver_x.* in auction 17, 1,000,000,000,000,000,000 atoms of .+ for 2,000,000,000,000,000,000 atoms of .+ \+12\.5 bps over the limit, /,
  );
  assertMatch(lost, /1,?500 atoms.* behind the winner/);
  assertStringIncludes(lost, ">execution reverted: &lt;b&gt;<");
  const won = await page([behind, { ...named, isWinner: true, filteredOut: false }], {
    tenderlyRequest: {},
  });
  assertMatch(won, /<dt>Won by<.dt><dd>.*solver_x/);
  assertMatch(won, /<dt>Simulated<.dt><dd[^>]*>.*no error/);
  const filtered = await page([{ ...named, filteredOut: true }], null);
  assertStringIncludes(filtered, "12.5 bps over the limit, filtered out");
  assertEquals(filtered.includes("Simulated"), false);
  assertEquals((await page([], null)).includes("Best bid"), false);
});

Deno.test("orderPage() names the solver of an attempt by the rank of its solution", async () => {
  const report = await filledReport();
  const auction = report.auctions.find(({ bids, attempts }) =>
    bids.length > 1 && attempts !== null && attempts.length > 0
  )!;
  const [attempt] = auction.attempts!;
  // A rank is the number of the solution plus one.
  const bids = auction.bids.slice(0, 2).map((bid, index) => ({
    ...bid,
    ranking: index + 4,
    solver: attempt!.solver,
    solverName: `solver_${index + 4}`,
  }));
  const attempts = [{ ...attempt!, solutionUid: 4 }];
  const page = await orderPage({ ...report, auctions: [{ ...auction, bids, attempts }] }, {
    charts: false,
  });
  const [, section = ""] = /id="attempts"([^]*?)<\/section>/.exec(page) ?? [];
  assertStringIncludes(section, "solver_5");
  assertEquals(section.includes("solver_4"), false);
});

Deno.test("orderPage() says where the TWAP of a part that nobody posted was created", async () => {
  const [txHash, owner] = [`0x${"7e".repeat(32)}`, `0x${"0d".repeat(20)}`];
  const terms = {
    sellToken: `0x${"a1".repeat(20)}`,
    buyToken: `0x${"b2".repeat(20)}`,
    partSellAmount: 1_000n,
    minPartLimit: 900n,
  };
  const page = await plain({
    order: null,
    status: null,
    sentence: "Part 2 of 4 of a TWAP was never posted: it was valid from 2026-08-21T15:00:00Z.",
    programmatic: { id: `0x${"ab".repeat(32)}`, owner, txHash, terms, parts: [], sentence: "" },
  });
  const head = page.slice(page.indexOf("<header"), page.indexOf("</header>"));
  for (const part of [">2026-08-21 15:00:00 UTC.<", txHash, "Each part sells", "900"]) {
    assertStringIncludes(head, part);
  }
});

Deno.test("orderPage() of a part of a TWAP shows its neighbours, and names the way to all", async () => {
  const [txHash, owner] = [`0x${"7e".repeat(32)}`, `0x${"0d".repeat(20)}`];
  const toUid = (part: number) => `0x${String(part).padStart(112, "0")}`;
  const at = Temporal.Instant.from("2026-08-21T15:00:00Z");
  const parts = Array.from({ length: 500 }, (_, index) => ({
    part: index + 1,
    uid: toUid(index + 1),
    validFrom: at,
    validTo: at,
    state: "fulfilled",
  }));
  const readParts = async (part: number, hash: string | null) => {
    const programmatic = { id: txHash, owner, txHash: hash, terms: null, parts, sentence: "" };
    const page = await plain({ uid: toUid(part), programmatic });
    const [, section = ""] = /id="parts"([^]*?)<\/section>/.exec(page) ?? [];
    return { section, count: section.split("<tr>").length - 2 };
  };
  const middle = await readParts(250, txHash);
  assertEquals(middle.count, 11);
  assertStringIncludes(middle.section, ">245<");
  assertStringIncludes(
    middle.section,
    "11 of the 500 parts, around this one. The page of the transaction that created the TWAP has all.",
  );
  const first = await readParts(1, null);
  assertEquals(first.count, 6);
  assertStringIncludes(first.section, "The JSON of the report has all.");
});

Deno.test("orderPage() has auctions without a bid in one line, and both ends of intervals", async () => {
  const [open] = await reportsOf("market_1", ["0xd5f3d087"]);
  const pageOf = async (report: OrderReport) =>
    (await orderPage(report, { charts: false })).split("<script")[0]!;
  const page = await pageOf(open!);
  const run = "13 auctions from 2598 to 2624: nobody bid";
  assertStringIncludes(page, `${run} on it.`);
  // The first one began before the order was ready, the others after its attempts to settle.
  assertEquals(page.match(/Auction \d+/g), ["Auction 2598"]);
  const later = "12 auctions from 2599 to 2624: nobody bid on it<";
  const row = page.split("<tr>").find((each) => each.includes(later));
  const mixed = open!.auctions.map((auction, index) =>
    index < 6 ? { ...auction, outcome: "no_bid_limit_beyond_market" as const } : auction
  );
  const words = `${run} on it; in 6 of them native prices did not meet its limit`;
  assertStringIncludes(await pageOf({ ...open!, auctions: mixed }), words);
  assertStringIncludes(row!, ">2026-11-21 15:28:12.775 to 15:28:43.984 UTC<");
  assertStringIncludes(row!, ">3217 to 3263<");
});

Deno.test("pages say amounts that are missing in whole tokens", async () => {
  const funds = {
    ...FUNDS,
    balanceAtoms: 6_000_000n,
    neededAtoms: 18_400_000n,
    remainingAtoms: 18_400_000n,
    missingBalanceAtoms: 12_400_000n,
  };
  const clause = "its owner has too little of the sell token: 6000000 of 18400000 atoms, " +
    "12400000 missing, in block 7 (2026-08-21T10:00:00Z)";
  const report: OrderReport = {
    ...REPORT,
    cause: "invalid",
    reason: "insufficient_balance",
    sentence: `Open: ${clause}.`,
    funds,
    status: { ...REPORT.status!, reported: "open" },
  };
  const tokens = {
    decimals: new Map([[REPORT.order!.sellToken, 6]]),
    symbols: new Map([[REPORT.order!.sellToken, "USDC"]]),
  };
  for (
    const page of [
      orderText(report, { ...tokens, width: 200 }),
      await orderPage(report, { ...tokens, charts: false }),
    ]
  ) {
    assertStringIncludes(page, "6 USDC of 18.4 USDC, 12.4 USDC missing, in block 7");
    assertStringIncludes(page, "Add 12.4 USDC to the balance of its owner: missing in block 7");
  }
});

Deno.test("orderPage() of an order that can still be filled warns at most, and not while it waits", async () => {
  const readTone = async (differs: Partial<OrderReport>) =>
    /<header class="tone-(\w+)">/.exec(await plain(differs))![1];
  const open = { ...REPORT.order!, status: "open" as const };
  const causes = ["ready_in_no_stored_auction", "no_bid_at_a_fair_limit", "invalid"] as const;
  assertEquals(
    await Promise.all(causes.map((cause) => readTone({ cause, order: open }))),
    ["neutral", "warning", "warning"],
  );
  const expired = { ...open, status: "expired" as const };
  assertEquals(
    await Promise.all(causes.map((cause) => readTone({ cause, order: expired }))),
    ["bad", "bad", "bad"],
  );
});

Deno.test("buildUnknownSection() has one row for each remedy, and shortens hex", () => {
  const entry = (what: string, why: string, remedy: string) => ({ what, why, remedy });
  const section = buildUnknownSection([
    entry("events", "Only a debug report has events", "Use a key"),
    entry("auctions", `Not known of 0x${"ab".repeat(20)}`, "Walk"),
    entry("attempts", "Only a debug report has attempts", "Use a key"),
    entry("fill_times", "Long. ".repeat(40), "Node"),
    entry("deadline", "Longer. ".repeat(40), "Node"),
  ]);
  assertEquals(section!.table!.rows.map((row) => row.map(({ text }) => text.slice(0, 64))), [
    [
      "events, attempts",
      "Only a debug report has events. Only a debug report has attempts",
      "Use a key",
    ],
    ["auctions", "Not known of 0xabababab…ababab", "Walk"],
    ["fill times", "Long. ".repeat(10) + "Long", "Node"],
    ["deadline", "Longer. ".repeat(8), "Node"],
  ]);
});

Deno.test("renderWords() breaks long numbers at their commas at most, and no hex, time or option", () => {
  assertEquals(
    String(renderWords("4,343 of −1,000,000,000,000, and")),
    '4,343 of <span class="unbroken">−1,<wbr>000,<wbr>000,<wbr>000,<wbr>000,</span> and',
  );
  const words = String(
    renderWords("by 0x12345678…abcdef at (2026-08-21 10:08:00.250 UTC): `deep`, --rpc-url <b>"),
  );
  const unbroken = (text: string, tag = "span") => `<${tag} class="unbroken">${text}</${tag}>`;
  assertEquals(
    words,
    `by ${unbroken("0x12345678…abcdef")} at ${unbroken("(2026-08-21 10:08:00.250 UTC):")} ` +
      `<code>deep</code>, ${unbroken("--rpc-url", "code")} &lt;b&gt;`,
  );
});

Deno.test("cells link what they name, and not how many others there are", () => {
  const cell = { ...toTransactionCell(`0x${"7e".repeat(32)}`), after: " and 2 more" };
  const shown = String(renderCell(cell, () => "https://a.test/"));
  assertMatch(shown, /^<a href="https:\/\/a\.test\/".*<\/a> and 2 more$/s);
});

Deno.test("cells have the name of a token with its short address, not the address alone", () => {
  const exact = `0x${"7e".repeat(20)}`;
  const cell = { text: "MORPHO (0x7e7e…7e7e)", exact, subject: { token: exact } };
  assertMatch(String(renderCell(cell, () => null)), />MORPHO <span[^>]*>\(0x7e7e…7e7e\)<\/span></);
});

Deno.test("cells show whole hashes to select and to copy, and statuses as labels", () => {
  const cell = { ...toTransactionCell(`0x${"7e".repeat(32)}`), isWhole: true };
  const shown = String(renderCell(cell, () => null));
  assertMatch(
    shown,
    /^<span class="whole">0x(?:7e){32}<\/span> <button type="button" class="copy">/,
  );
  const label = String(renderCell(toStatusCell("fulfilled"), () => null));
  assertEquals(label, '<span class="pill tone-good"><span title="fulfilled">Filled</span></span>');
});

Deno.test("reportJson() writes times as they were sent and integers as text, at any depth", () => {
  const at = parseInstant("2026-11-21T15:00:23.268390Z");
  const report = { at, list: [at, 10n ** 20n], map: new Map([["at", at]]), none: null };
  const text = "2026-11-21T15:00:23.268390Z";
  assertEquals(JSON.parse(reportJson(report)), {
    at: text,
    list: [text, "100000000000000000000"],
    map: { at: text },
    none: null,
  });
});

Deno.test("timeCell() has whole seconds or milliseconds, and all digits of the response behind", () => {
  const shown = ["08:00Z", "08:00.250Z", "08:00.268390Z"].map((time) =>
    toTimeCell(parseInstant(`2026-08-21T10:${time}`))
  );
  assertEquals(shown, [
    { text: "2026-08-21 10:08:00 UTC", exact: "2026-08-21T10:08:00Z" },
    { text: "2026-08-21 10:08:00.250 UTC", exact: "2026-08-21T10:08:00.250Z" },
    { text: "2026-08-21 10:08:00.268 UTC", exact: "2026-08-21T10:08:00.268390Z" },
  ]);
});

Deno.test("ageText() says the largest unit alone, rounded down", () => {
  const now = Temporal.Instant.from("2026-08-21T10:00:00Z");
  const ages = [
    ["2026-08-21T10:00:00Z", "0 s ago"],
    ["2026-08-21T09:59:00.1Z", "59 s ago"],
    ["2026-08-21T09:56:01Z", "3 min ago"],
    ["2026-08-19T09:00:00Z", "2 d ago"],
    ["2026-08-21T11:30:00Z", "in 1 h"],
  ] as const;
  for (const [at, text] of ages) assertEquals(formatAge(Temporal.Instant.from(at), now), text);
});

Deno.test("orderPage() links to explorers of a public network, and only what is an address or a hash", async () => {
  const deployment = { ...REPORT.deployment, network: "mainnet", environment: "production" };
  const hrefs = (page: string) => [...page.matchAll(/href="([^#"][^"]*)"/g)].map(([, to]) => to!);
  const hosts = new Set(hrefs(await plain({ deployment })).map((href) => new URL(href).host));
  assertEquals([...hosts].sort(), ["etherscan.io", "explorer.cow.fi"]);
  assertEquals(hrefs(await plain()), []);

  const [fill] = REPORT.fills;
  const hostile = { ...fill, txHash: "javascript:alert(1)", solver: `0x${"0".repeat(39)}"` };
  const page = await plain({ deployment, fills: [hostile] });
  assertEquals(/href="(?!https:\/\/(?:etherscan\.io|explorer\.cow\.fi)\/|#)/.test(page), false);
});

Deno.test("orderPage() shows what turns the direction of writing as its escape", async () => {
  const document = '{"appCode":"\u202egnp.exe\u2066"}\n';
  const page = await plain({ appData: { ...REPORT.appData, document } });
  assertStringIncludes(page, "{&quot;appCode&quot;:&quot;\\u202egnp.exe\\u2066&quot;}\n");
  assertEquals(/\p{Bidi_Control}/u.test(page), false);
  assertEquals(dataOf(page).appData?.document, document);
});

Deno.test("orderPage() of a megabyte of app data says what was cut, and where all of it is", async () => {
  const document = "\u{1f42e}\"'".repeat(250_000);
  const page = await plain({ appData: { ...REPORT.appData, document } });
  assert(bytes(page) <= BYTES, `${bytes(page)} bytes`);
  assertStringIncludes(page, "… (980,000 more characters)</pre>");
  assertStringIncludes(page, "with long texts cut. The command above gives all of it with --json.");
  assertMatch(dataOf(page).appData!.document, / \(999,500 more characters\)$/);
});

Deno.test("orderPage() is never longer than 300,000 bytes", async () => {
  const long = "\u202e<\"'&>".repeat(100);
  const texts = withTexts(REPORT, (text, key) => KEPT.has(key) ? text : long);
  const many: OrderReport = {
    ...texts,
    timeline: Array.from({ length: 60 }, () => texts.timeline[0]!),
    fills: Array.from({ length: 60 }, () => texts.fills[0]!),
    auctions: Array.from({ length: 60 }, () => texts.auctions[0]!),
  };
  const page = await orderPage(many, { charts: false });
  assert(bytes(page) <= BYTES, `${bytes(page)} bytes`);
  assertStringIncludes(page, "more rows are left out of this page.");
  assertStringIncludes(page, "The data is too long for this file.");
  assertMatch(page, /<\/main>\n<\/body>\n<\/html>\n$/);
});

Deno.test("toAgedCell() has an age from a second on, before and after: clocks differ", () => {
  const asOf = Temporal.Instant.from("2026-08-21T10:00:00Z");
  const age = (milliseconds: number) =>
    toAgedCell(asOf.add({ milliseconds }), { asOf, evidence: { isTimed: true } as never }).after;
  assertEquals([-1_500, -400, 400, 1_500].map(age), [
    " (1 s ago)",
    undefined,
    undefined,
    " (in 1 s)",
  ]);
});
