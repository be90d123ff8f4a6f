import { settlementOutcomes } from "orderlens/charts";
import { solverLeaderboardTable } from "orderlens/tables";
import { competitions, debugReports, solvers } from "./market.ts";

const leaderboard = solverLeaderboardTable(competitions, { debugReports, solvers });
export default settlementOutcomes(leaderboard);
