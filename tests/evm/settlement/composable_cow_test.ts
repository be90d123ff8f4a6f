// Answers of the protocol's own contract; see the README of the test data.
import VECTORS from "../../testdata/evm/composable_cow.json" with { type: "json" };
import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import * as evm from "orderlens/evm";
import { hashUtf8 } from "../../../lib/evm/hex.ts";

const DOMAIN = evm.orderDomain(VECTORS);
const TERMS: evm.TwapTerms = {
  sellToken: `0x${"a1".repeat(20)}`,
  buyToken: `0x${"b2".repeat(20)}`,
  receiver: `0x${"00".repeat(20)}`,
  partSellAmount: 50n,
  minPartLimit: 40n,
  t0: 1_700_000_000n,
  n: 3n,
  t: 3_600n,
  span: 0n,
  appData: `0x${"00".repeat(32)}`,
};
const OWNER = `0x${"c3".repeat(20)}`;

assert(VECTORS.cases.length > 0 && VECTORS.faults.length > 0);
for (const { name, owner, params, start, asked } of VECTORS.cases) {
  Deno.test(`twapParts() has the orders that the contract generates: ${name}`, () => {
    const terms = evm.decodeTwap(params.staticInput);
    if (terms.t0 !== 0n) assertEquals(terms.t0, BigInt(start));
    const parts = [...evm.twapParts(DOMAIN, { owner, terms: { ...terms, t0: BigInt(start) } })];
    assertEquals(parts.length, Number(terms.n));
    const seen = new Set<number>();
    for (const answer of asked) {
      const { at } = answer;
      const part = parts.find(({ validFrom, order }) => validFrom <= at && at <= order.validTo);
      if (answer.reverted !== undefined) {
        assertEquals(part, undefined, `at ${at}: ${answer.reverted}`);
        continue;
      }
      assert(part !== undefined, `at ${at}`);
      const { order: { validTo, sellAmount, buyAmount, receiver }, uid } = part;
      assertEquals<unknown>(
        [validTo, `${sellAmount}`, `${buyAmount}`, receiver, uid.slice(0, 106)],
        [
          ...[answer.validTo, answer.sellAmount, answer.buyAmount],
          ...[answer.receiver?.toLowerCase(), `${answer.digest}${owner.slice(2)}`],
        ],
      );
      seen.add(part.part);
    }
    assertEquals(seen.size, parts.length);
  });
}

Deno.test("programmaticParent() reads the TWAP of a part from its signature", () => {
  for (const { asked, params, isLeaf, id } of VECTORS.cases) {
    const signature = asked.find((answer) => answer.signature !== undefined)!.signature!;
    const parent = evm.programmaticParent(signature);
    assertEquals(parent, { params, isLeaf });
    assertEquals(evm.programmaticOrderId(parent!.params), id);
    assertEquals(evm.programmaticParent(signature.toUpperCase().replace("0X", "0x")), parent);
    for (const end of [-2, -64, -200]) {
      assertEquals(evm.programmaticParent(signature.slice(0, end)), null);
    }
  }
  // Those of other contracts are of no TWAP.
  for (const bytes of [0, 4, 20, 65, 130, 12 * 32, 13 * 32, 1_000]) {
    assertEquals(evm.programmaticParent(`0x${"5f".repeat(bytes)}`), null);
    assertEquals(evm.programmaticParent(`0x5fd7e97d${"00".repeat(bytes)}`), null);
  }
});

Deno.test("programmaticOrderId() names the parameter that is not hex of its length", () => {
  const { params } = VECTORS.cases[0]!;
  const wrong = [
    [{ handler: params.handler.slice(0, -2) }, "the handler", "it has 19 bytes instead of 20"],
    [{ salt: `${params.salt}00` }, "the salt", "it has 33 bytes instead of 32"],
    [{ staticInput: "0x123" }, "the static input", "it has 3 hex digits, an odd number"],
    [{ staticInput: "0xzz" }, "the static input", "character 3 is not a hex digit"],
  ] as const;
  for (const [field, name, fault] of wrong) {
    assertThrows(
      () => evm.programmaticOrderId({ ...params, ...field }),
      InputError,
      `Cannot read ${name} of a programmatic order: ${fault}`,
    );
  }
});

Deno.test("decodeComposableCowEvents() decodes the contract's own logs", () => {
  const events = evm.decodeComposableCowEvents(VECTORS.logs);
  const [proxied, safe] = VECTORS.cases;
  const [first, second, root, guard] = events;
  assert(first?.event === "ConditionalOrderCreated" && second?.event === "ConditionalOrderCreated");
  assertEquals([first.owner, first.params], [proxied!.owner, proxied!.params]);
  assertEquals([second.owner, second.params], [safe!.owner, safe!.params]);
  assertEquals(first.address, VECTORS.composableCow);
  assert(root?.event === "MerkleRootSet" && guard?.event === "SwapGuardSet");
  assertEquals([root.owner, root.location, root.data], [safe!.owner, 1n, "0xc0ffee"]);
  assertEquals(guard.swapGuard, `0x${"00".repeat(20)}`);
});

Deno.test("decodeComposableCowEvents() returns other logs as such and rejects malformed ones", () => {
  const [log] = VECTORS.logs;
  const other = { ...log!, topics: [hashUtf8("Other()")] };
  assertEquals(evm.decodeComposableCowEvents([other])[0]?.event, "other");
  const ask = () => evm.decodeComposableCowEvents([{ ...log!, data: "0x00" }]);
  assertThrows(ask, InputError, "Cannot");
});

for (const { name, staticInput, said } of VECTORS.faults) {
  Deno.test(`twapFault() returns the handler's reason for terms: ${name}`, () => {
    assertEquals(evm.twapFault(evm.decodeTwap(staticInput)), said);
  });
}

Deno.test("twapParts() yields three parts an hour apart, each ending one second before the next", () => {
  const times = (terms: Partial<evm.TwapTerms>, first?: number) =>
    Array.from(
      evm.twapParts(DOMAIN, {
        owner: OWNER,
        terms: { ...TERMS, ...terms },
        ...first !== undefined && { first },
      }),
      ({ part, validFrom, order }) => [part, validFrom, order.validTo],
    );
  assertEquals(times({}), [
    [1, 1_700_000_000, 1_700_003_599],
    [2, 1_700_003_600, 1_700_007_199],
    [3, 1_700_007_200, 1_700_010_799],
  ]);
  assertEquals(times({ span: 1n }, 3), [[3, 1_700_007_200, 1_700_007_200]]);
  assertEquals(times({ span: 3_600n }), times({}));
  // Nothing is generated of terms that the contract refuses.
  assertEquals(times({ n: 1n }), []);
  // The contract's 32 bits end at 4294967295: part 2 would end at 4294967299.
  assertEquals(times({ t0: 4_294_960_100n }), [[1, 4_294_960_100, 4_294_963_699]]);
  // Billions of parts are not generated for the first.
  const terms = { ...TERMS, n: 2n ** 32n - 1n, t: 1n };
  const [first] = evm.twapParts(DOMAIN, { owner: OWNER, terms }).take(1);
  assertEquals(first?.order.validTo, 1_700_000_000);
});

Deno.test("decodeTwap() rejects input that is not the terms of a TWAP", () => {
  const { staticInput } = VECTORS.cases[0]!.params;
  assertEquals(evm.decodeTwap(`${staticInput}ff`), evm.decodeTwap(staticInput));
  const bad = [staticInput.slice(0, -2), "0x", staticInput.replace("0x00", "0x01"), "0xzz"];
  for (const each of bad) assertThrows(() => evm.decodeTwap(each), InputError, "ten words");
});
