import { assert, assertEquals } from "@std/assert";
import type { Competition } from "orderlens";
import { decodeCompetition } from "orderlens/schemas";
import { solutionsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { recordedObject } from "../../schemas/recorded_bodies.ts";
import { competitions, debugReports, orders, trades } from "../market.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";

Deno.test("solutionsTable() returns one row per solution, by ranking, every digit kept", () => {
  const body = recordedObject("competition_v2", (one) => (one.solutions as []).length > 2);
  const solutions = (body.solutions as { ranking: number; score: string }[]).map((solution) =>
    solution.ranking === 1 ? { ...solution, score: (2n ** 256n - 1n).toString() } : solution
  );
  const records = solutionsTable([decodeCompetition({ ...body, solutions })]).toRecords();
  assertEquals(records.map((row) => row.ranking), solutions.map((_, index) => index + 1));
  assertEquals(
    records[0]!.score_atoms,
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  );
  assertEquals(
    records[0]!.score_native,
    115792089237316195423570985008687907853269984665640564039457.58401,
  );
});

Deno.test("solutionsTable() names the pair that a filtered solution missed, or may have missed", () => {
  const [x, y, z] = [USDC, WETH, DAI];
  const two = { solver: "0xa0", score: 60n, pairs: [[x, y], [y, z]], filteredOut: true } as const;
  const one = { solver: "0xb0", score: 70n, pairs: [[x, y]], isWinner: true } as const;
  const other = { solver: "0xc0", score: 50n, pairs: [[y, z]], isWinner: true } as const;
  const certain = auctionOf([one, two]);
  const either = auctionOf([{ ...one, score: 40n }, { ...other, score: 30n }, two]);
  const both = auctionOf([one, { ...other, score: 80n }, two]);
  assertEquals(missedPairs(certain), ["USDC → WETH"]);
  assertEquals(missedPairs(either), ["USDC → WETH or WETH → DAI"]);
  assertEquals(missedPairs(both), ["USDC → WETH and WETH → DAI"]);
});

Deno.test("solutionsTable() names the missed pairs of the market, more certainly with more inputs", () => {
  const unsure = [{}, { orders, trades, debugReports }].map((options) => {
    const filtered = solutionsTable(competitions, options).toRecords()
      .filter(({ filtered_out }) => filtered_out);
    assertEquals(filtered.length, 365);
    assertEquals(filtered.filter(({ missed_pair }) => missed_pair === null), []);
    return filtered.filter(({ missed_pair }) => String(missed_pair).includes(" or ")).length;
  });
  assert(unsure[1]! < unsure[0]!, `${unsure}`);
});

function missedPairs(competition: Competition): unknown[] {
  return solutionsTable([competition]).toRecords().flatMap(({ missed_pair }) => missed_pair ?? []);
}
