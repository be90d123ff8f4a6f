import type { OrderBook } from "../../client/order_book.ts";
import { type OrderChange, trackOrder } from "../../client/track_order.ts";
import { formatPercent, ratio } from "../../units/mod.ts";
import type { Session } from "../terminal/session.ts";

/** Prints a line for every change of an order, until it ends. */
export async function printChanges(
  session: Session,
  book: OrderBook,
  uid: string,
): Promise<void> {
  for await (const change of trackOrder(book, uid, { signal: session.signal })) {
    if (session.isJson) session.printJson("order-change", plainChange(change));
    else session.print(changeLine(change));
  }
  session.signal.throwIfAborted();
}

function plainChange({ seenAt, order, stage, executed, isFinal }: OrderChange): object {
  return {
    seenAt: `${seenAt}`,
    orderUid: order.uid,
    status: order.status,
    stage,
    executed,
    isFinal,
  };
}

function changeLine({ seenAt, order, stage, executed: { atoms, ofAtoms } }: OrderChange): string {
  const share = ofAtoms === 0n
    ? ""
    : `  ${formatPercent(ratio(atoms, ofAtoms), { digits: 1, rounding: "floor" })} executed`;
  return `${seenAt}  ${order.status}${stage === null ? "" : `  ${stage}`}${share}`;
}
