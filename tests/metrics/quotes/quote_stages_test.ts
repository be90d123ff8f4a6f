import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { InputError } from "../../../lib/errors/mod.ts";
import { quoteStages, type StageAmounts } from "../../../lib/metrics/mod.ts";
import { Decimal } from "../../../lib/units/mod.ts";
import type { Order, QuoteResponse } from "orderlens";
import { decodeOrder, decodeQuoteResponse } from "orderlens/schemas";
import { unpack } from "../recorded_run.ts";
import cases from "../../testdata/metrics/quote_stages.json" with { type: "json" };

const STAGES = [
  "beforeAllFees",
  "afterProtocolFees",
  "afterNetworkCosts",
  "afterPartnerFees",
  "afterSlippage",
  "amountsToSign",
] as const;

function atoms(amounts: { sellAmount: string; buyAmount: string }): StageAmounts {
  return { sellAmount: BigInt(amounts.sellAmount), buyAmount: BigInt(amounts.buyAmount) };
}

/** As a person writes it: 0.00071, never 7.1e-4. */
function written(bps: number | null): string {
  return bps === null ? "0" : bps.toFixed(5);
}

Deno.test("quoteStages() agrees with the reference for every known answer", () => {
  assertEquals(cases.length, 22);
  for (const one of cases) {
    const { kind, sellAmount, buyAmount, feeAmount } = one.quote;
    const stages = quoteStages({
      quote: {
        kind: kind as "sell" | "buy",
        sellAmount: BigInt(sellAmount),
        buyAmount: BigInt(buyAmount),
        feeAmount: BigInt(feeAmount),
      },
      protocolFeeBps: Decimal.parse(written(one.protocolFeeBps)),
    }, { slippageBps: one.slippageBps, partnerFeeBps: written(one.partnerFeeBps) });
    for (const name of STAGES) {
      assertEquals(stages[name], atoms(one.stages[name]), `${one.what}: ${name}`);
    }
    assertEquals(stages.costs.protocolFeeAtoms, BigInt(one.protocolFee), one.what);
    assertEquals(stages.costs.partnerFeeAtoms, BigInt(one.partnerFee), one.what);
  }
});

/** Quotes of a recording with the orders placed by them; those orders store the quote gross. */
async function ordersWithAnswers(name: string): Promise<[QuoteResponse, Order][]> {
  const answers = new Map<number, QuoteResponse>();
  const quoteIds = new Map<string, number>();
  const orders = new Map<string, Order>();
  for (const line of (await unpack(`${name}.ndjson.gz`)).trim().split("\n")) {
    const { method, path, status, requestBody, responseBody } = JSON.parse(line);
    if (status >= 300) continue;
    if (method === "POST" && path === "/api/v1/quote") {
      const answer = decodeQuoteResponse(JSON.parse(responseBody));
      if (answer.id != null) answers.set(answer.id, answer);
    } else if (method === "POST" && path === "/api/v1/orders") {
      quoteIds.set(JSON.parse(responseBody), JSON.parse(requestBody).quoteId);
    } else if (method === "GET" && /^\/api\/v1\/orders\/0x[0-9a-f]{112}$/.test(path)) {
      const order = decodeOrder(JSON.parse(responseBody));
      if (order.quote != null) orders.set(order.uid, order);
    }
  }
  return [...orders.values()].flatMap((order): [QuoteResponse, Order][] => {
    const answer = answers.get(quoteIds.get(order.uid) ?? NaN);
    return answer === undefined ? [] : [[answer, order]];
  });
}

Deno.test("quoteStages() recovers the gross quote that the service stored, for every recorded order", async () => {
  let sales = 0;
  let purchases = 0;
  for (const name of ["market_1", "protocol_fee__combined_protocol_fees"]) {
    for (const [answer, { kind, quote: stored }] of await ordersWithAnswers(name)) {
      const { beforeAllFees, costs } = quoteStages(answer);
      const { sellAmount, buyAmount } = stored!;
      if (kind === "buy") {
        purchases++;
        assertEquals(beforeAllFees, { sellAmount, buyAmount });
        continue;
      }
      sales++;
      assertEquals(beforeAllFees.sellAmount, sellAmount);
      // The reference leaves out what the protocol fee takes of the network fee, and each step rounds.
      const { protocolFeeAtoms, networkFeeSellAtoms } = costs;
      const left = protocolFeeAtoms * networkFeeSellAtoms / answer.quote.sellAmount;
      const rest = buyAmount - beforeAllFees.buyAmount - left;
      assert(rest >= 0n && rest <= 2n, `${rest} atoms`);
    }
  }
  assertEquals([sales, purchases], [615, 294]);
});

Deno.test("quoteStages() distinguishes an unchanged quote from one with the client's deductions", () => {
  const response = {
    quote: { kind: "sell", sellAmount: 960_000n, feeAmount: 40_000n, buyAmount: 9_600_000n },
  } as const;
  const unchanged = quoteStages(response);
  assertEquals(unchanged.signedStage, "quote");
  assertEquals(unchanged.amountsToSign, { sellAmount: 1_000_000n, buyAmount: 9_600_000n });
  assertEquals(quoteStages(response, { partnerFeeBps: 10 }).signedStage, "afterPartnerFees");
  assertEquals(quoteStages(response, { slippageBps: "0.5" }).signedStage, "afterSlippage");
});

Deno.test("quoteStages() never improves from one stage to the next", () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
  const bps = fc.integer({ min: 0, max: 5_000 });
  fc.assert(fc.property(
    fc.constantFrom("sell" as const, "buy" as const),
    fc.tuple(amount, amount, amount),
    fc.tuple(bps, bps, bps),
    (kind, [sell, buy, fee], [protocol, partner, slippageBps]) => {
      const response = {
        quote: { kind, sellAmount: sell + 2n, buyAmount: buy + 10n ** 6n, feeAmount: fee % sell },
        protocolFeeBps: Decimal.parse(`${protocol}`),
      };
      let stages;
      try {
        stages = quoteStages(response, { slippageBps, partnerFeeBps: partner });
      } catch (error) {
        assert(error instanceof InputError);
        return;
      }
      const open = kind === "sell" ? "buyAmount" : "sellAmount";
      const steps = STAGES.map((name) =>
        kind === "sell" ? -stages[name][open] : stages[name][open]
      );
      assertEquals(steps, steps.toSorted((a, b) => (a < b ? -1 : 1)));
      assertEquals(
        stages.amountsToSign[kind === "sell" ? "sellAmount" : "buyAmount"],
        stages.beforeAllFees[kind === "sell" ? "sellAmount" : "buyAmount"],
      );
    },
  ));
});

Deno.test("quoteStages() rejects invalid inputs", () => {
  const quote = { kind: "sell", sellAmount: 96n, feeAmount: 4n, buyAmount: 960n } as const;
  for (const slippageBps of [-1, 10_000, "10000", "many", 0.5, NaN]) {
    assertThrows(() => quoteStages({ quote }, { slippageBps }), InputError);
  }
  assertThrows(() => quoteStages({ quote }, { partnerFeeBps: 10_000 }), InputError);
  assertThrows(() => quoteStages({ quote: { ...quote, sellAmount: 0n } }), InputError);
  assertThrows(() => quoteStages({ quote: { ...quote, buyAmount: 0n } }), InputError);
});
