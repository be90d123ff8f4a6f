import type { OrderBook } from "../../client/order_book.ts";
import { tradesOf } from "../../client/trades_of.ts";
import { filledOf } from "../../metrics/orders/state_in_words.ts";
import type { DebugReport, Order } from "../../schemas/mod.ts";
import {
  ask,
  type Asked,
  askForReport,
  type OrderAnswers,
  recordOf,
  replacedOrder,
  settledIn,
} from "../order/gather_evidence.ts";

/** Owners whose newest orders are remembered, for replacements. */
const MOST_OWNERS = 256;
/** Orders of an owner among which a replacement is looked for. */
const NEWEST_ORDERS = 100;

/** Asks one deployment for what the verdict of an order needs besides the order, and for no more. */
export class TriageEvidence {
  readonly #book: OrderBook;
  readonly #replacements = new Map<string, Promise<ReadonlyMap<string, string>>>();
  readonly #isWithSettlements: boolean;
  #firstReport: Promise<Asked<DebugReport>> | undefined;

  /** Evidence of the orders of a deployment. */
  constructor(book: OrderBook, isWithSettlements: boolean) {
    this.#book = book;
    this.#isWithSettlements = isWithSettlements;
  }

  /**
   * The answers about an order: its trades if it has fills; if it was not filled, its debug report
   * where the deployment gives them, and its stage where it does not; if it was cancelled, the order
   * that replaced it.
   */
  async of(order: Order, signal: AbortSignal): Promise<OrderAnswers> {
    const isOver = order.status === "fulfilled" || endsByItself(order);
    const isPending = order.status === "open" || order.status === "expired";
    const [trades, debugReport, replacedBy] = await Promise.all([
      filledOf(order)[0] > 0n ? ask(() => tradesOf(this.#book, order.uid, { signal })) : [],
      isOver ? "refused" as const : this.#report(order.uid, signal),
      order.status === "cancelled" ? this.#replacementOf(order, signal) : null,
    ]);
    const needsStage = isPending && !isOver && recordOf(debugReport) === null;
    const fills = recordOf(trades) ?? [];
    return {
      order,
      trades: fills,
      stage: needsStage
        ? await ask(() => this.#book.orderStatus(order.uid, { signal }))
        : "refused",
      debugReport,
      competitions: this.#isWithSettlements ? await settledIn(this.#book, fills, signal) : [],
      walked: null,
      replacedBy,
    };
  }

  /** One order asks first, so that a deployment that refuses is asked once. */
  async #report(uid: string, signal: AbortSignal): Promise<Asked<DebugReport>> {
    if (this.#firstReport === undefined) {
      this.#firstReport = askForReport(this.#book, uid, signal);
      return await this.#firstReport;
    }
    await this.#firstReport.catch(() => {});
    return await askForReport(this.#book, uid, signal);
  }

  async #replacementOf({ uid, owner }: Order, signal: AbortSignal): Promise<string | null> {
    const key = owner.toLowerCase();
    const known = this.#replacements.get(key) ?? this.#askForReplacements(owner, signal);
    this.#replacements.delete(key);
    this.#replacements.set(key, known);
    const [oldest] = this.#replacements.keys();
    if (this.#replacements.size > MOST_OWNERS && oldest !== undefined) {
      this.#replacements.delete(oldest);
    }
    known.catch(() => this.#replacements.delete(key));
    return (await known).get(uid.toLowerCase()) ?? null;
  }

  /** Orders that replaced others, by the UID of the other. */
  async #askForReplacements(
    owner: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const orders = await ask(() =>
      Array.fromAsync(this.#book.accountOrders(owner, { limit: NEWEST_ORDERS, signal }))
    );
    return new Map((recordOf(orders) ?? []).flatMap((order) => {
      const replaced = replacedOrder(order);
      return replaced === null ? [] : [[replaced.toLowerCase(), order.uid] as const];
    }));
  }
}

/** Whether the order itself says how it ended. */
function endsByItself({ ethflowData, onchainOrderData }: Order): boolean {
  return ethflowData?.refundTxHash != null || onchainOrderData?.placementError != null;
}
