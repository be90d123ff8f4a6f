import { orderTimeline } from "orderlens/charts";
import { fillsTable, orderEventsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const one = records.filter(({ trades }) => trades.length > 0).slice(0, 1);
const events = orderEventsTable(one.flatMap(({ debugReport }) => debugReport ?? []));
const fills = fillsTable(one, { competitions });
export default orderTimeline({ order_uid: one[0]!.order.uid, events, fills });
