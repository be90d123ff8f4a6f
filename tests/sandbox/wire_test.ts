import { assertEquals, assertThrows } from "@std/assert";
import { encodeHooks } from "../../lib/evm/settlement/encode_settlement.ts";
import { HOOKS_TRAMPOLINE } from "../../lib/networks/network.ts";
import { checkAppData } from "../../lib/sandbox/wire/check_app_data.ts";
import { Fields, optional, required } from "../../lib/sandbox/wire/fields.ts";
import {
  integer,
  Mismatch,
  orNull,
  parseJson,
  parseU64,
} from "../../lib/sandbox/wire/loose_values.ts";
import { Rejection } from "../../lib/sandbox/wire/reply.ts";

const ADDRESS = `0x${"ba".repeat(20)}`;

/** Documents and the service's errors, without the place in the document. */
const REFUSED: readonly [string, string][] = [
  ["[]", "invalid type: sequence, expected struct Root"],
  ['{"metadata":{"enableFastPath":true}}', "'enableFastPath' is not yet supported"],
  ['{"metadata":{"signer":"0x12"}}', "invalid string length"],
  ['{"metadata":{"hooks":{"pre":[{"target":"0x12"}]}}}', "invalid string length"],
];

Deno.test("checkAppData() rejects a document with the service's words", () => {
  for (const [document, message] of REFUSED) {
    assertEquals(assertThrows(() => checkAppData(document), Mismatch).message, message);
  }
});

Deno.test("checkAppData() reads every form of a partner fee, in the document's order", () => {
  const fees = [
    { recipient: ADDRESS, volumeBps: 10 },
    { recipient: ADDRESS, surplusBps: 2_500, maxVolumeBps: 60 },
    { recipient: ADDRESS, priceImprovementBps: 3_000, maxVolumeBps: 40 },
    { recipient: ADDRESS, bps: 5 },
  ];
  const document = JSON.stringify({ metadata: { partnerFee: fees } });
  assertEquals(checkAppData(document).partnerFees, fees);
  const single = JSON.stringify({ metadata: { partnerFee: fees[0] } });
  assertEquals(checkAppData(single).partnerFees, fees.slice(0, 1));
});

Deno.test("checkAppData() reads hooks, the signer and the replaced order", () => {
  const hook = { target: ADDRESS.toUpperCase().replace("X", "x"), callData: "0x12", gasLimit: "7" };
  const uid = `0x${"ab".repeat(56)}`;
  const metadata = {
    hooks: { pre: [hook], post: [hook, hook] },
    signer: ADDRESS,
    replacedOrder: { uid },
  };
  const checked = checkAppData(JSON.stringify({ version: "1", metadata }));
  assertEquals([checked.signer, checked.replacedOrder, checked.hookGas], [ADDRESS, uid, 21]);
  const call = { target: ADDRESS, callData: "0x12", gasLimit: 7n };
  const through = (...hooks: typeof call[]) => [
    { target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) },
  ];
  assertEquals(checked.interactions, { pre: through(call), post: through(call, call) });
});

Deno.test("parseJson() rejects what is no JSON, infinite numbers and lone surrogates", () => {
  for (const text of ["", "{", "[1,]", "{} {}", "01", "1e400", '"\\ud800"', '"\t"', "\ufeff{}"]) {
    assertThrows(() => parseJson(text), Mismatch, "invalid JSON");
  }
  for (const depth of [5_000, 1_000_000]) {
    assertEquals(orNull(() => parseJson("[".repeat(depth))), null);
  }
});

Deno.test("orNull() is null only for a mismatch", () => {
  assertEquals([orNull(() => parseU64("7")), orNull(() => parseU64("seven"))], [7n, null]);
  assertThrows(() =>
    orNull(() => {
      throw new RangeError("no mismatch");
    }), RangeError);
});

Deno.test("Fields.deferred() reports its errors without the name of the field", () => {
  const fields = Fields.of('{"n":-1}', "Thing");
  assertEquals(fields.deferred("missing", optional(integer("u32"))), null);
  const { reply } = assertThrows(() => fields.deferred("n", required(integer("u32"))), Rejection);
  assertEquals(
    `${reply.status} ${reply.body}`,
    [
      "422 Failed to deserialize the JSON body into the target type",
      "invalid value: integer `-1`, expected u32",
    ].join(": "),
  );
});
