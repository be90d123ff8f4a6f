import { assert, assertEquals } from "@std/assert";
import { auditFees, settlementOutcomes } from "../../lib/metrics/mod.ts";
import {
  type Competition,
  connect,
  type DebugReport,
  type Solution,
  type Trade,
} from "../../lib/mod.ts";
import { tradedAs } from "../../lib/sandbox/market/ledger.ts";
import { WALLET_CONTRACT } from "../../lib/sandbox/market/wallet_contract.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { checkOutcome, type SolutionBid } from "../metrics/arbitrate.ts";

function bidOf(solution: Solution): SolutionBid {
  const { solverAddress: solver, score, orders } = solution;
  const claims = orders.map(({ sellToken, buyToken }) =>
    `${tradedAs(sellToken!)} ${tradedAs(buyToken!)}`
  );
  return { solution, solver, score, claims };
}

Deno.test("data/recorded/simulated_1 has settlements of every outcome, without contradictions", async () => {
  const book = connect(await replay("simulated_1"));
  const owners = [...DEVELOPMENT_ACCOUNTS.map(({ address }) => address), WALLET_CONTRACT];
  const competitions: Competition[] = [];
  for await (const each of book.competitions({ from: 1_001, to: 1_244 })) {
    if ("competition" in each) competitions.push(each.competition);
  }
  for (const competition of competitions) {
    checkOutcome(competition, {
      maxWinners: 20,
      bidOf,
      // Fee policies of losing bids are in no answer, so their pair scores are unknown.
      isOut: ({ solution }) => solution.filteredOut,
    });
    for (const { orders, filteredOut } of competition.solutions) {
      const pairs = new Set(orders.map(({ sellToken, buyToken }) => `${sellToken} ${buyToken}`));
      assert(!filteredOut || pairs.size > 1, `auction ${competition.auctionId}`);
    }
  }
  const trades: Trade[] = [];
  const debugReports: DebugReport[] = [];
  for (const owner of owners) {
    for await (const trade of book.trades({ owner })) trades.push(trade);
    for await (const order of book.accountOrders(owner)) {
      const report = await book.debugReport(order.uid);
      debugReports.push(report);
      for (const { verdict } of auditFees(report)) assertEquals(verdict, "exact", order.uid);
    }
  }
  const { solutions } = settlementOutcomes(competitions, { trades, debugReports });
  const counts = Object.entries(Object.groupBy(
    solutions,
    ({ result, attempts: [attempt] }) => `${result}: ${attempt?.outcome?.split(":")[0]}`,
  )).map(([what, all]) => [what, all!.length]).sort();
  assertEquals(counts, [
    ["absent: driver failed", 38],
    ["absent: timeout", 27],
    ["in_time: success", 497],
    ["late: timeout", 12],
    ["pending: undefined", 4],
  ]);
});
