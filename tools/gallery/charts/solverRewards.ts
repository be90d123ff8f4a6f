import { solverRewards } from "orderlens/charts";
import { rewardsTable } from "orderlens/tables";
import { competitions, debugReports, orders, times } from "./market.ts";

const known = { network: "mainnet", times, orders, debugReports, cowPrice: 10n ** 14n };
const rewards = rewardsTable(competitions, known);
export default solverRewards(rewards, { nativeSymbol: "ETH" });
