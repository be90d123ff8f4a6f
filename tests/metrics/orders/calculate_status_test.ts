import fc from "fast-check";
import { calculateStatus, type StatusFacts } from "orderlens/metrics";
import { effectiveValidTo } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "../fixtures.ts";

const now = Temporal.Instant.fromEpochMilliseconds(1_000_000_000);
const tomorrow = 1_000_000 + 86_400;
const yesterday = 1_000_000 - 86_400;

const order: StatusFacts = {
  kind: "sell",
  sellAmount: 2n,
  buyAmount: 1n,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFeeAmount: 0n,
  invalidated: false,
  validTo: tomorrow,
  signingScheme: "eip712",
};

function statusOf(facts: Partial<StatusFacts>, presignaturePending?: boolean) {
  const { status } = calculateStatus({ ...order, ...facts }, {
    now,
    ...(presignaturePending === undefined ? {} : { presignaturePending }),
  });
  return status;
}

// The cases of the service's own test of calculate_status, with its amounts.
Deno.test("calculateStatus() agrees with the cases of the service's own test", () => {
  const presign = { signingScheme: "presign" };
  const cases: [string, Partial<StatusFacts>, boolean?][] = [
    ["open", {}],
    ["open", { sellAmount: 10_000n, executedSellAmount: 9_999n }],
    ["open", presign, false],
    ["presignaturePending", presign, true],
    ["fulfilled", { executedSellAmount: 3n, executedFeeAmount: 1n }],
    ["open", { kind: "buy" }],
    ["open", { kind: "buy", buyAmount: 10_000n, executedBuyAmount: 9_999n }],
    ["fulfilled", { kind: "buy", executedBuyAmount: 1n }],
    ["cancelled", { invalidated: true }],
    ["cancelled", { executedSellAmount: 1n, invalidated: true }],
    ["expired", { validTo: yesterday }],
    ["expired", { executedSellAmount: 1n, validTo: yesterday }],
    ["expired", { ...presign, validTo: yesterday }, true],
    // Without executed amounts nothing is fulfilled.
    ["open", { sellAmount: 0n }],
    ["open", { kind: "buy", buyAmount: 0n }],
  ];
  for (const [status, facts, pending] of cases) {
    assertEquals(statusOf(facts, pending), status, Deno.inspect(facts));
  }
});

Deno.test("calculateStatus() names the first matching rule", () => {
  const facts = { ...order, executedSellAmount: 2n, invalidated: true, validTo: yesterday };
  assertEquals(calculateStatus(facts, { now }), { status: "fulfilled", rule: 1 });
  const unfilled = { ...facts, executedSellAmount: 0n };
  assertEquals(calculateStatus(unfilled, { now }), { status: "cancelled", rule: 2 });
  assertEquals(calculateStatus({ ...unfilled, invalidated: false }, { now }), {
    status: "expired",
    rule: 3,
  });
});

Deno.test("calculateStatus() keeps an order open through the second of its expiry", () => {
  const at = (milliseconds: number) =>
    calculateStatus({ ...order, validTo: 1_000_000 }, {
      now: Temporal.Instant.fromEpochMilliseconds(milliseconds),
    }).status;
  assertEquals(at(1_000_000_999), "open");
  assertEquals(at(1_000_001_000), "expired");
});

Deno.test("calculateStatus() does not decide whether a pre-signed order is signed", () => {
  assertEquals(calculateStatus({ ...order, signingScheme: "presign" }, { now }), {
    status: null,
    oneOf: ["presignaturePending", "open"],
  });
});

Deno.test("effectiveValidTo() is the trader's own for EthFlow orders", () => {
  const ethflowData = { userValidTo: yesterday, refundTxHash: null };
  assertEquals(effectiveValidTo({ validTo: 4_294_967_295, ethflowData }), yesterday);
  assertEquals(statusOf({ validTo: 4_294_967_295, ethflowData }), "expired");
  assertEquals(effectiveValidTo({ validTo: tomorrow }), tomorrow);
});

Deno.test("calculateStatus() decides every order except pre-signed ones", () => {
  fc.assert(fc.property(
    fc.record({
      kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
      sellAmount: anyAmount(),
      buyAmount: anyAmount(),
      executedSellAmount: anyAmount(),
      executedBuyAmount: anyAmount(),
      executedFeeAmount: anyAmount(),
      invalidated: fc.boolean(),
      validTo: fc.nat(0xffff_ffff),
      signingScheme: fc.constantFrom("eip712", "ethsign", "presign", "eip1271"),
    }),
    (facts) => {
      const { status } = calculateStatus(facts, { now });
      assert(status !== null || facts.signingScheme === "presign");
    },
  ));
});
