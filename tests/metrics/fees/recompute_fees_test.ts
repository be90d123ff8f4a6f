import { type Fill, type OrderLimit, recomputeFees, type StoredQuote } from "orderlens/metrics";
import type { FeePolicy, PolicyQuote } from "orderlens/schemas";
import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { assertReason, buys, computed, fill, quoted, reasonOf, sells } from "../fixtures.ts";

/** A fill after all fees. */
interface Charged {
  order: OrderLimit;
  /** The fixed amount: sold by a sell order, bought by a buy order. */
  executed: bigint;
  /** The open amount: bought by a sell order, sold by a buy order. */
  after: bigint;
}

/** `f / (1 ∓ f)` times 10^18 in doubles, to the nearest integer, ties to even. */
function wad(multiplier: number): bigint {
  const product = multiplier * 1e18;
  if (product >= 2 ** 52) return BigInt(product);
  // Below 2^52 adding 2^52 leaves no bits for a fraction: the sum rounds half to even.
  return BigInt(product + 2 ** 52 - 2 ** 52);
}

function share(amount: bigint, multiplier: number): bigint {
  return amount * wad(multiplier) / 10n ** 18n;
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return a / b + (a % b > 0n ? 1n : 0n);
}

/** What surplus is counted from: the limit scaled to the fill, or the quote's in its place. */
function baseline({ order, executed }: Omit<Charged, "after">, quote?: PolicyQuote): bigint {
  const { kind, sellAmount: S, buyAmount: B } = order;
  if (kind === "sell") {
    const net = quote && quote.buyAmount - quote.fee * quote.buyAmount / quote.sellAmount;
    const quoted = quote && net !== undefined ? net * S / quote.sellAmount : 0n;
    return ceilDiv(executed * (quoted > B ? quoted : B), S);
  }
  const quoted = quote && (quote.sellAmount + quote.fee) * B / quote.buyAmount;
  return (quoted !== undefined && quoted < S ? quoted : S) * executed / B;
}

/** What a policy takes if the open amount is `after` once it has. */
function feeAt({ after, ...fixed }: Charged, policy: FeePolicy): bigint {
  const isSell = fixed.order.kind === "sell";
  const ofVolume = (f: number) => share(after, isSell ? f / (1 - f) : f / (1 + f));
  if (policy.volume !== undefined) return ofVolume(policy.volume.factor);
  const terms = policy.surplus ?? policy.priceImprovement;
  if (terms === undefined) throw new Error("a policy of an unknown kind cannot be charged");
  const from = baseline(fixed, policy.priceImprovement?.quote);
  const better = isSell ? after - from : from - after;
  const fee = share(better < 0n ? 0n : better, terms.factor / (1 - terms.factor));
  const cap = ofVolume(terms.maxVolumeFactor);
  return fee < cap ? fee : cap;
}

/** What each policy took, the last one of the fill, each before it of what the later ones took from. */
function feesOf(charged: Charged, policies: readonly FeePolicy[]): bigint[] {
  let { after } = charged;
  return policies.toReversed().map((policy) => {
    const fee = feeAt({ ...charged, after }, policy);
    after += charged.order.kind === "sell" ? fee : -fee;
    return fee;
  }).reverse();
}

const ONE = 10n ** 18n;
const SELL = sells(ONE, 2_000_000_000n);
const SOLD = fill(ONE, 2_100_000_000n);
const SELL_QUOTE = quoted(ONE, 2_080_000_000n, 5n * 10n ** 15n);
const BUY = buys(2_100_000_000n, ONE);
const BOUGHT = fill(2_050_000_000n, ONE);

const volume = (factor: number): FeePolicy => ({ volume: { factor } });
const surplus = (factor: number, maxVolumeFactor: number): FeePolicy => ({
  surplus: { factor, maxVolumeFactor },
});

const improvement = (quote: typeof SELL_QUOTE): FeePolicy => ({
  priceImprovement: { factor: 0.5, maxVolumeFactor: 0.0098, quote },
});

function atomsOf(fees: ReturnType<typeof recomputeFees>): bigint[] {
  return fees.map((fee) => computed(fee).atoms);
}

function reasonsOf(fees: ReturnType<typeof recomputeFees>): string[] {
  return fees.map((fee) => reasonOf(fee) ?? "computed");
}

// crates/orderbook/src/quoter.rs and the SDK's getProtocolFeeAmount: buy * bps / (10000 - bps).
Deno.test("recomputeFees() of a sell order's volume matches known responses of quotes", () => {
  const feeOn = (buyAmount: bigint, factor: number) =>
    atomsOf(recomputeFees({ sellAmount: ONE, buyAmount }, SELL, { policies: [volume(factor)] }));
  assertEquals(feeOn(267_722_966n, 0.0002), [53_555n]);
  assertEquals(feeOn(8_539_024n, 0.00003), [256n]);
});

Deno.test("recomputeFees() uses the order's quote if the policy has none", () => {
  const policy: FeePolicy = { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } };
  assertEquals(
    atomsOf(recomputeFees(SOLD, SELL, { policies: [policy], quote: SELL_QUOTE })),
    [30_400_000n],
  );
  assertEquals(reasonsOf(recomputeFees(SOLD, SELL, { policies: [policy] })), ["no_quote"]);
});

Deno.test("recomputeFees() is 0 without an improvement, even over a quote that its fee exceeds", () => {
  const improvement = (quote: StoredQuote) =>
    recomputeFees(SOLD, SELL, {
      policies: [{ priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } }],
      quote,
    });
  assertEquals(atomsOf(improvement({ ...SELL_QUOTE, buyAmount: 3_000_000_000n })), [0n]);
  assertEquals(atomsOf(improvement({ ...SELL_QUOTE, fee: 2n * ONE })), [0n]);
});

Deno.test("recomputeFees() returns a reason instead of a fee", () => {
  const unknown: Readonly<Record<string, object>> = { dutchAuction: {} };
  const cases: [reason: string, FeePolicy | null, Fill?, OrderLimit?][] = [
    ["no_policy", null],
    ["unknown_kind", unknown],
    ["factor_one", volume(1)],
    ["factor_one", surplus(1, 0.5)],
    ["factor_one", surplus(0.5, 1)],
    ["factor_out_of_range", volume(1.5)],
    ["factor_out_of_range", volume(-0.1)],
    ["factor_out_of_range", volume(NaN)],
    ["quote_without_price", improvement({ ...SELL_QUOTE, sellAmount: 0n })],
    ["below_limit", surplus(0.5, 0.9), fill(ONE, 1n)],
    ["nothing_executed", volume(0.1), fill(0n, 0n)],
    ["limit_without_price", volume(0.1), SOLD, sells(0n, 2_000_000_000n)],
    ["overflow", volume(0.1), fill(ONE, 2n ** 256n - 1n)],
  ];
  for (const [reason, policy, bought = SOLD, order = SELL] of cases) {
    assertReason(recomputeFees(bought, order, { policies: [policy] })[0], reason);
  }
});

Deno.test("recomputeFees() of a buy order stops if fees exceed the sold amount", () => {
  const policies = [volume(0.1), null];
  const fees = recomputeFees(BOUGHT, BUY, { policies, reportedAtoms: [1n, 2_050_000_001n] });
  assertEquals(reasonsOf(fees), ["fees_above_volume", "no_policy"]);
});

Deno.test("recomputeFees() computes nothing before a policy that is not computable", () => {
  const policies = [volume(0.0002), null, volume(0.001)];
  const fees = recomputeFees(SOLD, SELL, { policies });
  assertEquals(reasonsOf(fees), ["later_policy", "no_policy", "computed"]);
  assertEquals(fees[0]?.kind, "volume");
});

const factors = fc.oneof(
  fc.constantFrom(0, -0, 0.0002, 0.00003, 0.0025, 0.0098, 0.01, 0.2, 0.3, 0.5, 0.75),
  fc.double({ min: 0, max: 0.9, noNaN: true }),
);
const quotes = fc.record({
  sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  fee: fc.constantFrom(0n, 1n),
});
const policies: fc.Arbitrary<FeePolicy[]> = fc.array(
  fc.oneof(
    fc.record({ volume: fc.record({ factor: factors }) }),
    fc.record({ surplus: fc.record({ factor: factors, maxVolumeFactor: factors }) }),
    fc.record({
      priceImprovement: fc.record({ factor: factors, maxVolumeFactor: factors, quote: quotes }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);
const anyCharged: fc.Arbitrary<Charged> = fc.record({
  kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
  sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  filled: fc.integer({ min: 1, max: 10 }),
  better: fc.integer({ min: 0, max: 100 }),
}).map(({ filled, better, ...order }) => {
  // A tenth to the whole of the order, better than its limit by up to as much again.
  const whole = order.kind === "sell" ? order.sellAmount : order.buyAmount;
  const executed = ceilDiv(whole * BigInt(filled), 10n);
  const limit = baseline({ order, executed });
  const gain = limit * BigInt(better) / 100n;
  return { order, executed, after: order.kind === "sell" ? limit + gain : limit - gain / 2n };
});

Deno.test("recomputeFees() has the fees of the documented formulas, for any policies", () => {
  let compared = 0;
  fc.assert(fc.property(anyCharged, policies, (charged, policies) => {
    const { order, executed, after } = charged;
    const fill = order.kind === "sell"
      ? { sellAmount: executed, buyAmount: after }
      : { sellAmount: after, buyAmount: executed };
    if (fill.sellAmount === 0n || fill.buyAmount === 0n) return;
    assertEquals(atomsOf(recomputeFees(fill, order, { policies })), feesOf(charged, policies));
    compared++;
  }));
  assert(compared >= 60, `${compared}`);
});
