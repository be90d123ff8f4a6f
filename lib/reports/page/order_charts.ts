import type { Chart, ChartOptions } from "../../charts/mod.ts";
import type { OrderReport } from "../order/order_report.ts";

/** The pictures of a report, by the section of its page; `null` where one would say nothing. */
export interface OrderCharts {
  /** Its life: events, auctions, attempts to settle, fills. */
  readonly timeline: Chart | null;
  /** What solvers offered for it, over its limit. */
  readonly auctions: Chart | null;
  /** What made its fills differ from the quote. */
  readonly fills: Chart | null;
}

/**
 * Draws the report of an order: the pictures of its page, as charts that show themselves in a
 * notebook.
 *
 * What draws is loaded by the first call.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Options of every chart, such as its width.
 * @throws {InputError} If an option is unknown or out of range.
 *
 * @example An order that was in auctions, and that nobody bid on
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectOrder, orderCharts } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const report = await inspectOrder(connect(tape), tape.recorded.orderUids[0]!);
 * const { timeline, auctions, fills } = await orderCharts(report);
 *
 * assertEquals([timeline === null, auctions, fills], [false, null, null]);
 * ```
 */
export async function orderCharts(
  report: OrderReport,
  options: ChartOptions = {},
): Promise<OrderCharts> {
  const { drawOrder } = await import("./draw_order.ts");
  return drawOrder(report, options);
}
