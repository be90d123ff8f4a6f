import { bidsForOrder } from "orderlens/charts";
import { bidsTable } from "orderlens/tables";
import { competitions, records, solvers } from "./market.ts";

const { order } = records.find(({ trades }) => trades.length > 0)!;
const bids = bidsTable(competitions, { orders: [order], solvers });
export default bidsForOrder(bids, { orderUid: order.uid });
