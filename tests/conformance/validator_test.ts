import { assertEquals } from "@std/assert";
import { PUBLISHED } from "./specification.ts";
import { Validator } from "./validator.ts";
import { checkIdentity } from "../../tools/conformance/check_identity.ts";
import { JIT_DEPLOYMENT, jitRecording } from "../jit_recording.ts";

const validator = new Validator(PUBLISHED);

function violations(name: string, value: unknown): string[] {
  return validator.violationsOf(value, {
    schema: { $ref: `#/components/schemas/${name}` },
    at: "body",
  });
}

Deno.test("violationsOf() supports the differences of OpenAPI 3.0 to JSON Schema", () => {
  assertEquals(violations("Volume", { factor: 0.5 }), []);
  assertEquals(violations("Volume", { factor: 1 }), ["body.factor must be < 1"]);
  const data = { userValidTo: 7, refundTxHash: null };
  assertEquals(violations("EthflowData", data), []);
  assertEquals(violations("EthflowData", { ...data, userValidTo: null }), [
    "body.userValidTo must be integer",
  ]);
});

Deno.test("checkIdentity() derives a JIT order from the contract of other orders", async () => {
  const { jitOrder, userOrder } = await jitRecording({ owners: [] });
  assertEquals(await checkIdentity(userOrder), "recovered");
  assertEquals(await checkIdentity(jitOrder), "not derivable");
  assertEquals(await checkIdentity(jitOrder, [JIT_DEPLOYMENT.settlementContract]), "recovered");
});
