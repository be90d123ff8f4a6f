import { solverLeaderboard } from "orderlens/charts";
import { solverLeaderboardTable } from "orderlens/tables";
import { competitions, debugReports, solvers, trades } from "./market.ts";

const leaderboard = solverLeaderboardTable(competitions, { debugReports, trades, solvers });
export default solverLeaderboard(leaderboard, { sort: "-win_rate" });
