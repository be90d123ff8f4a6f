import { connect } from "orderlens";
import { exportDataset, openDataset } from "orderlens/datasets";
import { openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { inspectSolver } from "orderlens/reports";
import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";

const RECORDING = await replay("market_1");
const AUCTIONS = { from: 2_500, to: 2_624 };
const RESULTS = ["in_time", "late", "absent", "pending", "unknown"] as const;

async function outcomesIn(folder: string): Promise<Map<string, number[]>> {
  const rows = (await (await openDataset(folder)).table("outcomes").collect()).toRecords();
  const won = Map.groupBy(rows.filter((row) => row.is_winner), (row) => String(row.solver));
  return new Map(
    Array.from(won, ([solver, own]) => [
      solver,
      RESULTS.map((result) => own.filter((row) => row.outcome === result).length),
    ]),
  );
}

inFolder.test("an export of a public network has the unsettled wins of inspectSolver", async (folder) => {
  const book = connect(RECORDING);
  const options = { auctions: AUCTIONS, debugReports: false };
  await exportDataset(book, `${folder}/whole`, options);
  const outcomes = await outcomesIn(`${folder}/whole`);
  assertEquals(outcomes.size, 4);
  // Of its 84 wins, two have no transaction, and later auctions began after their deadlines.
  assert([...outcomes.values()].some((counts) => `${counts}` === "82,0,2,0,0"));
  const market = await openMarket(`${folder}/whole`);
  const rewards = (await market.rewards()).toRecords();
  for (const [solver, counts] of outcomes) {
    const { outcomes: told } = await inspectSolver(book, solver, { auctions: AUCTIONS });
    assertEquals(counts, [told!.inTime, told!.late, told!.absent, told!.pending, told!.unknown]);
    const row = rewards.find((one) => one.solver === solver);
    assertEquals(RESULTS.map((result) => row?.[result]), counts);
  }
  // Without fills, nothing says that a win was not settled.
  await exportDataset(book, `${folder}/blind`, { ...options, trades: false });
  for (const [, , absent] of (await outcomesIn(`${folder}/blind`)).values()) {
    assertEquals(absent, 0);
  }
});
