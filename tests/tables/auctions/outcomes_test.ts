import { assertEquals } from "@std/assert";
import { buildTable, OUTCOMES, REFERENCE_SCORES, SETTLEMENT_ATTEMPTS } from "orderlens/tables";
import { auctionOf, type Bid } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";
import { attemptOf, debugAuctionOf, orderOf, proposedOf, reportOf } from "../../metrics/reports.ts";

const bid: Bid = { solver: "0xa0", score: 5n, pairs: [], isWinner: true };

const auction = auctionOf([
  { ...bid, txHash: "0xAA" },
  { ...bid, score: 4n, txHash: "0xbb" },
  { ...bid, solver: "0xB0", score: 3n, txHash: "0xcc" },
  { ...bid, solver: "0xc0", score: 9n, isWinner: false, filteredOut: true },
], {
  auctionDeadlineBlock: 103,
  transactionHashes: ["0xaa", "0xbb", "0xcc"],
  referenceScores: { "0xA0": 8n, "0xb0": 10n },
});

Deno.test("OUTCOMES gives the outcome of each winner by block and deadline", () => {
  const given = { trades: [tradeOf(), tradeOf({ txHash: "0xbb", blockNumber: 104 })] };
  const columns = ["ranking is_winner filtered_out tx_hash settled_block outcome"];
  const frame = buildTable(OUTCOMES, { competitions: [auction], ...given });
  // The winners score 12; a solver's reference score and margin stand once.
  assertEquals(cells(frame, ...columns, "reference_score_atoms", "margin_atoms"), [
    [1, true, false, "0xAA", 103, "in_time", "8", "4"],
    [2, true, false, "0xbb", 104, "late", null, null],
    [3, true, false, "0xcc", null, "unknown", "10", "2"],
    [4, false, true, null, null, null, null, null],
  ]);
  const latest = buildTable(OUTCOMES, {
    competitions: [auctionOf([bid], { auctionDeadlineBlock: 103, transactionHashes: [] })],
    latestBlock: 104,
  });
  assertEquals(cells(latest, "outcome", "outcome_basis"), [["absent", "latest_block"]]);
});

Deno.test("SETTLEMENT_ATTEMPTS lists an attempt once, even if many reports repeat it", () => {
  const settlementAttempts = [attemptOf({ solutionUid: 1 }), attemptOf({ solutionUid: 0 })];
  const reports = [0, 1].map((solutionUid) =>
    reportOf({
      order: orderOf({ uid: `0x0${solutionUid}` }),
      auctions: [debugAuctionOf(7, {
        settlementAttempts,
        proposedSolutions: [proposedOf({ solutionUid, ranking: solutionUid + 1 })],
      })],
    })
  );
  const columns = ["auction_id", "ranking", "holds_given_order"];
  assertEquals(cells(buildTable(SETTLEMENT_ATTEMPTS, { debugReports: reports }), ...columns), [[
    7,
    1,
    true,
  ], [7, 2, true]]);
  assertEquals(
    cells(buildTable(SETTLEMENT_ATTEMPTS, { debugReports: reports.slice(0, 1) }), ...columns),
    [
      [7, 1, true],
      [7, 2, false],
    ],
  );
});

Deno.test("SETTLEMENT_ATTEMPTS lists a second attempt separately, and leaves the end of a pending one open", () => {
  const at = (text: string) => Temporal.Instant.from(`2026-08-21T10:00:${text}Z`);
  const ended = { endTimestamp: at("06.5"), endBlock: 101, outcome: "timeout" };
  const settlementAttempts = [attemptOf({ startTimestamp: at("05"), ...ended }), attemptOf()];
  const reports = [reportOf({ auctions: [debugAuctionOf(7, { settlementAttempts })] })];
  const columns = ["start_timestamp end_timestamp duration_seconds end_block outcome"];
  assertEquals(cells(buildTable(SETTLEMENT_ATTEMPTS, { debugReports: reports }), ...columns), [
    ["2026-08-21T10:00:00Z", null, null, null, null],
    ["2026-08-21T10:00:05Z", "2026-08-21T10:00:06.500Z", 1.5, 101, "timeout"],
  ]);
});

const [X, Y, Z] = ["0x0a", "0x0b", "0x0c"];

Deno.test("REFERENCE_SCORES has each winning solver once, with its marginal contribution", () => {
  const one = { solver: "0xa0", score: 4n, pairs: [[X!, Y!]], isWinner: true } as const;
  const frame = buildTable(REFERENCE_SCORES, {
    competitions: [
      // Three winners, of which one bid twice; a filtered bid has the best score.
      auctionOf([
        { solver: "0xB0", score: 70n, pairs: [[X!, Y!]], isWinner: true },
        { solver: "0xc0", score: 50n, pairs: [[Y!, Z!]], isWinner: true },
        { solver: "0xd0", score: 45n, pairs: [[Y!, X!]], isWinner: true },
        { solver: "0xB0", score: 30n, pairs: [[Y!, Z!]] },
        { solver: "0xa0", score: 100n, pairs: [[X!, Y!], [Y!, Z!]], filteredOut: true },
      ], { referenceScores: { "0xb0": 95n, "0xc0": 145n, "0xd0": 120n } }),
      // Two winning solutions of one solver count together.
      auctionOf([{ ...one, score: 3n }, { ...one, solver: "0xA0", score: 1n, pairs: [[Y!, Z!]] }], {
        referenceScores: { "0xa0": 0n },
      }),
      // A margin may be negative, and is no share of a total of 0.
      auctionOf([one], { referenceScores: { "0xa0": 6n } }),
      auctionOf([{ ...one, score: 0n }], { referenceScores: { "0xa0": 0n } }),
    ],
  });
  const columns = ["solver reference_score_atoms total_score_atoms own_score_atoms"];
  assertEquals(cells(frame, ...columns, "winning_solution_count margin_atoms margin_share"), [
    ["0xa0", "0", "4", "4", 2, "4", 1],
    ["0xa0", "6", "4", "4", 1, "-2", -0.5],
    ["0xa0", "0", "0", "0", 1, "0", null],
    ["0xb0", "95", "165", "70", 1, "70", 70 / 165],
    ["0xc0", "145", "165", "50", 1, "20", 20 / 165],
    ["0xd0", "120", "165", "45", 1, "45", 45 / 165],
  ]);
});
