import { settlementOutcomes } from "orderlens/charts";
import { solverLeaderboardTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const debugReports = records.flatMap(({ debugReport }) => debugReport ?? []);
const leaderboard = solverLeaderboardTable(competitions, { debugReports });
export default settlementOutcomes(leaderboard);
