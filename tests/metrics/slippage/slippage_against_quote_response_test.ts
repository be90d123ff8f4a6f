import { InputError } from "orderlens";
import { slippageAgainstQuoteResponse } from "orderlens/metrics";
import type { OrderQuote, QuotedOrder } from "orderlens/schemas";
import { ratioToNumber } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { AnsweredQuote } from "orderlens/metrics";

const SELL = {
  kind: "sell",
  sellToken: "0xa1",
  sellAmount: 980n,
  feeAmount: 20n,
  buyAmount: 2_000n,
} as const;
const BUY = { ...SELL, kind: "buy", sellAmount: 1_990n, feeAmount: 10n, buyAmount: 500n } as const;

Deno.test("slippageAgainstQuoteResponse() adds the quoted fee to the quoted sell amount", () => {
  const result = slippageAgainstQuoteResponse({ sellAmount: 500n, buyAmount: 1_001n }, SELL, SELL);
  assert(!("reason" in result));
  assertEquals(ratioToNumber(result.bps), 10);
  assertEquals(result.atoms, 1n);
  assertEquals(result.baseline, "userShown");
});

Deno.test("slippageAgainstQuoteResponse() of a buy order is positive if less was sold", () => {
  const result = slippageAgainstQuoteResponse({ sellAmount: 1_998n, buyAmount: 500n }, BUY, BUY);
  assert(!("reason" in result));
  assertEquals(ratioToNumber(result.bps), 10);
  assertEquals(result.atoms, 2n);
});

Deno.test("slippageAgainstQuoteResponse() returns a reason instead of a number", () => {
  const fill = { sellAmount: 500n, buyAmount: 1_001n };
  const reason = (answer: AnsweredQuote, of = fill) => {
    const result = slippageAgainstQuoteResponse(of, answer, answer);
    return "reason" in result ? result.reason : undefined;
  };
  assertEquals(reason(SELL, { sellAmount: 0n, buyAmount: 0n }), "nothing_executed");
  assertEquals(reason({ ...SELL, sellAmount: 0n, feeAmount: 0n }), "quote_without_price");
  assertEquals(reason({ ...SELL, buyAmount: 0n }), "zero_baseline");
});

Deno.test("slippageAgainstQuoteResponse() rejects an answer for the other kind of order", () => {
  assertThrows(
    () => slippageAgainstQuoteResponse({ sellAmount: 1n, buyAmount: 1n }, BUY, SELL),
    InputError,
    "Cannot compare a buy order with a quote to sell",
  );
});

type Fits<From, To> = From extends To ? true : false;

Deno.test("AnsweredQuote accepts net answers and rejects stored quotes at compile time", () => {
  const takesAnswers: Fits<QuotedOrder, AnsweredQuote> = true;
  const takesStored: Fits<OrderQuote, AnsweredQuote> = false;
  assert(takesAnswers && !takesStored);
});
