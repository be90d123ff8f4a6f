import type { Trade } from "orderlens";
import type { Frame } from "orderlens/tables";
import { tradeOf as anyTrade } from "../metrics/reports.ts";

/** A fill that was settled in time; its amounts before and after the legacy fee are the same. */
export function tradeOf(more: Partial<Trade> = {}): Trade {
  const { sellAmount = 100n } = more;
  const own = { blockNumber: 103, logIndex: 2, buyAmount: 190n, txHash: "0xaa" };
  return anyTrade({ ...own, sellAmount, sellAmountBeforeFees: sellAmount, ...more });
}

/** Some columns of a frame, row by row; a text may name several, parted by spaces. */
export function cells(frame: Frame, ...names: string[]): unknown[][] {
  const columns = names.flatMap((name) => name.split(" "));
  const arrays = columns.map((column) => frame.getColumn(column).toArray());
  return Array.from({ length: frame.height }, (_, row) => arrays.map((cells) => cells[row]));
}
