import { accountText, inspectAccount, inspectOrder, orderText } from "orderlens/reports";
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cannedBook, filledAnswers, hex, orderBody, SELL, uidOf } from "../canned_book.ts";

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
      partnerFee: [
        { volumeBps: 10, recipient: hex("9a", 20) },
        { surplusBps: 9900, maxVolumeBps: 100, recipient: hex("9b", 20) },
        { priceImprovementBps: 5, maxVolumeBps: 7, recipient: hex("9c", 20) },
        { bps: 3, recipient: hex("9d", 20) },
      ],
      utm: { utmSource: "mail", utmMedium: "letter", utmCampaign: "spring" },
      widget: { appCode: "Widget", environment: "staging" },
      bridging: {
        providerId: "across",
        destinationChainId: "8453",
        destinationTokenAddress: hex("cc", 20),
      },
      signer: hex("51", 20),
      validFrom: 1_795_273_344,
      enableFastPath: true,
      flashloan: { token: SELL, amount: "100", liquidityProvider: hex("1e", 20) },
      wrappers: [{ address: hex("7a", 20), isOmittable: true }, { address: hex("7b", 20) }],
      userConsents: [{ terms: "bafyterms", acceptedDate: "2026-11-21" }],
    },
  }));
  const section = text.slice(text.indexOf("\nApp data\n"));
  const lines = [
    /Environment +production/,
    /Class declared +market/,
    /Slippage declared +50 bps, chosen by the app/,
    new RegExp(`Partner fee asked +${hex("9a", 20)}, 10 bps of the volume\n`),
    new RegExp(`${hex("9b", 20)}, 9,900 bps of the surplus, at most\\s+100 bps`),
    new RegExp(`${hex("9c", 20)}, 5 bps of the improvement over the quote, at most 7\n +bps`),
    new RegExp(`${hex("9d", 20)}, 3 bps of the volume\n`),
    /UTM source +mail/,
    /UTM medium +letter/,
    /UTM campaign +spring/,
    /Widget +Widget/,
    /Widget's environment +staging/,
    new RegExp(`Signer declared +${hex("51", 20)}`),
    /Valid from +2026-11-21 15:02:24 UTC/,
    /Fast path +requested/,
    /Bridged to +chain 8453 \(Base\)/,
    new RegExp(`Bridged token +${hex("cc", 20)}`),
    /Bridged by +across/,
    /Flash loan +100 atoms of 0xa1a1…a1a1 from 0x1e1e1e1e…1e1e1e/,
    new RegExp(`Wrapper +${hex("7a", 20)}, which a solver may leave out\n`),
    new RegExp(`Wrapper +${hex("7b", 20)}\n`),
    /Terms accepted +2026-11-21: bafyterms/,
  ];
  for (const line of lines) assertMatch(section, line);
});

Deno.test("orderText names the functions of hooks by their selectors, and has their calldata whole", async () => {
  const target = hex("68", 20);
  const permit = `0xd505accf${"00".repeat(32)}`;
  const text = await textOf(JSON.stringify({
    metadata: {
      hooks: {
        pre: [{ target, gasLimit: "50761", callData: permit, dappId: "permits" }],
        post: [
          { target, gasLimit: "7", callData: "0x0931831e" },
          { target, gasLimit: "8", callData: "0x" },
        ],
      },
    },
  }));
  assertMatch(text, /pre +0x68686868…686868 +permit +50761 +permits\n/);
  assertMatch(text, /post +0x68686868…686868 +0x0931831e +7 +–\n/);
  assertMatch(text, /post +0x68686868…686868 +none +8 +–\n/);
  assertStringIncludes(text, `Calldata of hook 1 (pre):\n${permit}\n`);
  assertStringIncludes(text, "named by their selectors, which other functions may have too");
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
