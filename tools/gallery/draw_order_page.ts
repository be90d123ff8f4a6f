import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder, orderPage } from "orderlens/reports";
import { drawPage } from "./draw_page.ts";

/** The order of the README's command: filled after an attempt that failed. */
const UID =
  "0x500b5278b497c67d3443ef0f40b7d4d0c7bc63015487ee03c34bdf8c98b7358b28436801e7093ba424a28a66512aa31760c192b66b01b5a9";

/**
 * Draws what a reader sees first of the page of an order, in Chromium.
 *
 * @returns The paths of its pictures below the project's folder, of a light page and of a dark one.
 */
export async function drawOrderPage(): Promise<string[]> {
  const report = await inspectOrder(connect(await replay("market_1")), UID);
  return await drawPage("order", {
    html: await orderPage(report),
    size: { width: 1000, height: 640 },
    isWhole: false,
  });
}
