import { bidsForOrder } from "orderlens/charts";
import { market } from "./market.ts";

const { trades } = await market.records();
export default bidsForOrder(await market.bids(), {
  ...market.caption,
  orderUid: trades[0]!.orderUid,
});
