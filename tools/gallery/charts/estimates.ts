import { estimates } from "orderlens/charts";
import { market } from "./market.ts";

const options = { ...market.caption, group: "pair", value: "slippage_net_bps", reference: 0 };
export default estimates(await market.fills(), { ...options, limit: 12 });
