import { InputError, NATIVE_TOKEN_ADDRESS } from "orderlens";
import {
  type SettlementAudit,
  settlementSlippage,
  type SettlementSlippageOptions,
  type TokenImbalances,
} from "orderlens/metrics";
import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { anyAmount, assertReason, computed } from "../fixtures.ts";

const CONTRACT = `0x${"90".repeat(20)}`;
const OWNER = `0x${"01".repeat(20)}`;
const GOLD = `0x${"a1".repeat(20)}`;
const SILVER = `0x${"b2".repeat(20)}`;
const WETH = `0x${"c3".repeat(20)}`;
const WAD = 10n ** 18n;

type Trade = SettlementAudit["trades"][number];

/**
 * 1,000 gold sold for 1,900 silver, at uniform prices of 2 : 1: all fees are 100 silver, or 50 gold. Of
 * these 40 silver are protocol fees, 60 the network fee.
 */
const SALE: Trade = {
  uid: "0x0f",
  owner: OWNER,
  logIndex: 3,
  kind: "sell",
  sellToken: GOLD,
  buyToken: SILVER,
  role: "listed",
  sellAmount: 1_000n,
  buyAmount: 1_900n,
  feeAmount: 0n,
  surplusToken: SILVER,
  surplusAtoms: 100n,
  uniformSellPrice: 2n,
  uniformBuyPrice: 1n,
  sellPrice: 19n,
  buyPrice: 10n,
  priceDifferenceAtoms: 100n,
  allFeesAtoms: 100n,
  executedFee: 50n,
  networkFeeAtoms: 60n,
};
const NO_PROTOCOL_FEES = { reason: "no_protocol_fees", detail: "Not reported" } as const;
const NO_OWNER = { reason: "jit_owner_unknown", detail: "Not known" } as const;

function flows(
  tokens: readonly (readonly [token: string, netAtoms: bigint])[],
  unknown: TokenImbalances["unknown"] = [],
): TokenImbalances {
  return {
    tokens: tokens.map(([token, netAtoms]) => ({ token, inAtoms: 0n, outAtoms: 0n, netAtoms })),
    unknown,
  };
}

/** A settlement of the sale that leaves 31 gold and 45 silver: an atom of gold and 5 of silver too many. */
function audited(more: Partial<SettlementAudit> = {}): SettlementAudit {
  return {
    txHash: "0xaa",
    blockNumber: 100,
    auctionId: 7,
    settlementContract: CONTRACT,
    solver: `0x${"50".repeat(20)}`,
    succeeded: true,
    gasUsed: 1n,
    effectiveGasPrice: null,
    gasCost: null,
    isDecoded: true,
    trades: [SALE],
    uniformPrices: new Map(),
    imbalances: flows([[GOLD, 31n], [SILVER, 45n]]),
    differences: [],
    unverified: [],
    ...more,
  };
}

const PRICES: Readonly<Record<string, bigint>> = { [GOLD]: 3n * WAD, [SILVER]: 15n * WAD / 10n };
const PRICED: SettlementSlippageOptions = { findPrice: (token) => PRICES[token] };

function slippageOf(more: Partial<SettlementAudit>, options = PRICED) {
  return computed(settlementSlippage(audited(more), options));
}

Deno.test("settlementSlippage values what is left after protocol fees and network fees, worked by hand", () => {
  // The network fee in gold: 50 - 40 * (1000 - 50) / 1900 = 30. Left are 1 gold and 5 silver.
  assertEquals(slippageOf({}), {
    // 31 * 3 + 45 * 1.5 = 160.5; 30 * 3 + 40 * 1.5 = 150.
    imbalance: { low: 160n, high: 160n },
    fees: { low: 150n, high: 150n },
    slippage: { low: 10n, high: 10n },
    missing: [],
  });
  // A solver that took the fees elsewhere owes them: -150 + 0, and a loss is rounded down.
  const taken = slippageOf({ imbalances: flows([[SILVER, -1n]]) });
  assertEquals(taken.imbalance, { low: -2n, high: -2n });
  assertEquals(taken.slippage, { low: -152n, high: -152n });
  // No trades, as in a settlement that only moves buffers.
  assertEquals(slippageOf({ trades: [] }).slippage, { low: 160n, high: 160n });
});

Deno.test("settlementSlippage of a settlement on Arbitrum is within the bounds of its calldata", () => {
  // Auction 8339027, block 491743388: 2.385464 USDC for 2.385773 USDT, whose swap returns 2386577
  // atoms; prices of the auction's instance. Bounds as Python's fractions give them.
  const [usdc, usdt] = [GOLD, SILVER];
  const prices: Readonly<Record<string, bigint>> = {
    [usdc]: 522_566_719_487_592_554_773_348_352n,
    [usdt]: 522_065_060_506_477_648_741_924_864n,
  };
  const trade: Trade = {
    ...SALE,
    sellAmount: 2_385_464n,
    buyAmount: 2_385_773n,
    uniformSellPrice: 2_386_576n,
    uniformBuyPrice: 2_385_463n,
    allFeesAtoms: 805n,
    networkFeeAtoms: NO_PROTOCOL_FEES,
  };
  const imbalances = flows([[usdc, 0n], [usdt, 804n]]);
  const found = slippageOf({ imbalances, trades: [trade] }, {
    findPrice: (token) => prices[token],
  });
  assertEquals(found.imbalance, { low: 419_740_308_647n, high: 419_740_308_647n });
  assertEquals(found.fees, { low: 419_217_240_268n, high: 420_666_209_187n });
  assertEquals(found.slippage, { low: -925_900_541n, high: 523_068_378n });
});

Deno.test("settlementSlippage rounds the network fee in the sell token to the nearest atom", () => {
  // 50 - 41 * 950 / 1900 = 29.5, from 50 - 20.5: half an atom goes away from zero.
  const trade = { ...SALE, networkFeeAtoms: 59n };
  // 41 * 1.5 + 29 * 3 = 148.5.
  assertEquals(slippageOf({ trades: [trade] }).fees, { low: 148n, high: 148n });
});

Deno.test("settlementSlippage charges all fees of a buy order in its sell token, whoever gets them", () => {
  const purchase: Trade = { ...SALE, kind: "buy", surplusToken: GOLD, allFeesAtoms: 20n };
  for (const networkFeeAtoms of [20n, 5n, NO_PROTOCOL_FEES]) {
    const { fees, missing } = slippageOf({ trades: [{ ...purchase, networkFeeAtoms }] });
    assertEquals([fees, missing], [{ low: 60n, high: 60n }, []]);
  }
});

Deno.test("settlementSlippage bounds fees whose parts or whose existence are unknown", () => {
  const silver = 14n * WAD / 10n;
  const options = { findPrice: (token: string) => token === SILVER ? silver : PRICES[token] };
  // No protocol fees: 50 gold are 150. Nothing else: 100 silver are 140. An atom of gold each way.
  const parts = slippageOf({ trades: [{ ...SALE, networkFeeAtoms: NO_PROTOCOL_FEES }] }, options);
  assertEquals(parts.fees, { low: 137n, high: 153n });
  // 31 * 3 + 45 * 1.4 = 156.
  assertEquals(parts.slippage, { low: 3n, high: 19n });
  assertEquals(parts.missing, ["protocol_fees"]);
  // Liquidity of a solver would pay nothing.
  const unknown = { ...SALE, allFeesAtoms: NO_OWNER, networkFeeAtoms: NO_OWNER };
  const owner = slippageOf({ trades: [unknown] }, options);
  assertEquals(owner.fees, { low: 0n, high: 153n });
  assertEquals(owner.missing, ["jit_owner"]);
  // A trade with its own prices for the fee pays none for certain.
  assertEquals(
    slippageOf({ trades: [{ ...SALE, allFeesAtoms: 0n, networkFeeAtoms: 0n }] }).fees,
    { low: 0n, high: 0n },
  );
});

Deno.test("settlementSlippage has a lower bound alone where native atoms may have come in", () => {
  const why = "A pool may pay";
  const unknown = [{ token: NATIVE_TOKEN_ADDRESS, why, leastNetAtoms: -7n }];
  const found = slippageOf({ imbalances: flows([[GOLD, 31n], [SILVER, 45n]], unknown) });
  assertEquals(found.imbalance, { low: 153n, high: null });
  assertEquals(found.slippage, { low: 3n, high: null });
  assertEquals(found.missing, ["native_payments"]);
});

Deno.test("settlementSlippage prices native and wrapped tokens at one, whatever the auction says", () => {
  const imbalances = flows([[NATIVE_TOKEN_ADDRESS, -4n], [WETH, 6n]]);
  const options = { ...PRICED, wrappedNativeToken: WETH.toUpperCase().replace("X", "x") };
  assertEquals(slippageOf({ imbalances, trades: [] }, options).slippage, { low: 2n, high: 2n });
  assertReason(settlementSlippage(audited({ imbalances, trades: [] }), PRICED), "no_native_price");
});

Deno.test("settlementSlippage has the reason why there is none", () => {
  const legacy = { ...SALE, feeAmount: 1n };
  const own = { ...SALE, owner: CONTRACT.toUpperCase().replace("X", "x") };
  const misfit = { reason: "fee_does_not_fit", detail: "Better than its prices" } as const;
  const better = { ...SALE, allFeesAtoms: NO_OWNER, priceDifferenceAtoms: -1n };
  const reasons: readonly (readonly [Partial<SettlementAudit>, string])[] = [
    [{ succeeded: false }, "reverted"],
    [{ imbalances: { reason: "logs_incomplete", detail: "Not all logs" } }, "logs_incomplete"],
    [{ imbalances: flows([], [{ token: GOLD, why: "a fee" }]) }, "imbalance_unknown"],
    [{ isDecoded: false, trades: [] }, "calldata_unknown"],
    [{ trades: [SALE, own] }, "fee_withdrawal"],
    [{ trades: [legacy] }, "legacy_fee"],
    [{ trades: [{ ...SALE, allFeesAtoms: misfit }] }, "fee_unknown"],
    [{ trades: [better] }, "fee_unknown"],
    [{ imbalances: flows([[WETH, 1n]]) }, "no_native_price"],
  ];
  for (const [more, reason] of reasons) {
    assertReason(settlementSlippage(audited(more), PRICED), reason);
  }
  // A fee in a token without a price leaves the settlement out too; an imbalance of 0 does not.
  const noSilver = { findPrice: (token: string) => token === GOLD ? WAD : undefined };
  const zero = audited({ imbalances: flows([[SILVER, 0n]]) });
  assertReason(settlementSlippage(zero, noSilver), "no_native_price");
  const free = { ...SALE, allFeesAtoms: 0n, networkFeeAtoms: 0n };
  assertEquals(computed(settlementSlippage({ ...zero, trades: [free] }, noSilver)).missing, []);
  assertThrows(() => settlementSlippage(audited(), {} as never), InputError, "without findPrice");
});

Deno.test("settlementSlippage bounds contain the slippage at any protocol fees, and every rounding", () => {
  const anyPrice = fc.bigInt(0n, 10n ** 24n);
  const anyUniformPrice = fc.bigInt(1n, 10n ** 30n);
  const anyShare = fc.bigInt(0n, 1_000n);
  fc.assert(
    fc.property(
      anyAmount(),
      fc.tuple(anyUniformPrice, anyUniformPrice),
      fc.tuple(anyPrice, anyPrice),
      fc.tuple(anyShare, anyShare),
      (sellAmount, [uniformSellPrice, uniformBuyPrice], [gold, silver], [feeShare, share]) => {
        const product = sellAmount * uniformSellPrice;
        const before = (product + uniformBuyPrice - 1n) / uniformBuyPrice;
        const all = before * feeShare / 1_000n;
        const trade = { ...SALE, sellAmount, buyAmount: before - all, uniformSellPrice };
        const options = { findPrice: (token: string) => token === GOLD ? gold : silver };
        const read = (networkFeeAtoms: Trade["networkFeeAtoms"]) => {
          const fees = { allFeesAtoms: all, networkFeeAtoms };
          return slippageOf({ trades: [{ ...trade, uniformBuyPrice, ...fees }] }, options).slippage;
        };
        const exact = read(all - all * share / 1_000n);
        const bounds = read(NO_PROTOCOL_FEES);
        assertEquals(exact.low, exact.high);
        assert(bounds.low <= exact.low && exact.low <= bounds.high!);
      },
    ),
    { numRuns: 2_000 },
  );
});
