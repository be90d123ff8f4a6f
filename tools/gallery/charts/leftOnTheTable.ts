import { leftOnTheTable } from "orderlens/charts";
import { bestOtherBidsTable } from "orderlens/tables";
import { competitions, records, solvers } from "./market.ts";

const others = bestOtherBidsTable(records, { competitions, solvers });
export default leftOnTheTable(others, { nativeSymbol: "ETH", limit: 8 });
