import type { Trade } from "orderlens";
import type { Frame } from "orderlens/tables";

/** A fill of the order `0x0f`, which sells 100 of `0x01`, made up for a test. */
export function tradeOf(more: Partial<Trade> = {}): Trade {
  const { sellAmount = 100n } = more;
  return {
    blockNumber: 103,
    logIndex: 2,
    orderUid: "0x0f",
    owner: "0x0d",
    sellToken: "0x01",
    buyToken: "0x02",
    sellAmount,
    sellAmountBeforeFees: sellAmount,
    buyAmount: 190n,
    txHash: "0xaa",
    ...more,
  };
}

/** Some columns of a frame, row by row; a text may name several, parted by spaces. */
export function cells(frame: Frame, ...names: string[]): unknown[][] {
  const columns = names.flatMap((name) => name.split(" "));
  const arrays = columns.map((column) => frame.getColumn(column).toArray());
  return Array.from({ length: frame.height }, (_, row) => arrays.map((cells) => cells[row]));
}
