import { solverRewards } from "orderlens/charts";
import { rewardsTable } from "orderlens/tables";
import { competitions, debugReports, orders, solvers, times, trades } from "./market.ts";

const known = { network: "mainnet", times, orders, trades, debugReports, solvers };
const rewards = rewardsTable(competitions, { ...known, cowPrice: 10n ** 14n });
export default solverRewards(rewards, { nativeSymbol: "ETH" });
