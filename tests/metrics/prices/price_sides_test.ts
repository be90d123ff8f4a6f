import { comparePriceSides } from "orderlens/metrics";
import { compareRatios, Decimal, ratio } from "orderlens/units";
import { assertEquals, assertThrows } from "@std/assert";
import { computed, reasonOf } from "../fixtures.ts";

const ETH = 10n ** 18n;
const TOKENS = { sellToken: "0xa1", buyToken: "0xb2" };

type Price = bigint | Decimal | undefined;

/** The sides of amounts at prices in native atoms for 10^18 atoms. */
function compare(amounts: readonly [bigint, bigint], prices: readonly [Price, Price]) {
  const [sellAmount, buyAmount] = amounts;
  return comparePriceSides(
    { ...TOKENS, sellAmount, buyAmount },
    (token) => prices[token === TOKENS.sellToken ? 0 : 1],
  );
}

function judge(amounts: readonly [bigint, bigint], prices: readonly [Price, Price] = [ETH, ETH]) {
  return computed(compare(amounts, prices)).verdict;
}

Deno.test("comparePriceSides() is suspect beyond 2 times and absurd beyond 1,000 times, either way round", () => {
  const verdicts = (buyAmounts: readonly bigint[]) =>
    buyAmounts.map((buyAmount) => {
      const forward = judge([ETH, buyAmount]);
      assertEquals(judge([buyAmount, ETH]), forward);
      return forward;
    });
  assertEquals(verdicts([ETH, 2n * ETH]), ["consistent", "consistent"]);
  assertEquals(verdicts([2n * ETH + 100n, 1_000n * ETH]), ["suspect", "suspect"]);
  assertEquals(verdicts([1_000n * ETH + 10_000n, 15_300n * ETH]), ["absurd", "absurd"]);
  // One token of 6 decimals at 0.0004 ETH, of which 2,500 are worth 1 ETH.
  const usdc = 4n * 10n ** 26n;
  assertEquals(judge([ETH, 2_500_000_000n], [ETH, usdc]), "consistent");
  assertEquals(judge([ETH, 2_500_000_000n], [ETH, usdc * 2n]), "consistent");
  assertEquals(judge([ETH, 2_500_000_000n], [ETH, usdc * 2n + 10n ** 20n]), "suspect");
  assertEquals(judge([ETH, 2_500_000_000n], [ETH, usdc * 10n ** 9n]), "absurd");
  assertEquals(judge([ETH, 2_500_000_000n], [ETH, usdc / 10n ** 6n]), "absurd");
});

Deno.test("comparePriceSides() treats amounts as rounded, so that dust is not suspect", () => {
  // Just under 1,001 atoms sold twice is 2,002; just over 2,003 bought is more.
  assertEquals(judge([1_000n, 2_003n]), "consistent");
  assertEquals(judge([1_000n, 2_004n]), "suspect");
  // 1,000 times 1,001 is 1,001,000, and an atom less than 1,001,002 is more.
  assertEquals(judge([1_000n, 1_001_001n]), "suspect");
  assertEquals(judge([1_000n, 1_001_002n]), "absurd");
  // One wei for one atom of a token of 6 decimals, which is worth 400,000,000 wei: rounded up.
  assertEquals(judge([1n, 1n], [ETH, 4n * 10n ** 26n]), "consistent");
});

Deno.test("comparePriceSides() has both values exactly, with fractions of prices", () => {
  const sides = computed(compare([3n, 700n], [Decimal.parse("1e18"), Decimal.parse("0.5")]));
  assertEquals(compareRatios(sides.sellValue, ratio(3n, 1n)), 0);
  assertEquals(compareRatios(sides.buyValue, ratio(350n, ETH)), 0);
  // 10^18 atoms at a price of 0.5 are worth half a native atom, as 1 atom at one of 5 * 10^17 is.
  assertEquals(
    judge([10n ** 24n, 10n ** 6n], [Decimal.parse("0.5"), 5n * 10n ** 17n]),
    "consistent",
  );
  assertEquals(
    judge([10n ** 24n, 10n ** 6n], [Decimal.parse("501.5"), 5n * 10n ** 17n]),
    "absurd",
  );
});

Deno.test("comparePriceSides() is absurd at a price of 0, and has a reason without prices or amounts", () => {
  assertEquals(judge([ETH, ETH], [0n, ETH]), "absurd");
  assertEquals(judge([1n, 1n], [0n, 0n]), "absurd");
  assertEquals(reasonOf(compare([ETH, ETH], [ETH, undefined])), "no_price");
  assertEquals(reasonOf(compare([ETH, ETH], [undefined, ETH])), "no_price");
  assertEquals(reasonOf(compare([0n, ETH], [ETH, ETH])), "nothing_exchanged");
  assertEquals(reasonOf(compare([ETH, 0n], [ETH, ETH])), "nothing_exchanged");
  assertThrows(() => compare([ETH, ETH], [ETH, -1n]), RangeError, "must not be negative");
});
