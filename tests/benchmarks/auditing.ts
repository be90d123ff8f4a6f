import type { Order, Trade } from "orderlens";
import { auditFees } from "orderlens/metrics";
import { encodeTrade } from "orderlens/schemas";
import { orderOf, recordedRun } from "../metrics/recorded_run.ts";
import type { Comparison } from "./ratio.ts";

const FILLS = 100_000;

/** Auditing the fees of fills, decoded before, against bare `JSON.parse` of the same trades. */
export async function auditingComparisons(): Promise<Comparison[]> {
  const market = await recordedRun("market_1");
  const fills = Array.from({ length: FILLS }, (_, index): [Trade, Order] => {
    const trade = market.trades[index % market.trades.length]!;
    return [trade, orderOf(market, trade)];
  });
  const text = JSON.stringify(fills.map(([trade]) => encodeTrade(trade)));
  return [{
    name: `audit the fees of ${FILLS.toLocaleString("en")} fills / JSON.parse of their trades`,
    bar: 1.5,
    reference: () => JSON.parse(text),
    measured: () => {
      for (const [trade, order] of fills) {
        if (auditFees(trade, order).verdict !== "exact") throw new Error(trade.orderUid);
      }
    },
  }];
}
