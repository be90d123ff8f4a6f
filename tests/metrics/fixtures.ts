import { assertEquals, AssertionError } from "@std/assert";
import fc from "fast-check";
import {
  type Fill,
  isNotComputable,
  type NotComputable,
  type OrderLimit,
  type PolicyStoredQuote,
} from "orderlens/metrics";

/** The largest amount that the chain can hold. */
export const LARGEST = 2n ** 256n - 1n;

/** Amounts of all sizes: small ones, ordinary ones, and those near 2^256. */
export function anyAmount(min = 0n): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min, max: 20n }),
    fc.bigInt({ min, max: 10n ** 24n }),
    fc.bigInt({ min, max: LARGEST }),
    fc.bigInt({ min: LARGEST - 20n, max: LARGEST }),
  );
}

/** Limits that have a price, of both kinds. */
export function anyLimit(): fc.Arbitrary<OrderLimit> {
  return fc.record({
    kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
    sellAmount: anyAmount(1n),
    buyAmount: anyAmount(1n),
  });
}

/** Any quote, gross, with its fee. */
export function anyQuote(): fc.Arbitrary<PolicyStoredQuote> {
  return fc.record({ sellAmount: anyAmount(1n), buyAmount: anyAmount(1n), fee: anyAmount() });
}

/** Fills of any amounts, zero among them. */
export function anyFill(): fc.Arbitrary<Fill> {
  return fc.record({ sellAmount: anyAmount(), buyAmount: anyAmount() });
}

/** Fee factors, the edges among them. */
export function anyFactor(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, -0, 0.0002, 0.0098, 0.3, 0.5, 1, 1 - 2 ** -53, 2 ** -1074, 2, -0.5, NaN),
    fc.constantFrom(Infinity, -Infinity),
  );
}

/** What an order that sells signs. */
export const sells = (sellAmount: bigint, buyAmount: bigint) =>
  ({ kind: "sell", sellAmount, buyAmount }) as const;

/** What an order that buys signs. */
export const buys = (sellAmount: bigint, buyAmount: bigint) =>
  ({ kind: "buy", sellAmount, buyAmount }) as const;

/** What a fill sold, and what it bought. */
export const fill = (sellAmount: bigint, buyAmount: bigint) => ({ sellAmount, buyAmount });

/** A quote before its network fee, in atoms of the sell token. */
export const quoted = (sellAmount: bigint, buyAmount: bigint, fee = 0n) => (
  { sellAmount, buyAmount, fee }
);

/** Asserts that a metric gave a reason, and which. */
export function assertReason(answer: unknown, reason: string): void {
  assertEquals(reasonOf(answer), reason);
}

/** The answer of a metric that has one; fails with the reason of a metric that has none. */
export function computed<Answer>(answer: Answer): Exclude<Answer, NotComputable<string>> {
  if (isNotComputable(answer)) throw new AssertionError({ message: answer.detail });
  return answer as Exclude<Answer, NotComputable<string>>;
}

/** The reason that a metric gave; `undefined` where it gave an answer. */
export function reasonOf(answer: unknown): string | undefined {
  return isNotComputable(answer) ? Reflect.get(Object(answer), "reason") : undefined;
}
