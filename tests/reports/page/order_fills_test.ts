import { inspectOrder, orderPage, orderText } from "orderlens/reports";
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  cannedBook,
  filledAnswers,
  hex,
  orderBody,
  SELL,
  tradeBody,
  uidOf,
} from "../canned_book.ts";

import { filledReport } from "./reports_of_verdicts.ts";

const ORDER = `/api/v1/orders/${uidOf("01")}`;
const DECIMALS = { decimals: () => 0 };
const UNBROKEN = '<span class="unbroken">0xa1a1…a1a1</span>';

async function reportOf(more: Record<string, unknown>, trades?: readonly unknown[]) {
  const { book } = cannedBook({
    ...filledAnswers(),
    [ORDER]: orderBody(more),
    ...trades !== undefined && { "/api/v2/trades": trades },
  });
  return await inspectOrder(book, uidOf("01"));
}

Deno.test("orderText has the limit in both directions: 100 for 200 is 2, and 0.5", async () => {
  const text = orderText(await reportOf({}), { width: 160, ...DECIMALS });
  assertMatch(
    text,
    /Limit rate +1 0xa1a1…a1a1 = 2\.00000 0xb2b2…b2b2, or 1 0xb2b2…b2b2 = 0\.500000 0xa1a1…a1a1\n/,
  );
});

Deno.test("orderText has prices that nobody can count the zeros of with an exponent", async () => {
  // 100 atoms of a token with 77 decimals, 10^-75 of it, for 2 * 10^60: 2 * 10^135 for a whole one.
  const terms = { sellAmount: "100", buyAmount: `2${"0".repeat(60)}` };
  const decimals = (token: string) => token === SELL ? 77 : 0;
  const text = orderText(await reportOf(terms), { width: 400, decimals });
  assertMatch(
    text,
    /Limit rate +1 0xa1a1…a1a1 = 2\.00000e135 0xb2b2…b2b2, or 1 0xb2b2…b2b2 = 5\.00000e−136 0xa1a1…a1a1\n/,
  );
});

Deno.test("orderText has the parts of a difference below it, with signs, and adds them up", async () => {
  const report = await filledReport();
  const text = orderText(report, { width: 160, decimals: () => 18 });
  const section = text.slice(text.indexOf("\nFill\n"), text.indexOf("\nAttempts to settle\n"));
  // -0.0182673 - 0.0315268 + 0.0124695 = -0.0373246, whose parts are rounded.
  const names =
    "Quote before fees (gross)|of it: network costs|of it: protocol fees|of it: partner fees|" +
    "of it: the market|Quote after network costs (net)|Quote as shown, after all fees|Limit";
  const differences =
    "−0.0373247|−0.0182673|−0.0315268|0|+0.0124695|−0.0166183|+0.00745279|+0.392513";
  const rows = section.trimEnd().split("\n").slice(-8).map((line) => line.trim().split(/ {2,}/));
  assertEquals(rows.map(([name]) => name).join("|"), names);
  assertEquals(rows.map(([, difference]) => difference!.split(" ")[0]).join("|"), differences);
  assertStringIncludes(section, "+32.72 bps");
});

Deno.test("orderText says the terms of an order, and a receiver that is not its owner", async () => {
  const fullAppData = '{"metadata":{"orderClass":{"orderClass":"market"}}}';
  const market = orderText(await reportOf({ fullAppData, receiver: hex("ee", 20) }), {
    width: 160,
  });
  assertMatch(market, /Order +sell, fill or kill; market, as its app declares\n/);
  assertMatch(market, new RegExp(`Receiver +${hex("ee", 20)}, not its owner\n`));
  const parts = orderText(await reportOf({ partiallyFillable: true }), { width: 160 });
  assertMatch(parts, /Order +sell, in parts or whole\n/);
  assertEquals(/Receiver/.test(parts), false);
});

Deno.test("orderPage draws the filled part of an order that may be filled in parts", async () => {
  const part = { sellAmount: "40", sellAmountBeforeFees: "40", buyAmount: "84" };
  const report = await reportOf({
    partiallyFillable: true,
    status: "open",
    executedSellAmount: "40",
    executedSellAmountBeforeFees: "40",
    executedBuyAmount: "84",
  }, [tradeBody(part)]);
  const page = await orderPage(report, { charts: false, ...DECIMALS });
  assertStringIncludes(
    page,
    '<dt>Filled</dt><dd><meter value="0.4000" aria-hidden="true"></meter> ',
  );
  assertStringIncludes(page, `>40.0%: 40 of 100 ${UNBROKEN} sold<`);
  const whole = await orderPage(await reportOf({}), { charts: false, ...DECIMALS });
  assertEquals(whole.includes("<meter"), false);
});

Deno.test("orderText says that its surplus and fees are of the fills that are known", async () => {
  const half = { sellAmount: "20", sellAmountBeforeFees: "20", buyAmount: "42" };
  const terms = {
    partiallyFillable: true,
    status: "open",
    executedSellAmount: "60",
    executedSellAmountBeforeFees: "60",
    executedBuyAmount: "126",
  };
  // 20 of 100 has to bring 40 of 200: a surplus of 2, and of 6 for 60.
  const text = orderText(await reportOf(terms, [tradeBody(half)]), { width: 160, ...DECIMALS });
  assertMatch(text, /Surplus +2 0xb2b2…b2b2 of the fills that are known\n/);
  const trades = [tradeBody(half), tradeBody({ ...half, blockNumber: 104, logIndex: 3 })];
  const two = orderText(await reportOf(terms, trades), { width: 160, ...DECIMALS });
  assertMatch(two, /Surplus +4 0xb2b2…b2b2 of the fills that are known\n/);
  assertMatch(two, /\n +known +network/);
  const three = [...trades, tradeBody({ ...half, blockNumber: 105, logIndex: 4 })];
  const whole = orderText(await reportOf(terms, three), { width: 160, ...DECIMALS });
  assertMatch(whole, /Surplus +6 0xb2b2…b2b2, \+500 bps of the limit\n/);
  assertMatch(whole, /\n +all +network/);
  const total = await reportOf({ ...terms, executedFee: "7" }, three);
  assertMatch(
    orderText(total, { width: 160, ...DECIMALS }),
    /\n +all +all kinds +– +7 0xa1a1…a1a1 +as the service reports it\n/,
  );
  const free = await reportOf({ ...terms, executedFee: "0" }, three);
  assertMatch(
    orderText(free, { width: 160, ...DECIMALS }),
    /Fees +0 0xa1a1…a1a1, as the service reports it\n/,
  );
  const none = orderText(await reportOf({ ...terms, status: "expired" }, []), { width: 160 });
  assertMatch(none, /Expired with 60\.0% filled;\s+the responses/);
});

/** An order of a recording that was filled four times. */
const UID = "0x0719ccdd8260bd7335b2af2d4622687360c663dd079f3370477e1d250ee874af" +
  "15d34aaf54267db7d7c367839aaf71a00a2c6a656b00e11a";

Deno.test("orderText lists several fills, and sums their fees by kind and recipient", async () => {
  const report = await inspectOrder(connect(await replay("simulated_1")), UID);
  const text = orderText(report, { width: 300, ...DECIMALS });
  // 796.0785 for the amount that was quoted 788.8560.
  assertMatch(text, /Rate .* \+91\.56 bps from the quote before fees\)\n/);
  const list = text.slice(
    text.indexOf("\n4 fills\n"),
    text.indexOf("\nFills compared with the quote\n"),
  );
  const rows = list.split("\n").slice(3, 7).map((line) => line.trim().split(/ {2,}/));
  assertEquals(rows.map(([block, time]) => [block, time]), [
    ["1222", "2026-11-21 00:07:24 UTC"],
    ["1224", "2026-11-21 00:07:28 UTC"],
    ["1226", "2026-11-21 00:07:32 UTC"],
    ["1228", "2026-11-21 00:07:36 UTC"],
  ]);
  const fees = text.slice(text.indexOf("\nFees\n"), text.indexOf("\nSignature\n"));
  // 79955699075511904 + 39862013300774698 + 4959612052846170 + 34709456363046135
  assertMatch(fees, /all +volume, protocol +– +159,486,780,792,178,907 0x57e7…0004 +exact\n/);
  // 599547809517726910 + 298905306735859524 + 37189650978267067 + 260268858538301836
  assertMatch(
    fees,
    /all +volume, partner +0x9a47\S+ +1,195,911,625,770,155,337 0x57e7…0004 +exact\n/,
  );
});

Deno.test("orderText has the gas that the service counts for an order, and no sums of one fill", async () => {
  const text = orderText(await reportOf({ gasCost: "2000000000000000" }), { width: 160 });
  assertMatch(text, /Its share of the gas +0\.002 ETH, as the service reports it\n/);
  assertEquals(/^ +all /m.test(text), false);
});

Deno.test("orderText warns that anybody may have placed an order without its signature", async () => {
  const presigned = { signingScheme: "presign", signature: "0x" };
  const pending = await reportOf({ ...presigned, status: "presignaturePending" }, []);
  const warning = /Signed +presign: no pre-signature yet, so anybody may have placed it\n/;
  assertMatch(orderText(pending, { width: 160 }), warning);
  const signed = orderText(await reportOf({ ...presigned, status: "open" }, []), { width: 160 });
  assertEquals(warning.test(signed), false);
  assertMatch(signed, /Signed +presign: only the chain shows who signed\n/);
});
