import { rewardCaps } from "orderlens/charts";
import { solverRewardsTable } from "orderlens/tables";
import { competitions, debugReports, orders, times } from "./market.ts";

const known = { network: "mainnet", times, orders, debugReports };
const rewards = solverRewardsTable(competitions, known);
export default rewardCaps(rewards, { nativeSymbol: "ETH" });
