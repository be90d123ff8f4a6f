import { solverLeaderboard } from "orderlens/charts";
import { market } from "./market.ts";

export default solverLeaderboard(await market.leaderboard(), {
  ...market.caption,
  sort: "-win_rate",
});
