import { assertEquals } from "@std/assert";
import { network } from "orderlens";
import { attemptsTable, auctionRewardsTable } from "orderlens/tables";
import { auctionOf, type Bid } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";
import { competitions, debugReports, trades } from "../market.ts";

const { rewards: rules } = network("mainnet");
const CAP = 10n ** 16n;
const bid: Bid = { solver: "0xa0", score: 3n * CAP, pairs: [["0x01", "0x02"]], isWinner: true };
/** 0xa0 wins twice, once a batch; without it, others would have scored 4.5 caps of its 5. */
const auction = auctionOf([
  { ...bid, pairs: [["0x01", "0x02"], ["0x03", "0x04"]], txHash: "0xaa" },
  { ...bid, score: 2n * CAP, txHash: "0xbb" },
  { ...bid, solver: "0xc0", score: CAP, isWinner: false },
], { referenceScores: { "0xa0": 9n * CAP / 2n } });

Deno.test("attemptsTable() has a row per order of a winning solution, with what became of it", () => {
  const given = { trades: [tradeOf(), tradeOf({ txHash: "0xbb", blockNumber: 105 })], rules };
  const columns = ["ranking", "position", "order_uid", "order_count", "outcome", "blocks_late"];
  assertEquals(cells(attemptsTable([auction], given), ...columns), [
    [1, 1, "0x01>0x02", 2, "in_time", 0],
    [1, 2, "0x03>0x04", 2, "in_time", 0],
    [2, 1, "0x01>0x02", 1, "late", 2],
  ]);
});

Deno.test("attemptsTable() has each penalty once, and the cap that limits it", () => {
  const given = { trades: [tradeOf(), tradeOf({ txHash: "0xbb", blockNumber: 105 })], rules };
  const columns = ["penalty_if_absent_low_atoms", "is_capped", "penalty_low_atoms", "cap_atoms"];
  // Both failed: 4.5 + 5 − 5 caps. The second alone: 4.5 + 2 − 5, which is 1.5 caps.
  assertEquals(cells(attemptsTable([auction], given), ...columns), [
    [`${CAP}`, true, "0", `${CAP}`],
    [null, null, null, `${CAP}`],
    [`${CAP}`, true, `${CAP}`, `${CAP}`],
  ]);
  const small = auctionOf([{ ...bid, score: CAP }], { referenceScores: { "0xa0": CAP / 4n } });
  const late = { latestBlock: 104, rules };
  assertEquals(cells(attemptsTable([small], late), "outcome", "is_capped", "penalty_high_native"), [
    ["absent", false, 0.0025],
  ]);
});

Deno.test("attemptsTable() takes the caps of orders from the trades that name them", () => {
  const of = (orderUid: string, penaltyCapNative: bigint) =>
    tradeOf({ orderUid, penaltyCapNative, txHash: "0xbb", blockNumber: 105 });
  const [first] = [...auction.solutions].filter(({ ranking }) => ranking === 2);
  const trades = [
    tradeOf({ orderUid: "0x01>0x02", penaltyCapNative: 5n }),
    tradeOf({ orderUid: "0x03>0x04", penaltyCapNative: 6n }),
    of(first!.orders[0]!.id, 7n),
  ];
  const columns = ["outcome", "cap_atoms", "is_capped", "penalty_if_absent_high_atoms"];
  const owed = ["penalty_low_atoms", "penalty_high_atoms", "gaps"];
  const rows = cells(attemptsTable([auction], { trades, rules }), ...columns, ...owed);
  // If the first failed too: 5 + 6 + 7. The late one owes its 7, or the cap of all that was won.
  assertEquals(rows, [
    ["in_time", null, true, "18", "0", "0", "auction_time"],
    ["in_time", null, null, null, null, null, "auction_time"],
    ["late", null, true, "18", "7", "18", "rules, auction_time"],
  ]);
});

Deno.test("attemptsTable() says what is missing: settlements, rules, a reference score", () => {
  const [row] = attemptsTable([auctionOf([bid])]).toRecords();
  assertEquals(row?.gaps, "settlement, rules, reference_score, auction_time");
  assertEquals([row?.penalty_low_atoms, row?.cap_atoms, row?.is_capped], [null, null, null]);
});

Deno.test("attemptsTable() adds up to the negative rewards of the recorded market", () => {
  const known = { trades, debugReports, rules };
  const rows = attemptsTable([...competitions, ...competitions], known).toRecords();
  const owed = rows.reduce((sum, row) => sum + BigInt(row.penalty_low_atoms ?? 0), 0n);
  const paid = auctionRewardsTable(competitions, known).toRecords()
    .map((row) => BigInt(row.performance_high_atoms ?? 0))
    .reduce((sum, each) => each < 0n ? sum - each : sum, 0n);
  assertEquals(owed, paid);
  const count = (word: string) => rows.filter(({ outcome }) => outcome === word).length;
  // As counted from the recorded bodies in Python.
  assertEquals([rows.length, count("in_time"), count("late"), count("absent")], [673, 662, 2, 9]);
  assertEquals(owed, 59_901_588_041_926_491n);
});
