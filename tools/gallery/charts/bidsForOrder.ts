import { bidsForOrder } from "orderlens/charts";
import { solutionOrdersTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const { order } = records.find(({ trades }) => trades.length > 0)!;
const bids = solutionOrdersTable(competitions, { orders: [order] });
export default bidsForOrder(bids, { orderUid: order.uid });
