import { timeToFill } from "orderlens/charts";
import { lifecycleTable } from "orderlens/tables";
import { records } from "./market.ts";

const lives = lifecycleTable(records, { now: Temporal.Now.instant() });
export default timeToFill(lives, { by: "market_position" });
