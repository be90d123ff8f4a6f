import { markoutByBidders } from "orderlens/charts";
import { type PriceRow, priceSeries } from "orderlens/tables";
import { market } from "./market.ts";

const prices = await market.sql<PriceRow>(`SELECT token, auction_at AS time,
  token_price_native AS price_native FROM native_prices WHERE auction_at IS NOT NULL`);
const later = await market.winnersCurse(priceSeries(prices), { delayMs: 60_000 });
export default markoutByBidders(later, market.caption);
