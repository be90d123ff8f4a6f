import { orderTimeline } from "orderlens/charts";
import { market } from "./market.ts";

const { records } = await market.records();
const { order } = records.find(({ debugReport }) => (debugReport?.auctions.length ?? 0) > 2)!;
const [events, auctions] = [await market.orderEvents(), await market.orderAuctions()];
const fills = await market.fills();
export default orderTimeline({ order_uid: order.uid, events, auctions, fills }, market.caption);
