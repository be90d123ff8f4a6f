import { assertEquals } from "@std/assert";
import { auditFees, replayCompetition, settlementOutcomes } from "../../lib/metrics/mod.ts";
import { type Competition, connect, type DebugReport, type Trade } from "../../lib/mod.ts";
import { WALLET_CONTRACT } from "../../lib/sandbox/market/traders/wallet_contract.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";

Deno.test("data/recorded/simulated_1 has settlements of every outcome, and nothing that is at odds", async () => {
  const book = connect(await replay("simulated_1"));
  const owners = [...DEVELOPMENT_ACCOUNTS.map(({ address }) => address), WALLET_CONTRACT];
  const competitions: Competition[] = [];
  for await (const each of book.competitions({ from: 1_001, to: 1_244 })) {
    if ("competition" in each) competitions.push(each.competition);
  }
  assertEquals(competitions.flatMap((each) => replayCompetition(each).differences), []);
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
    ["inTime: success", 497],
    ["late: timeout", 12],
    ["pending: undefined", 4],
  ]);
});
