import { assertEquals, assertThrows } from "@std/assert";
import { DecodeError } from "orderlens";
import {
  type AppData,
  decodeAppData,
  decodeKind,
  drift,
  encodeAppData,
  encodeKind,
  isReadable,
  unreadableMembers,
} from "orderlens/schemas";
import { decodeValidAppData } from "../../lib/schemas/app_data.ts";

const RECIPIENT = `0x${"63".repeat(20)}`;
const FEE = { volumeBps: 100, recipient: RECIPIENT };
const HOOK = { target: `0x${"60".repeat(20)}`, callData: "0x", gasLimit: "100000" };
const METADATA = { partnerFee: FEE, hooks: { post: [HOOK] } };

/** A metadata member that the service accepts, since it does not read it, and the paths lost. */
const ODD_METADATA: readonly [metadata: Record<string, unknown>, lost: readonly string[]][] = [
  [{ orderClass: "market" }, ["metadata.orderClass"]],
  [{ orderClass: null }, []],
  [{ quote: null }, []],
  [{ quote: { slippageBips: -0.5, smartSlippage: true } }, ["metadata.quote.slippageBips"]],
  [{ signer: null, flashloan: null, replacedOrder: null }, []],
  [{ utm: { utmSource: 7, utmTerm: "x" } }, ["metadata.utm.utmSource"]],
  [{ referrer: RECIPIENT }, ["metadata.referrer"]],
  [{ userConsents: { terms: "x" } }, ["metadata.userConsents"]],
  [{ widget: "aave" }, ["metadata.widget"]],
  [{ flashloan: { token: "x", lender: 7, amount: "1" } }, ["metadata.flashloan"]],
  [{ bridging: { providerId: 1, quoteId: "q" }, validFrom: "soon" }, [
    "metadata.validFrom",
    "metadata.bridging.providerId",
  ]],
];

Deno.test("decodeAppData() omits only an unreadable member, and encodeAppData() restores it", () => {
  for (const [odd, lost] of ODD_METADATA) {
    const body = { appCode: "Wallet", version: "1.6.0", metadata: { ...METADATA, ...odd } };
    const document = decodeAppData(body);
    const { metadata, appCode } = document;
    assertEquals([appCode, metadata?.partnerFee, metadata?.hooks], [
      "Wallet",
      FEE,
      METADATA.hooks,
    ], JSON.stringify(odd));
    assertEquals(unreadableMembers(document).map(({ path }) => path), lost);
    assertEquals(encodeAppData(document), body);
    assertEquals(encodeKind("app_data", decodeKind("app_data", body)), body);
    assertEquals(
      drift([{ kind: "app_data", body }]).unreadableMembers.map(({ path }) => path),
      lost,
    );
  }
});

Deno.test("decodeAppData() preserves the readable parts beside an unreadable one", () => {
  const { metadata } = decodeAppData({
    metadata: {
      quote: { slippageBips: -0.5, smartSlippage: true },
      utm: { utmSource: 7, utmTerm: "x" },
    },
  });
  assertEquals(metadata, { quote: { smartSlippage: true }, utm: { utmTerm: "x" } });
});

Deno.test("decodeAppData() omits a version that is a number, and accepts absent metadata", () => {
  const odd = decodeAppData({ appCode: "Wallet", version: 1, metadata: METADATA });
  assertEquals(odd, { appCode: "Wallet", metadata: METADATA } as AppData);
  assertEquals(unreadableMembers(odd), [{ path: "version", value: 1 }]);
  const old = decodeAppData({ appCode: "Wallet", metadata: null, version: "0.1.0" });
  assertEquals([old, unreadableMembers(old)], [{ appCode: "Wallet", version: "0.1.0" }, []]);
});

Deno.test("decodeAppData() rejects values that are not objects, or hide __proto__", () => {
  for (const body of [null, 7, "{}", [], JSON.parse('{"metadata":{"quote":{"__proto__":1}}}')]) {
    assertThrows(() => decodeAppData(body), DecodeError);
  }
});

Deno.test("decodeValidAppData() rejects an unreadable member", () => {
  assertThrows(
    () => decodeValidAppData({ metadata: { orderClass: "market" } }),
    DecodeError,
    "metadata.orderClass",
  );
});

Deno.test("isReadable() is false where a member, a part of it or all metadata cannot be read", () => {
  const known = (metadata: unknown) => isReadable(decodeAppData({ metadata }), "hooks");
  assertEquals(known({ hooks: { pre: "x", post: [HOOK] } }), false);
  assertEquals(known({ hooks: 7 }), false);
  assertEquals(known([]), false);
  assertEquals(known({ quote: 7 }), true);
  assertEquals(known({ hooks: null }), true);
  assertEquals(known(undefined), true);
});

Deno.test("decodeAppData() reads a partner fee in the first form that fits, in the service's order", () => {
  const both = { surplusBps: 5000, maxVolumeBps: 100, volumeBps: 10, recipient: RECIPIENT };
  assertEquals(decodeAppData({ metadata: { partnerFee: both } }).metadata?.partnerFee, both);
  const odd = { ...both, surplusBps: "5000" };
  const document = decodeAppData({ metadata: { partnerFee: odd } });
  assertEquals([document.metadata?.partnerFee, unreadableMembers(document)], [
    odd as unknown as typeof both,
    [],
  ]);
});

Deno.test("drift() counts the unreadable members of documents that orders carry as text", () => {
  const order = (fullAppData: unknown) => ({ kind: "order" as const, body: { fullAppData } });
  const odd = JSON.stringify({ metadata: { quote: 7, widget: "aave" } });
  const { unreadableMembers: lost } = drift([
    order(odd),
    order(odd),
    order("no JSON"),
    order("[]"),
    order("{}"),
    order(null),
    { kind: "debug_report", body: { order: { fullAppData: odd } } },
  ]);
  assertEquals(lost.map(({ kind, path, count, sample }) => [kind, path, count, sample]), [
    ["order", "fullAppData.metadata.quote", 2, "7"],
    ["order", "fullAppData.metadata.widget", 2, '"aave"'],
    ["order", "fullAppData", 2, '"no JSON"'],
    ["debug_report", "order.fullAppData.metadata.quote", 1, "7"],
    ["debug_report", "order.fullAppData.metadata.widget", 1, '"aave"'],
  ]);
});
