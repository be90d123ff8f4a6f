import { rewardCaps } from "orderlens/charts";
import { rewardsTable } from "orderlens/tables";
import { competitions, debugReports, orders, times } from "./market.ts";

const known = { network: "mainnet", times, orders, debugReports };
const rewards = rewardsTable(competitions, known);
export default rewardCaps(rewards, { nativeSymbol: "ETH" });
