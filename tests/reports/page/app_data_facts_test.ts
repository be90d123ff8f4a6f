import { accountText, inspectAccount, inspectOrder, orderText } from "orderlens/reports";
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals, assertMatch } from "@std/assert";
import { cannedBook, filledAnswers, hex, orderBody, uidOf } from "../canned_book.ts";

async function textOf(fullAppData: string): Promise<string> {
  const path = `/api/v1/orders/${uidOf("01")}`;
  const { book } = cannedBook({ ...filledAnswers(), [path]: orderBody({ fullAppData }) });
  return orderText(await inspectOrder(book, uidOf("01")), { width: 120 });
}

Deno.test("orderText shows what an app data document declares", async () => {
  const text = await textOf(JSON.stringify({
    version: "1.15.0",
    appCode: "CoW Swap",
    environment: "production",
    metadata: {
      orderClass: { orderClass: "market" },
      quote: { slippageBips: 50, smartSlippage: true },
      partnerFee: [{ volumeBps: 10, recipient: hex("9a", 20) }],
      utm: { utmSource: "mail" },
      widget: { appCode: "Widget" },
      bridging: { providerId: "across", destinationChainId: "8453" },
    },
  }));
  const section = text.slice(text.indexOf("\nApp data\n"));
  const lines = [
    /Environment +production/,
    /Class declared +market/,
    /Slippage declared +50 bps, chosen by the app/,
    new RegExp(`Partner fee for +${hex("9a", 20)}`),
    /UTM source +mail/,
    /Widget +Widget/,
    /Bridged to +chain 8453/,
    /Bridged by +across/,
  ];
  for (const line of lines) assertMatch(section, line);
});

Deno.test("orderText leaves facts out that an app data document does not declare in their form", async () => {
  const text = await textOf('{"environment":{"a":1},"metadata":{"utm":7,"bridging":[]}}');
  assertEquals(/Environment|UTM|Bridged/.test(text), false);
});

Deno.test("accountText has the limit rate of each order", async () => {
  const recording = await replay("market_3");
  const owner = recording.recorded.accounts[0]!;
  const report = await inspectAccount(connect(recording), owner, { orders: 2 });
  assertMatch(accountText(report, { width: 400 }), /Limit rate\b[\s\S]*1 \w+ = [\d,.]+ \w+/);
});
