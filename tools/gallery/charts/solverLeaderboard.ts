import { solverLeaderboard } from "orderlens/charts";
import { solverLeaderboardTable } from "orderlens/tables";
import { competitions } from "./market.ts";

const leaderboard = solverLeaderboardTable(competitions);
export default solverLeaderboard(leaderboard, { sort: "-win_rate" });
