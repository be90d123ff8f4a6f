import { leftOnTheTable } from "orderlens/charts";
import { market } from "./market.ts";

export default leftOnTheTable(await market.bestOtherBids(), { ...market.nativeCaption, limit: 8 });
