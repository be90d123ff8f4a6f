import { ecdf } from "orderlens/charts";
import { market } from "./market.ts";

const options = { ...market.caption, x: "slippage_net_bps", series: "kind" };
export default ecdf(await market.fills(), options);
