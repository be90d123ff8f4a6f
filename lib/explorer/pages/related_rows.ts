import type { Section } from "../../reports/page/page_content.ts";
import type { OrderRow, TradeRow } from "../lists/list_rows.ts";
import { orderTable, tradeTable } from "../markup/row_cells.ts";
import type { Shown } from "./shown.ts";

/** Rows of a list on the page of something else. */
export const MOST_RELATED = 50;

/** Orders as a section; none without any. */
export function orderSection(orders: readonly OrderRow[], shown: Shown): Section[] {
  if (orders.length === 0) return [];
  const rows = orders.slice(0, MOST_RELATED).map((row) => ({ ...row, verdict: null }));
  return [{
    id: "listed-orders",
    title: "Orders in the lists",
    note: noteOf(orders.length),
    table: orderTable(rows, shown.words),
  }];
}

/** Fills as a section; none without any. */
export function tradeSection(trades: readonly TradeRow[], shown: Shown): Section[] {
  if (trades.length === 0) return [];
  return [{
    id: "listed-trades",
    title: "Fills in the lists",
    note: noteOf(trades.length),
    table: tradeTable(trades.slice(0, MOST_RELATED), shown.words),
  }];
}

/** The newest rows as data, with how many there are. */
export function relatedData(orders: readonly OrderRow[], trades: readonly TradeRow[]) {
  return {
    ordersKnown: orders.length,
    tradesKnown: trades.length,
    orders: orders.slice(0, MOST_RELATED),
    trades: trades.slice(0, MOST_RELATED),
  };
}

function noteOf(count: number): string {
  return count > MOST_RELATED ? `The newest ${MOST_RELATED} of ${count}.` : `All ${count}.`;
}
