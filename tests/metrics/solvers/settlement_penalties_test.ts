import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  settlementPenalties,
  type SettlementResult,
  type SolutionOutcome,
} from "orderlens/metrics";
import type { Trade } from "orderlens/schemas";
import { tradeOf } from "../../tables/made_up.ts";
import { auctionOf } from "../auctions.ts";

function won(ranking: number, solver: string, score: bigint, result: SettlementResult) {
  const rest = { orders: [], basis: "nothing", txHash: null, block: null, attempts: [] } as const;
  return { auctionId: 1, ranking, solver, score, result, deadlineBlock: 103, ...rest };
}

/** Penalties as `[at stake, if absent, owed]`, each the two ends of its interval. */
function penalties(
  outcomes: readonly SolutionOutcome[],
  referenceScores: Record<string, bigint>,
  lowerCapAtoms = 1_000n,
) {
  return settlementPenalties(auctionOf([], { referenceScores }), outcomes, { lowerCapAtoms })
    .map(({ atStake, ifAbsent, owed }) =>
      [atStake, ifAbsent, owed].map(({ low, high }) => [low, high])
    );
}

const exactly = (...atoms: bigint[]) => atoms.map((each) => [each, each]);

Deno.test("settlementPenalties() is 0 where nobody else would have added anything", () => {
  // 130 in all, of which 30 are another's: without 0xa0, only those 30.
  const outcomes = [won(1, "0xa0", 100n, "absent"), won(2, "0xb0", 30n, "in_time")];
  assertEquals(penalties(outcomes, { "0xa0": 30n, "0xb0": 100n }), [
    exactly(0n, 0n, 0n),
    exactly(0n, 0n, 0n),
  ]);
});

Deno.test("settlementPenalties() counts a solver's failures of one auction together, once", () => {
  // 100 + 50 won, 120 without 0xa0: one failure of 50 owes 20, both owe 120, 0xB0's none.
  const both = [won(1, "0xa0", 100n, "absent"), won(2, "0xA0", 50n, "late")];
  assertEquals(penalties(both, { "0xa0": 120n }), [
    exactly(120n, 120n, 120n),
    exactly(120n, 120n, 0n),
  ]);
  const one = [won(1, "0xa0", 100n, "in_time"), won(2, "0xa0", 50n, "absent")];
  assertEquals(penalties(one, { "0xa0": 120n }), [
    exactly(120n, 120n, 0n),
    exactly(20n, 20n, 20n),
  ]);
});

Deno.test("settlementPenalties() has both ends of what is not known", () => {
  const outcomes = [won(1, "0xa0", 100n, "unknown"), won(2, "0xa0", 50n, "absent")];
  // The penalty stands on the solution that certainly failed: 20 to 120, with the cap 110.
  assertEquals(penalties(outcomes, { "0xa0": 120n }, 110n), [
    [[120n, 120n], [110n, 110n], [0n, 0n]],
    [[20n, 120n], [20n, 110n], [20n, 110n]],
  ]);
});

Deno.test("settlementPenalties() takes the caps of orders that have their own", () => {
  const auction = {
    ...auctionOf([], { referenceScores: { "0xa0": 60n } }),
    auction: { orders: ["0x0f", "0x1f"], prices: {} },
  };
  const cap = (orderUid: string, penaltyCapNative: bigint, txHash = "0xaa") =>
    tradeOf({ orderUid, penaltyCapNative, txHash });
  const of = (
    wins: Partial<SolutionOutcome>[],
    trades: Trade[],
    referenceScores: Record<string, bigint> = { "0xa0": 60n },
  ) => {
    const outcomes = wins.map((one, place) => ({
      ...won(place + 1, "0xa0", 100n, "late"),
      orders: ["0x0f", "0x1f"],
      txHash: "0xaa",
      ...one,
    }));
    const options = { lowerCapAtoms: null, trades };
    return settlementPenalties({ ...auction, referenceScores }, outcomes, options)
      .map(({ cap, ifAbsent, owed }) => [cap, ifAbsent, owed].map(({ low, high }) => [low, high]));
  };
  // 60 at stake, as above; both orders together have a cap of 10 + 25.
  const both = [cap("0x0f", 10n), cap("0x1f", 25n)];
  assertEquals(of([{}], both), [exactly(35n, 35n, 35n)]);
  assertEquals(of([{ result: "in_time" }], both), [exactly(35n, 35n, 0n)]);
  assertEquals(of([{}], [cap("0x0f", 10n), cap("0x1f", 70n)]), [exactly(80n, 60n, 60n)]);
  // Without a trade, no answer has the cap of a listed order: nothing to all that is at stake.
  const absent = { result: "absent", txHash: null } as const;
  assertEquals(of([absent], []), [[[0n, null], [0n, 60n], [0n, 60n]]]);
  // An order that the auction does not list has none.
  assertEquals(of([{ ...absent, orders: ["0x2f"] }], []), [exactly(0n, 0n, 0n)]);
  // 150 won, 120 without 0xa0: the late one owes 70, capped by its 10, or by 10 + 25 of both.
  const [late, settled] = [{ orders: ["0x0f"] }, {
    orders: ["0x1f"],
    txHash: "0xbb",
    score: 50n,
    result: "in_time",
  }] as const;
  const apart = [cap("0x0f", 10n), cap("0x1f", 25n, "0xbb")];
  assertEquals(of([late, settled], apart, { "0xa0": 120n }), [
    [[10n, 35n], [10n, 35n], [10n, 35n]],
    [[35n, 35n], [35n, 35n], [0n, 0n]],
  ]);
});

Deno.test("settlementPenalties() leaves out solvers without a reference score, and other auctions", () => {
  assertEquals(penalties([won(1, "0xa0", 100n, "absent")], { "0xb0": 60n }), []);
  const other = { ...won(1, "0xa0", 100n, "absent"), auctionId: 2 };
  assertEquals(penalties([other], { "0xa0": 60n }), []);
  assertThrows(() => settlementPenalties(auctionOf([]), [], {} as never), InputError);
});
