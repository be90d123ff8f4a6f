import { timeToFill } from "orderlens/charts";
import { market } from "./market.ts";

export default timeToFill(await market.lifecycle(), { ...market.caption, by: "market_position" });
