import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { createFeePolicies } from "../../lib/sandbox/market/fee_policies.ts";
import { Ledger, OUTSIDE, Random } from "../../lib/sandbox/market/ledger.ts";
import { Pool } from "../../lib/sandbox/market/liquidity.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import {
  estimateNetworkFee,
  MarketTime,
  quoteGross,
  toExactDecimal,
  toStoredQuote,
} from "../../lib/sandbox/market/market_quote.ts";
import { keepFunded } from "../../lib/sandbox/market/traders.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { bookOrder, ETHER, GNO, QUOTE as quote, USDC, WETH } from "./book_orders.ts";

/** The time at which a market opens. */
const OPENING = Temporal.Instant.from("2026-11-21T00:00:00Z");

Deno.test("BookOrder.toRecord() shows quote metadata once the order is no longer open", () => {
  const order = bookOrder({}, { quote });
  const facts = { now: OPENING, settlementContract: "0x90" };
  assertEquals(order.toRecord(facts).quote?.metadata, null);
  order.isCancelled = true;
  assertEquals(typeof order.toRecord(facts).quote?.metadata, "object");
});

const MNEMONIC = "test test test test test test test test test test test junk";

Deno.test("DEVELOPMENT_ACCOUNTS are the first ten of the well-known mnemonic, and hide their keys", () => {
  assertEquals(DEVELOPMENT_ACCOUNTS.length, 10);
  const text = JSON.stringify(DEVELOPMENT_ACCOUNTS) + Deno.inspect(DEVELOPMENT_ACCOUNTS);
  for (const [addressIndex, { address, privateKey }] of DEVELOPMENT_ACCOUNTS.entries()) {
    assertEquals(privateKeyToAccount(privateKey as `0x${string}`).address.toLowerCase(), address);
    assert(!text.includes(privateKey));
    // Deriving one takes longest.
    if (addressIndex % 9 > 0) continue;
    assertEquals(mnemonicToAccount(MNEMONIC, { addressIndex }).address.toLowerCase(), address);
  }
});

const recipient = `0x${"9a".repeat(20)}`;
const SHARE = { factor: 0.5, maxVolumeFactor: 0.0098 };
const VOLUME = { volume: { factor: 0.0002 } };

const stored = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 10n };

const orderFor = (buyAmount: bigint) => ({ kind: "sell", sellAmount: 1_000n, buyAmount }) as const;
const SURPLUS = [{ surplus: SHARE }, VOLUME];

/** Buy amounts, quotes and partner fees of orders, and their policies. */
const POLICIES: readonly [bigint, typeof quote | null, object[], object[]][] = [
  // The quote is worth 2,000 less 10 * 2,000 / 1,000: 1,980.
  [1_980n, quote, [], [{ priceImprovement: { ...SHARE, quote: stored } }, VOLUME]],
  [1_981n, quote, [], SURPLUS],
  [1n, null, [], SURPLUS],
  [1_981n, quote, [
    { bps: 10, recipient },
    { volumeBps: 20, recipient },
    { surplusBps: 2_500, maxVolumeBps: 30, recipient },
    { priceImprovementBps: 10_000, maxVolumeBps: 5, recipient },
  ], [
    ...SURPLUS,
    { volume: { factor: 0.001 } },
    { volume: { factor: 0.002 } },
    { surplus: { factor: 0.25, maxVolumeFactor: 0.003 } },
    // A factor of 1 could not be inverted.
    { priceImprovement: { factor: 0.99, maxVolumeFactor: 0.0005, quote: stored } },
  ]],
  // Without a quote there is nothing to improve.
  [1n, null, [{ priceImprovementBps: 3_000, maxVolumeBps: 40, recipient }], [
    ...SURPLUS,
    { surplus: { factor: 0.3, maxVolumeFactor: 0.004 } },
  ]],
];

Deno.test("createFeePolicies() charges improvement in the market and surplus outside it, then partner fees", () => {
  for (const [buyAmount, quote, fees, policies] of POLICIES) {
    const partnerFees = fees as Parameters<typeof createFeePolicies>[0]["partnerFees"];
    assertEquals<object>(
      createFeePolicies({ order: orderFor(buyAmount), quote, partnerFees }),
      policies,
    );
  }
});

Deno.test("createFeePolicies() charges all partners together at most 1%, and never less than 0", () => {
  const volumes = (...bps: number[]) =>
    createFeePolicies({
      order: orderFor(1n),
      quote,
      partnerFees: bps.map((volumeBps) => ({ volumeBps, recipient })),
    }).slice(2).map(({ volume }) => volume!.factor);
  // (1 + 1%) / (1 + 0.8%) - 1
  assertEquals(volumes(80, 90), [0.008, 1.01 / 1.008 - 1]);
  const factors = volumes(76, 17, 100, 100);
  assert(Math.abs(factors.reduce((all, factor) => all * (1 + factor), 1) - 1.01) < 1e-12);
  assertEquals(factors.at(-1), 0);
});

Deno.test("estimateNetworkFee() is the gas cost in the sell token, rounded up", () => {
  const gas = { gasAmount: 198_391, gasPrice: 1_000_000_000 };
  assertEquals(estimateNetworkFee({ ...gas, sellTokenPrice: 1 }), 198_391n * 10n ** 9n);
  // An atom of USDC is worth 4 * 10^8 wei: 495,977.5 of them.
  assertEquals(estimateNetworkFee({ ...gas, sellTokenPrice: 4e8 }), 495_978n);
});

Deno.test("toExactDecimal() is the exact double, not its decimal text", () => {
  assertEquals(
    String(toExactDecimal(0.1)),
    "0.1000000000000000055511151231257827021181583404541015625",
  );
  assertEquals(String(toExactDecimal(2 ** 70)), "1180591620717411303424");
  assertEquals(String(toExactDecimal(0.5)), "0.5");
});

Deno.test("Ledger.move() rejects overdrafts and negative amounts", () => {
  const ledger = new Ledger();
  ledger.move("x", 10n, { from: OUTSIDE, to: "ann" });
  assertThrows(() => ledger.move("x", 11n, { from: "ann", to: "bob" }), RangeError, "-1 would");
  assertThrows(() => ledger.move("x", -1n, { from: "ann", to: "bob" }), RangeError);
  assertThrows(() => ledger.move("x", -1n, { from: OUTSIDE, to: "bob" }), RangeError);
  assertEquals(ledger.balanceOf("ann", "x"), 10n);
});

const market = new Market(1);
const quoter = { address: "0x50", hops: 1 };
const sale = { sellToken: WETH, buyToken: USDC, kind: "sell", atoms: ETHER } as const;

Deno.test("quoteGross() is the output of the pools for a sell order, with gas reported separately", () => {
  const quote = quoteGross(sale, { ...market.solverView, quoter });
  assertEquals(quote, {
    gasAmount: 198_391,
    gasPrice: 1_200_000_007,
    sellTokenPrice: 1,
    sellAmount: ETHER,
    // 15 * 10^12 * 997 * 10^18 / (6,000 * 10^21 + 997 * 10^18), less a fee of 0.3 %.
    buyAmount: 2_492_085_898n,
    feeAmount: 198_391n * 1_200_000_007n,
    solver: "0x50",
  });
  // Without a route there is none, nor for less than an atom, or for a whole pool.
  for (
    const changes of [
      { sellToken: GNO },
      { buyToken: `0x${"77".repeat(20)}` },
      { atoms: 1n },
      { kind: "buy", atoms: 15n * 10n ** 12n },
    ] as const
  ) assertEquals(quoteGross({ ...sale, ...changes }, { ...market.solverView, quoter }), null);
});

Deno.test("toStoredQuote() scales a quote to the fixed amount, rounded against the trader", () => {
  const quote = quoteGross(sale, { ...market.solverView, quoter })!;
  const scaled = (kind: "sell" | "buy") => {
    const { sellAmount, buyAmount } = toStoredQuote(quote, { kind, sellAmount: 3n, buyAmount: 1n });
    return [sellAmount, buyAmount];
  };
  // 3 atoms of WETH buy less than one of USDC; one of USDC costs 10^18 / 2,492,085,898, up.
  assertEquals(scaled("sell"), [3n, 0n]);
  assertEquals(scaled("buy"), [401_270_278n, 1n]);
});

Deno.test("MarketTime follows a clock that is ahead", () => {
  const time = new MarketTime();
  let wall = OPENING.epochMilliseconds + 60_000;
  time.follow(() => wall);
  assertEquals(time.ms, wall);
  time.tick();
  assertEquals(time.ms, wall);
  wall += 1_500;
  assertEquals(time.ms, wall);
  wall -= 10_000;
  assertEquals(time.ms, wall + 10_000, "it never runs backwards");
});

Deno.test("MarketTime stamps each event later than the previous one, in microseconds", () => {
  const time = new MarketTime();
  const stamps = [time.stamp(), time.stamp()];
  time.tick();
  stamps.push(time.stamp());
  assertEquals(stamps.map(String), [
    "2026-11-21T00:00:00Z",
    "2026-11-21T00:00:00.000001Z",
    "2026-11-21T00:00:02Z",
  ]);
});

const pool = () => new Pool(["x", "y"], [1_000_000n, 2_000_000n]);

Deno.test("Pool.calculateOutput() follows the constant product, less 0.3%", () => {
  // 2,000,000 * 1,000 * 0.997 / (1,000,000 + 1,000 * 0.997) = 1,992.01
  assertEquals(pool().calculateOutput("x", 1_000n), 1_992n);
  // 2,000,000 * 1,992 / ((1,000,000 - 1,992) * 0.997) = 4,003.96
  assertEquals(pool().calculateInput("y", 1_992n), 4_004n);
  assertEquals(pool().calculateInput("x", 2_000_000n), null);
});

Deno.test("Pool.calculateInput() takes enough input for an output, and for no atom more", () => {
  fc.assert(fc.property(fc.bigInt(1n, 1_999_999n), (wanted) => {
    const paid = pool().calculateInput("x", wanted)!;
    assert(pool().calculateOutput("x", paid) >= wanted);
    assert(paid === 0n || pool().calculateOutput("x", paid - 1n) <= wanted);
  }));
});

Deno.test("Random differs for other streams, and for seeds above 32 bits", () => {
  const numbers = (seed: number, stream: string) => {
    const random = new Random(seed, stream);
    return Array.from({ length: 8 }, () => random.next()).join();
  };
  assert(numbers(7, "a") !== numbers(7, "b"));
  assert(numbers(7, "a") !== numbers(7 + 2 ** 32, "a"));
});

Deno.test("keepFunded() refills low balances", () => {
  const { ledger } = new Market(1);
  const steady = DEVELOPMENT_ACCOUNTS[1]!.address;
  ledger.move(WETH, 199_500n * ETHER, { from: steady, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(steady, WETH), 500n * ETHER);
  ledger.move(WETH, 1n, { from: steady, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(steady, WETH), 50_500n * ETHER - 1n);
});
