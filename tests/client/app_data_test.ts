import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type AppDataTerms, buildAppData } from "../../lib/client/mod.ts";
import { InputError } from "../../lib/errors/mod.ts";
import { hashAppData } from "../../lib/evm/mod.ts";
import type { PartnerFee } from "../../lib/schemas/mod.ts";
import { connect, MismatchError } from "orderlens";
import { getAppData, putAppData } from "orderlens/client";
import { FakeTransport } from "../endpoints/fake_transport.ts";

const RECIPIENT = `0x${"c3".repeat(20)}`;

Deno.test("buildAppData() writes every term to the field that the service reads", () => {
  const hook = { target: RECIPIENT, callData: "0x1234", gasLimit: "80000" };
  const { document, fullAppData, hash } = buildAppData({
    appCode: "Bot",
    environment: "test",
    partnerFee: { volumeBps: 25, recipient: RECIPIENT },
    hooks: { pre: [hook] },
    slippageBips: 50,
    orderClass: "limit",
    referrer: { code: "FRIEND" },
    metadata: {
      quote: { smartSlippage: true },
      validFrom: 1_795_273_344,
      flashloan: { token: RECIPIENT, amount: 10n ** 20n },
    },
  });
  assertEquals(JSON.parse(fullAppData), {
    appCode: "Bot",
    environment: "test",
    metadata: {
      flashloan: { amount: "100000000000000000000", token: RECIPIENT },
      hooks: { pre: [hook] },
      orderClass: { orderClass: "limit" },
      partnerFee: { recipient: RECIPIENT, volumeBps: 25 },
      quote: { slippageBips: 50, smartSlippage: true },
      referrer: { code: "FRIEND" },
      validFrom: 1_795_273_344,
    },
    version: "1.14.0",
  });
  assertEquals(document.metadata?.quote, { smartSlippage: true, slippageBips: 50 });
  assertEquals(hash, hashAppData(fullAppData));
});

Deno.test("buildAppData() returns text and hash of recorded orders", () => {
  // From recorded order creations: documents with the hashes that the service accepted.
  for (
    const [appCode, hash] of [
      ["Bot", "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421"],
      ["Explorer", "0xd264a6172c6a19b5aceb4fa151dd8d1d9f1d45ed3f2c59e662a32811ba6f486a"],
    ] as const
  ) {
    const built = buildAppData({ appCode, slippageBips: 50, version: "1.6.0" });
    assertEquals(
      built.fullAppData,
      `{"appCode":"${appCode}","metadata":{"quote":{"slippageBips":50}},"version":"1.6.0"}`,
    );
    assertEquals(built.hash, hash);
    // The order of the terms is no part of it.
    assertEquals(buildAppData({ version: "1.6.0", slippageBips: 50, appCode }), built);
  }
});

Deno.test("buildAppData() accepts each form of a partner fee, but no mix", () => {
  const recipient = RECIPIENT;
  const build = (partnerFee: unknown) =>
    buildAppData({ appCode: "Bot", partnerFee: partnerFee as PartnerFee });
  for (
    const fee of [
      { volumeBps: 25, recipient },
      { bps: 25, recipient },
      { surplusBps: 5_000, maxVolumeBps: 100, recipient },
      { priceImprovementBps: 5_000, maxVolumeBps: 100, recipient },
    ]
  ) {
    for (const partnerFee of [fee, [fee], [fee, { volumeBps: 1, recipient }]]) {
      assertEquals(JSON.parse(build(partnerFee).fullAppData).metadata, { partnerFee });
    }
  }
  for (
    const [fee, named] of [
      [
        { volumeBps: 1, surplusBps: 2, maxVolumeBps: 3, recipient },
        "maxVolumeBps and surplusBps and",
      ],
      [{ surplusBps: 2, recipient }, "of surplusBps\n"],
      [{ volumeBps: 1, maxVolumeBps: 3, recipient }, "of maxVolumeBps and volumeBps"],
      [{ recipient }, "without basis points"],
      [null, "without basis points"],
    ] as const
  ) assertThrows(() => build(fee), InputError, named);
});

Deno.test("buildAppData() writes gas limits as text, the only form that the service reads", () => {
  const build = (gasLimit: string | number) =>
    buildAppData({
      appCode: "Bot",
      hooks: { post: [{ target: RECIPIENT, callData: "0x", gasLimit }] },
    });
  assertEquals(JSON.parse(build(21_000).fullAppData).metadata.hooks.post[0].gasLimit, "21000");
  assertEquals(build(21_000), build("21000"));
  for (const gasLimit of [-1, 1.5, NaN, "0x5208", "many", "", "18446744073709551616"]) {
    assertThrows(() => build(gasLimit), InputError, `gasLimit is ${gasLimit}`);
  }
});

Deno.test("buildAppData() rejects what the service rejects", () => {
  const appCode = "Bot";
  assertThrows(() => buildAppData({ appCode: "" }), InputError, "without an appCode");
  const misspelt = { appCode, slippageBps: 50 };
  assertThrows(() => buildAppData(misspelt), InputError, '"slippageBps": unknown option');
  for (const slippageBips of [-1, 10_001, 0.5, NaN]) {
    assertThrows(() => buildAppData({ appCode, slippageBips }), InputError, "slippageBips");
  }
  assertThrows(() => buildAppData({ appCode, orderClass: "swap" as "twap" }), InputError, '"swap"');
  const recipient = RECIPIENT;
  const refused: [AppDataTerms, string][] = [
    [{ appCode, partnerFee: { volumeBps: 10_001, recipient } }, "partnerFee.volumeBps"],
    [{ appCode, partnerFee: { volumeBps: 1, recipient: "me" } }, "partnerFee"],
    [{ appCode, hooks: { pre: [{ target: "0x12", callData: "0x", gasLimit: "1" }] } }, "hooks"],
  ];
  for (const [terms, fault] of refused) assertThrows(() => buildAppData(terms), InputError, fault);
});

Deno.test("buildAppData() limits documents to 8192 bytes", () => {
  const empty = buildAppData({ appCode: "-" }).fullAppData.length - 1;
  const full = buildAppData({ appCode: "a".repeat(8192 - empty) });
  assertEquals(full.fullAppData.length, 8192);
  const ask = () => buildAppData({ appCode: "ä".repeat((8194 - empty) >> 1) + "a" });
  const error = assertThrows(ask, InputError);
  assert(/of 819[345] bytes/.test(error.message), error.message);
});

Deno.test("buildAppData() and registerAppData() reject a document that is nested too deeply", async () => {
  const service = answering(EMPTY_HASH);
  const list = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  const object = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
  for (const deep of [list, object]) {
    for (const terms of [{ metadata: { deep } }, { hooks: deep }]) {
      const build = () => buildAppData({ appCode: "Bot", ...terms } as AppDataTerms);
      assertThrows(build, InputError, "nested more than 1000 levels deep");
    }
  }
  const ask = () => connect(service).registerAppData(object);
  await assertRejects(ask, InputError, "1000 levels deep");
  assertEquals(service.requests, []);
});

const EMPTY_HASH = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
const OTHER_HASH = `0x${"12".repeat(32)}`;
const LOUD_HASH = `0x${EMPTY_HASH.slice(2).toUpperCase()}`;

Deno.test("getAppData() rejects another document, in particular the empty one", async () => {
  for (const [fullAppData, hash] of [["{}", EMPTY_HASH], ["{ }", hashAppData("{ }")]] as const) {
    const service = new FakeTransport(() => ({ body: { fullAppData } }));
    const asks = [
      () => getAppData(service, OTHER_HASH),
      () => connect(service).appData(OTHER_HASH),
    ];
    for (const ask of asks) {
      const error = await assertRejects(ask, MismatchError);
      assertEquals([error.field, error.asked, error.answered], ["hash", OTHER_HASH, hash]);
    }
  }
  const service = new FakeTransport(() => ({ body: { fullAppData: "{}" } }));
  assertEquals(await connect(service).appData(LOUD_HASH), {});
});

function answering(hash: string): FakeTransport {
  const body = JSON.stringify(hash);
  return new FakeTransport(() => ({ status: 201, contentType: "application/json", body }));
}

Deno.test("putAppData() accepts only the document's own hash", async () => {
  const service = answering(OTHER_HASH);
  const asks = [() => putAppData(service, "{}"), () => connect(service).registerAppData({})];
  for (const ask of asks) {
    const error = await assertRejects(ask, MismatchError);
    assertEquals([error.asked, error.answered], [EMPTY_HASH, OTHER_HASH]);
  }
  assertEquals((await putAppData(answering(LOUD_HASH), "{}")).created, true);
});
