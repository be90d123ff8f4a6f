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

Deno.test("violationsOf() names what a schema forbids", () => {
  assertEquals(violations("OrderCancellations", { orderUids: [7], signingScheme: "eip1271" }), [
    "body must have required property 'signature'",
    "body.orderUids.0 must be string",
    "body.signingScheme must be equal to one of the allowed values: eip712,ethsign",
  ]);
  assertEquals(violations("OrderKind", null), [
    "body must be string",
    "body must be equal to one of the allowed values: buy,sell",
  ]);
  assertEquals(violations("DebugEvent", { label: "created", timestamp: "yesterday" }), [
    'body.timestamp must match format "date-time"',
  ]);
});

Deno.test("violationsOf() supports the differences of OpenAPI 3.0 to JSON Schema", () => {
  assertEquals(violations("Volume", { factor: 0.5 }), []);
  assertEquals(violations("Volume", { factor: 1 }), ["body.factor must be < 1"]);
  const data = { userValidTo: 7, refundTxHash: null };
  assertEquals(violations("EthflowData", data), []);
  assertEquals(violations("EthflowData", { ...data, userValidTo: null }), [
    "body.userValidTo must be integer",
  ]);
});

Deno.test("violationsOf() rejects undeclared properties, at any depth", () => {
  const execution = { executedFee: "7", executedFeeToken: "0x", blockNumber: 1 };
  const protocolFees = [{ token: "0x", amount: "7", bps: 2 }];
  assertEquals(violations("DebugExecution", { ...execution, protocolFees, note: "" }), [
    "body.protocolFees.0 must NOT have unevaluated properties: bps",
    "body must NOT have unevaluated properties: note",
  ]);
  // An object of which no property is declared may hold any.
  const error = { errorType: "NoLiquidity", description: "", data: { fee_amount: "0x7" } };
  assertEquals(violations("PriceEstimationError", error), []);
});

Deno.test("checkIdentity() derives a JIT order from the contract of other orders", async () => {
  const { jitOrder, userOrder } = await jitRecording({ owners: [] });
  assertEquals(await checkIdentity(userOrder), "recovered");
  assertEquals(await checkIdentity(jitOrder), "not derivable");
  assertEquals(await checkIdentity(jitOrder, [JIT_DEPLOYMENT.settlementContract]), "recovered");
});
