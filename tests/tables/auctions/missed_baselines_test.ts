import { decodeCompetition } from "orderlens/schemas";
import { missedBaselinesTable } from "orderlens/tables";
import { assertEquals } from "@std/assert";

const [X, Y, Z] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}`);
const solver = (digit: string) => `0x${digit.repeat(40)}`;

function solution(
  by: string,
  ranking: number,
  { score, pairs }: { score: string; pairs: readonly (readonly (string | undefined)[])[] },
) {
  return {
    solverAddress: solver(by),
    score,
    ranking,
    clearingPrices: {},
    orders: pairs.map(([sellToken, buyToken], at) => ({
      id: `0x${String(at).repeat(112)}`,
      sellAmount: "1",
      buyAmount: "1",
      sellToken,
      buyToken,
    })),
    isWinner: ranking === 1,
    filteredOut: ranking === 3,
  };
}

const competition = decodeCompetition({
  auctionId: 7,
  auctionStartBlock: 100,
  transactionHashes: [],
  referenceScores: {},
  auction: { orders: ["0", "1"].map((digit) => `0x${digit.repeat(112)}`), prices: {} },
  solutions: [
    solution("a", 3, { score: "60000000000000000", pairs: [[X, Y], [Y, Z]] }),
    solution("c", 2, { score: "20000000000000000", pairs: [[Y, Z]] }),
    solution("b", 1, { score: "70000000000000000", pairs: [[X, Y]] }),
  ],
});

Deno.test("missedBaselinesTable() has a row per possible pair, with bounds of its score", () => {
  const rows = missedBaselinesTable([competition]).toRecords();
  assertEquals(
    rows.map((row) => [row.auction_id, row.ranking, row.solver, row.sell_token, row.is_certain]),
    [[7, 3, solver("a"), X, true], [7, 3, solver("a"), Y, false]],
  );
  assertEquals(
    rows.map((row) => [row.pair_score_low_atoms, row.pair_score_high_atoms, row.missed_by_native]),
    [["0", "60000000000000000", null], ["0", "60000000000000000", null]],
  );
  assertEquals(
    rows.map((row) => [row.baseline_atoms, row.baseline_native, row.baseline_solver]),
    [["70000000000000000", 0.07, solver("b")], ["20000000000000000", 0.02, solver("c")]],
  );
});

Deno.test("missedBaselinesTable() quantifies the difference if orders and policies are known", () => {
  // The pair Y to Z scores 10^16 then (one atom at its price), which leaves 5 * 10^16 for X to Y.
  const uid = `0x${"1".repeat(112)}`;
  const priced = {
    ...competition,
    auction: { ...competition.auction, prices: { [Z!]: 10n ** 34n } },
  };
  const rows = missedBaselinesTable([priced], {
    orders: new Map([[uid, { kind: "sell", sellAmount: 1n, buyAmount: 0n }]]),
    policies: new Map([[7, new Map([[uid, []]])]]),
  }).toRecords();
  assertEquals(
    rows.map((row) => [row.pair_score_low_atoms, row.pair_score_high_atoms, row.is_certain]),
    [["50000000000000000", "50000000000000000", true], [
      "10000000000000000",
      "10000000000000000",
      true,
    ]],
  );
  assertEquals(rows.map((row) => row.missed_by_native), [0.02, 0.01]);
  assertEquals(rows.map((row) => row.missed_by_share), [2 / 7, 0.5]);
});
