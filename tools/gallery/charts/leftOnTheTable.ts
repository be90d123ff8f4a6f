import { leftOnTheTable } from "orderlens/charts";
import { bestOtherBidsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const others = bestOtherBidsTable(records, { competitions });
export default leftOnTheTable(others, { nativeSymbol: "ETH", limit: 8 });
