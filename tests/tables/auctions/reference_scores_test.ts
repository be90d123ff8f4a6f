import { assertEquals } from "@std/assert";
import { referenceScoresTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { cells } from "../made_up.ts";

const [X, Y, Z] = ["0x0a", "0x0b", "0x0c"];

/** The worked auction of three winners, of which one bid twice; a filtered bid has the best score. */
const auction = auctionOf([
  { solver: "0xB0", score: 70n, pairs: [[X!, Y!]], isWinner: true },
  { solver: "0xc0", score: 50n, pairs: [[Y!, Z!]], isWinner: true },
  { solver: "0xd0", score: 45n, pairs: [[Y!, X!]], isWinner: true },
  { solver: "0xB0", score: 30n, pairs: [[Y!, Z!]] },
  { solver: "0xa0", score: 100n, pairs: [[X!, Y!], [Y!, Z!]], filteredOut: true },
], { referenceScores: { "0xb0": 95n, "0xc0": 145n, "0xd0": 120n } });

Deno.test("referenceScoresTable() has each winning solver once, with its marginal contribution", () => {
  const columns = ["solver reference_score_atoms total_score_atoms own_score_atoms margin_atoms"];
  assertEquals(cells(referenceScoresTable([auction]), ...columns), [
    ["0xb0", "95", "165", "70", "70"],
    ["0xc0", "145", "165", "50", "20"],
    ["0xd0", "120", "165", "45", "45"],
  ]);
});

Deno.test("referenceScoresTable() counts several winning solutions of one solver together", () => {
  const twice = auctionOf([
    { solver: "0xa0", score: 3n, pairs: [[X!, Y!]], isWinner: true },
    { solver: "0xA0", score: 1n, pairs: [[Y!, Z!]], isWinner: true },
  ], { referenceScores: { "0xa0": 0n } });
  const columns = ["own_score_atoms", "winning_solution_count", "margin_atoms", "margin_share"];
  assertEquals(cells(referenceScoresTable([twice]), ...columns), [["4", 2, "4", 1]]);
});

Deno.test("referenceScoresTable() keeps a negative margin, and has none for a total of 0", () => {
  const bid = { solver: "0xa0", score: 4n, pairs: [[X!, Y!]], isWinner: true } as const;
  const worse = auctionOf([bid], { referenceScores: { "0xa0": 6n } });
  const nothing = auctionOf([{ ...bid, score: 0n }], { referenceScores: { "0xa0": 0n } });
  assertEquals(cells(referenceScoresTable([worse, nothing]), "margin_atoms", "margin_share"), [
    ["-2", -0.5],
    ["0", null],
  ]);
});
