import { ecdf } from "orderlens/charts";
import { slippageTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fills = slippageTable(records, { competitions });
export default ecdf(fills, { x: "slippage_net_bps", series: "kind" });
