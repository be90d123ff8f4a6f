import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { buildAppData } from "../../lib/client/mod.ts";
import { InputError } from "../../lib/errors/mod.ts";
import { hashAppData } from "../../lib/evm/mod.ts";
import { connect, MismatchError } from "orderlens";
import { putAppData } from "orderlens/client";
import { FakeTransport } from "../endpoints/fake_transport.ts";

const RECIPIENT = `0x${"c3".repeat(20)}`;

Deno.test("buildAppData() writes every term to the field that the service reads", () => {
  const hook = { target: RECIPIENT, callData: "0x1234", gasLimit: "80000" };
  const { fullAppData } = buildAppData({
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

const recipient = RECIPIENT;
const hooked = (hook: object) => ({
  hooks: { post: [{ target: RECIPIENT, callData: "0x", gasLimit: "1", ...hook }] },
});
/** The longest name of an app, of one-byte characters, in a document with nothing else. */
const LONGEST = 8192 - (buildAppData({ appCode: "-" }).fullAppData.length - 1);

/** Terms that the service would not read, and what their error says. */
const REFUSED: readonly (readonly [terms: object, says: string])[] = [
  [{ appCode: "" }, "without an appCode"],
  [{ slippageBps: 50 }, '"slippageBps": unknown option'],
  ...[-1, 10_001, 0.5, NaN].map((slippageBips) => [{ slippageBips }, "slippageBips"] as const),
  [{ orderClass: "swap" }, '"swap"'],
  [{ partnerFee: { volumeBps: 10_001, recipient } }, "partnerFee.volumeBps"],
  [{ partnerFee: { volumeBps: 1, recipient: "me" } }, "partnerFee"],
  [
    { partnerFee: { volumeBps: 1, surplusBps: 2, maxVolumeBps: 3, recipient } },
    "maxVolumeBps and surplusBps and",
  ],
  [{ partnerFee: { surplusBps: 2, recipient } }, "of surplusBps\n"],
  [{ partnerFee: { volumeBps: 1, maxVolumeBps: 3, recipient } }, "of maxVolumeBps and volumeBps"],
  [{ partnerFee: { recipient } }, "without basis points"],
  [{ partnerFee: null }, "without basis points"],
  [hooked({ target: "0x12" }), "hooks"],
  ...[-1, 1.5, NaN, "0x5208", "many", "", "18446744073709551616"].map((gasLimit) =>
    [hooked({ gasLimit }), `gasLimit is ${gasLimit}`] as const
  ),
  // A character more, and as many characters but one byte more.
  [{ appCode: "a".repeat(LONGEST + 1) }, "of 8193 bytes"],
  [{ appCode: "a".repeat(LONGEST - 1) + "ä" }, "of 8193 bytes"],
];

Deno.test("buildAppData rejects terms that the service cannot read", () => {
  for (const [terms, says] of REFUSED) {
    assertThrows(() => buildAppData({ appCode: "Bot", ...terms }), InputError, says);
  }
  assertEquals(buildAppData({ appCode: "a".repeat(LONGEST) }).fullAppData.length, 8192);
});

Deno.test("buildAppData() accepts each form of a partner fee", () => {
  for (
    const fee of [
      { volumeBps: 25, recipient },
      { bps: 25, recipient },
      { surplusBps: 5_000, maxVolumeBps: 100, recipient },
      { priceImprovementBps: 5_000, maxVolumeBps: 100, recipient },
    ]
  ) {
    for (const partnerFee of [fee, [fee, { volumeBps: 1, recipient }]]) {
      const { fullAppData } = buildAppData({ appCode: "Bot", partnerFee });
      assertEquals(JSON.parse(fullAppData).metadata, { partnerFee });
    }
  }
});

Deno.test("buildAppData() writes gas limits as text, the only form that the service reads", () => {
  const build = (gasLimit: string | number) =>
    buildAppData({ appCode: "Bot", ...hooked({ gasLimit }) });
  assertEquals(JSON.parse(build(21_000).fullAppData).metadata.hooks.post[0].gasLimit, "21000");
  assertEquals(build(21_000), build("21000"));
});

Deno.test("buildAppData() and registerAppData() reject a document that is nested too deeply", async () => {
  const service = answering(EMPTY_HASH);
  const list = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  const object = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
  for (
    const terms of [{ metadata: { list } }, { metadata: { object } }, { hooks: object }] as object[]
  ) {
    const build = () => buildAppData({ appCode: "Bot", ...terms });
    assertThrows(build, InputError, "nested more than 1000 levels deep");
  }
  const ask = () => connect(service).registerAppData(object);
  await assertRejects(ask, InputError, "1000 levels deep");
  assertEquals(service.requests, []);
});

const EMPTY_HASH = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
const OTHER_HASH = `0x${"12".repeat(32)}`;
const LOUD_HASH = `0x${EMPTY_HASH.slice(2).toUpperCase()}`;

function answering(hash: string): FakeTransport {
  const body = JSON.stringify(hash);
  return new FakeTransport(() => ({ status: 201, contentType: "application/json", body }));
}

Deno.test("a book accepts only the document of the hash, and the hash of the document", async () => {
  for (const [fullAppData, hash] of [["{}", EMPTY_HASH], ["{ }", hashAppData("{ }")]] as const) {
    const book = connect(new FakeTransport(() => ({ body: { fullAppData } })));
    const error = await assertRejects(() => book.appData(OTHER_HASH), MismatchError);
    assertEquals([error.field, error.asked, error.answered], ["hash", OTHER_HASH, hash]);
    if (hash === EMPTY_HASH) assertEquals(await book.appData(LOUD_HASH), {});
  }
  const register = () => connect(answering(OTHER_HASH)).registerAppData({});
  const error = await assertRejects(register, MismatchError);
  assertEquals([error.asked, error.answered], [EMPTY_HASH, OTHER_HASH]);
  assertEquals((await putAppData(answering(LOUD_HASH), "{}")).created, true);
});
