import { orderTimeline } from "orderlens/charts";
import { fillsTable, orderAuctionsTable, orderEventsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const one = records.filter((order) => (order.debugReport?.auctions.length ?? 0) > 2).slice(0, 1);
const reports = one.flatMap(({ debugReport }) => debugReport ?? []);
const [events, auctions] = [orderEventsTable(reports), orderAuctionsTable(reports)];
const fills = fillsTable(one, { competitions });
export default orderTimeline({ order_uid: one[0]!.order.uid, events, auctions, fills });
