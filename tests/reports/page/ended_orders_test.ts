import { replay } from "orderlens/recordings";
import { inspectOrder, orderText } from "orderlens/reports";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CellFormatter } from "../../../lib/reports/page/cell_formatter.ts";
import { formatFilledShare } from "../../../lib/reports/order/format_sentence.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cannedBook, filledAnswers, hex, orderBody, uidOf } from "../canned_book.ts";
import { renderHtmlPage } from "../../../lib/reports/page/pages.ts";
import { toPageContent } from "../../../lib/reports/page/report_content.ts";
import { event, fundsChain, leftOut } from "../funds_chain.ts";
import { reportsOf } from "./reports_of_verdicts.ts";

const WIDE = { width: 200 };

async function writeReport(name: string, start: string): Promise<string> {
  const [report] = await reportsOf(name, [start]);
  return orderText(report!, WIDE);
}

Deno.test("orderText() of a cancelled order has when it was cancelled, and what it was to sell", async () => {
  const text = await writeReport("market_1", "0x12560d90");
  assertMatch(text, /^Was to sell 146\.245 T1 → at least 143\.750 T0$/m);
  // The event is of 15:11:50.062930.
  assertMatch(text, /^ {2}Cancelled at +2026-11-21 15:11:50\.062 UTC$/m);
  const [sentence] = text.match(/^Cancelled .*$/m)!;
  assertEquals(sentence, "Cancelled after at least 1 auction with nothing filled.");
});

Deno.test("orderText() has the description of a failed attempt, and not the response around it", async () => {
  const text = await writeReport("market_1", "0xac3b7369");
  assertEquals(text.includes('{"kind":'), false);
  const words = "driver failed: Could not submit the solution to the blockchain";
  assertStringIncludes(text, `Attempt to settle it: ${words}, ended in block 2993\n`);
  assertMatch(text, new RegExp(`^ {5}2527 .* 2996 +${words}$`, "m"));
  // Its win kept it out of auctions, which is nothing of its own.
  assertEquals(text.includes("Once, the protocol left it out"), false);
});

Deno.test("orderText() of a filled order does not ask the market about its limit", async () => {
  const text = await writeReport("simulated_1", "0x4c99a06e");
  assertMatch(text, /^Filled in 9 parts/m);
  assertEquals(text.includes("Its limit where nobody bid"), false);
  assertMatch(text, /^ +all +surplus, protocol /m);
});

Deno.test("orderText() says where each network fee is from, and names policies in words", async () => {
  const text = await writeReport("market_1", "0xac3b7369");
  assertMatch(text, /^ +network +– +0\.0175148 T2 +from its executed fee$/m);
  assertMatch(text, /^ +price improvement, protocol /m);
});

Deno.test("orderText() names the settlement contract where the network has no name", async () => {
  const text = await writeReport("market_1", "0x12560d90");
  assertMatch(text, /^ {2}Deployment +chain 1$/m);
  assertMatch(text, /^ {2}Settlement contract +0xa513e6e4b8f2a923d98304ec87f64353c4d5c853$/m);
});

Deno.test("formatInterval() has both ends in one unit, and formatDifference() their signs", () => {
  const token = hex("ab", 20);
  const facts = { decimals: () => 18, symbols: () => "T2" };
  const format = (low: bigint, high: bigint) =>
    new CellFormatter(facts).formatInterval({ low, high }, token).text;
  assertEquals(format(-100n, 0n), "−100 to 0 atoms of T2");
  assertEquals(format(0n, 1_234_567n), "0 to 1,234,567 atoms of T2");
  assertEquals(format(10n ** 18n, 2n * 10n ** 18n), "1 T2 to 2 T2");
  assertEquals(format(0n, 0n), "0 T2");
  const differ = (low: bigint, high: bigint) =>
    new CellFormatter(facts).formatDifference({ low, high }, token).text;
  assertEquals(differ(1n, 1_234n), "+1 to +1,234 atoms of T2");
  assertEquals([differ(0n, 0n), differ(-(10n ** 18n), 0n)], ["0 T2", "−1 T2 to 0 T2"]);
  assertEquals(differ(-(10n ** 18n), 10n ** 18n), "−1 T2 to +1 T2");
  // A symbol is anybody's text.
  const named = new CellFormatter({ decimals: () => 18, symbols: () => "GO to MOON" });
  const atoms = 10n ** 18n;
  assertEquals(named.formatDifference({ low: atoms, high: atoms }, token).text, "+1 GO to MOON");
});

Deno.test("inspectOrder() takes the empty document for that of an order that signed none", async () => {
  const inspect = async (appData: string, fullAppData: string) => {
    const path = `/api/v1/orders/${uidOf("01")}`;
    const body = orderBody({ appData, fullAppData });
    const report = await inspectOrder(
      cannedBook({ ...filledAnswers(), [path]: body }).book,
      uidOf("01"),
    );
    const text = orderText(report, WIDE);
    const isSaid = text.includes("Its app data document does not have the hash");
    return [report.appData?.isHashRight, isSaid, /^ {2}Checked +(.*)$/m.exec(text)?.[1]];
  };
  assertEquals(await inspect(hex("00", 32), "{}"), [true, false, "zeros stand for no document"]);
  assertEquals(await inspect(hex("ab", 32), "{}"), [
    false,
    false,
    "the service has the empty document in place of the one with this hash",
  ]);
  const other = [false, true, "its document has another hash"];
  assertEquals(await inspect(hex("ab", 32), '{"appCode":"x"}'), other);
});

Deno.test("inspectOrder() offers no order again that the service would leave out for what it is", async () => {
  const inspect = async (label: string, reason: string) => {
    const events = [event("created", 900_000), event(label, 912_345, reason)];
    const report = await inspectOrder(cannedBook(leftOut(events)).book, uidOf("01"));
    return [report.verdict, ...report.money!.moves.map(({ call }) => call)];
  };
  assertEquals(
    [
      await inspect("invalid", "banned_user"),
      await inspect("invalid", "unsupported_token"),
      await inspect("filtered", "dust_order"),
      await inspect("filtered", "missing_native_price"),
    ],
    [
      ["expired_invalid"],
      ["expired_invalid"],
      ["expired_filtered"],
      ["expired_filtered", "place_again"],
    ],
  );
});

Deno.test("orderText() of an expired order has what was not sold, and that its limit is to be loosened", async () => {
  const text = await writeReport("market_1", "0x5651c8eb");
  // Whole, so that it can be copied.
  assertMatch(
    text,
    /^ {2}Not sold +4\.89452 T0: not taken from its owner\s+0xba78423395063915fbf92bab6d4c769676f0f55e as\s+far as the responses show;/m,
  );
  assertMatch(
    text,
    /Places it again at the same limit price, which the next steps say to loosen first: sells 4\.89452/,
  );
});

Deno.test("inspectOrder() counts no win of an execution that no trade shows", async () => {
  const [report] = await reportsOf("market_1", ["0xac3b7369"]);
  const uid = report!.uid;
  const path = `/restricted/api/v1/debug/order/${uid}`;
  const { body } = await (await replay("market_1")).send({ method: "GET", path });
  const debugReport = JSON.parse(body);
  const nothing = { executedSellAmount: "0", executedBuyAmount: "0", executedFee: "0" };
  const order = { ...debugReport.order, ...nothing, status: "expired" };
  const auctions = debugReport.auctions.map((auction: object) => ({ ...auction, executions: [] }));
  const { book } = cannedBook({
    [`/api/v1/orders/${uid}/status`]: { type: "traded" },
    [`/api/v1/orders/${uid}`]: order,
    "/api/v2/trades": [],
    [path]: { ...debugReport, order, auctions, trades: [] },
  });
  const executed = await inspectOrder(book, uid);
  assertEquals([executed.cause, executed.alsoHappened], ["executed_not_indexed", []]);
  const text = orderText(executed, WIDE);
  for (const words of ["was not settled", "Its fill was indexed"]) {
    assertEquals(text.includes(words), false, words);
  }
  for (
    const words of [
      "but lists no trade of it",
      "won, and no response shows whether it was settled",
      "The service recorded that it was executed",
    ]
  ) {
    assertStringIncludes(text, words);
  }
});

Deno.test("renderHtmlPage() keeps short sections where a long one has no room", async () => {
  const [report] = await reportsOf("simulated_1", ["0x4c99a06e"]);
  const page = renderHtmlPage(toPageContent(report!), { bytes: 300_000, shown: 40_000 });
  const visible = page.slice(0, page.indexOf("<script"));
  const findSection = (id: string) =>
    visible.match(new RegExp(`<section id="${id}"[^]*?</section>`))![0];
  assertStringIncludes(findSection("auctions"), "more rows are left out of this page");
  const rows = Array.from({ length: 20_000 }, () => [{ text: "Ready" }]);
  const table = { columns: [{ name: "What" }], rows };
  const long = { ...toPageContent(report!), sections: [{ id: "a", title: "A", table }] };
  // Some 40 bytes a row: about 1,000 of them have room.
  assertMatch(
    renderHtmlPage(long, { bytes: 300_000, shown: 40_000 }),
    />1[89],\d{3} more rows are/,
  );
  for (const id of ["identity", "app-data", "tokens"]) {
    assertEquals(findSection(id).includes("left out of this page"), false, id);
  }
  assertStringIncludes(findSection("tokens"), report!.order!.sellToken);
});

Deno.test("orderText() leaves out what a fill without its auction and quote does not have", async () => {
  const uid = uidOf("01");
  const { "/api/v2/solver_competition/by_tx_hash": _, ...answers } = filledAnswers();
  const text = orderText(await inspectOrder(cannedBook(answers).book, uid), WIDE);
  assertStringIncludes(text, "Filled in block 103.");
  // Neither a solver nor an auction is known, and there is no quote to compare with.
  assertEquals(/^ {2}(?:Solver|Auction) /m.test(text), false);
  assertEquals(/Quote (?:before|after|as)/.test(text), false);
  assertMatch(text, /^ {2}Tolerance signed +The order has no stored quote$/m);
});

Deno.test("formatFilledShare() rounds to the nearest tenth, and never to all of an order, or a part of nothing", () => {
  // Half of it less half an atom: 86429158190267364325181 of 172858316380534728650363.
  const formatShare = (executedSellAmountBeforeFees: bigint, sellAmount: bigint) =>
    formatFilledShare(orderOf({ sellAmount, executedSellAmountBeforeFees }));
  assertEquals(formatShare(86429158190267364325181n, 172858316380534728650363n), "50.0%");
  assertEquals(
    [0n, 1n, 99_999n, 100_000n].map((sold) => formatShare(sold, 100_000n)),
    ["0.0%", "less than 0.1%", "99.9%", "100.0%"],
  );
  assertEquals(formatShare(0n, 0n), "–");
});

Deno.test("orderText() counts auctions once: in its sentence, or beside it", async () => {
  // Its sentence has all of its 22 auctions, and nothing else happened.
  const expired = await writeReport("market_3", "0xf8c56bcf");
  assertStringIncludes(expired, "; in 1 auction before, no bid on it won; in 2 auctions before, ");
  assertEquals(expired.includes("Also happened"), false);
  const filled = await writeReport("market_1", "0xb737868e");
  assertMatch(
    filled,
    /Also happened\n {2}In 1 auction, every bid on it was filtered out as unfair\./,
  );
});

Deno.test("orderText() of an order by pre-signature says that this is what was missing", async () => {
  const events = [event("created", 900_000), event("invalid", 912_345, "invalid_signature")];
  const answers = leftOut(events, { signingScheme: "presign", signature: hex("0d", 20) });
  const report = await inspectOrder(cannedBook(answers).book, uidOf("01"));
  const text = orderText(report, WIDE);
  assertEquals(report.verdict, "expired_presignature_missing");
  assertStringIncludes(
    text,
    "Cannot be settled for now for lack of its pre-signature on the chain",
  );
  assertStringIncludes(
    text,
    "presign: no pre-signature before it expired, so anybody may have placed it",
  );
});

Deno.test("inspectOrder() of a debug report whose events are deleted asks for no partner's key", async () => {
  const report = await inspectOrder(
    cannedBook(leftOut([event("ready", 912_345)])).book,
    uidOf("01"),
  );
  const { remedy } = report.unknown.find(({ what }) => what === "events")!;
  assertEquals(remedy, "Nothing: the service keeps events for 30 days");
});

Deno.test("orderText() says in words that network costs use up a quote", async () => {
  const quote = {
    ...{ gasAmount: "1", gasPrice: "100", sellTokenPrice: "1", feeAmount: "100" },
    ...{ sellAmount: "100", buyAmount: "200", solver: hex("50", 20), verified: true },
  };
  const answers = leftOut([event("created", 900_000)], { quote });
  const report = await inspectOrder(cannedBook(answers).book, uidOf("01"));
  assertMatch(
    orderText(report, WIDE),
    /^ {2}Tolerance signed +Its quote gives nothing after network costs$/m,
  );
});

Deno.test("renderHtmlPage() has all of what is missing where its owner lacks balance and allowance", async () => {
  const events = [event("created", 900_000), event("invalid", 912_345, "insufficient_balance")];
  // More than a node without its history tells, in atoms of a token without a name.
  const sellAmount = `${10n ** 24n}`;
  const { book } = cannedBook(leftOut(events, { sellAmount }));
  const node = fundsChain(() => ({ balance: 0n, allowance: 0n }), { kept: 999_990 });
  const page = renderHtmlPage(toPageContent(await inspectOrder(book, uidOf("01"), { node })));
  const [fact] = page.match(/<dt>Not sold<\/dt>.*?<\/div>/)!;
  assertEquals(fact.match(/ missing/g)?.length, 2);
});
