import { isFinalOrder } from "../endpoints/orders.ts";
import { DiskCache } from "../http/disk_cache.ts";
import { sumFills } from "../metrics/orders/fills.ts";
import { assessSettlement } from "../metrics/orders/settlement_outlook.ts";
import {
  type DebugReport,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  encodeDebugReport,
  encodeOrder,
  encodeTrade,
  type Order,
  type Trade,
} from "../schemas/mod.ts";

/** One order with its fills and debug report, as tables of fills take it. */
export interface GatheredOrder {
  /** The order. */
  readonly order: Order;
  /** Its fills, oldest first. */
  readonly trades: readonly Trade[];
  /** Its debug report; `null` if the deployment, or the recording, does not provide it. */
  readonly debugReport: DebugReport | null;
}

/** Whether anything of an order was executed. */
export function hasExecution({ executedSellAmount, executedBuyAmount }: Order): boolean {
  return executedSellAmount > 0n || executedBuyAmount > 0n;
}

/** Whether the fills of an order add up to what it executed: the service may index some later. */
export function hasAllFills({ order, trades }: Pick<GatheredOrder, "order" | "trades">): boolean {
  const { sellAmount, buyAmount } = sumFills(trades);
  return sellAmount === order.executedSellAmount && buyAmount === order.executedBuyAmount;
}

/** Whether an order and its fills can never change, by the rule of `isFinalOrder`. */
export function isFinalRecord(record: GatheredOrder, now: Temporal.Instant): boolean {
  return isFinalOrder(record.order, now.epochMilliseconds) && hasAllFills(record);
}

/** Whether an order may still get a fill, and so events. */
export function mayReportChange(
  { order, debugReport }: GatheredOrder,
  now: Temporal.Instant,
): boolean {
  const events = debugReport?.events ?? null;
  return assessSettlement({ order, events, now }).mayStillSettle !== false;
}

/** Whether anything of a record may still change. The fees of fills are known some time after them. */
export function mayChange(record: GatheredOrder, now: Temporal.Instant): boolean {
  if (isFinalRecord(record, now)) return false;
  return hasExecution(record.order) || mayReportChange(record, now);
}

/** Records of orders that can never change, on the disk. */
export class FinalOrders {
  readonly #cache: DiskCache;
  readonly #baseUrl: string;

  /** Uses a folder for the orders of a deployment. */
  constructor(folder: string, baseUrl: string) {
    this.#cache = new DiskCache(folder);
    this.#baseUrl = baseUrl;
  }

  /** Reads the records of an order; `undefined` if they are not there, or damaged. */
  async read(uid: string): Promise<GatheredOrder | undefined> {
    const entry = await this.#cache.get(this.#toKey(uid));
    if (entry === undefined) return undefined;
    try {
      const { order, trades, debugReport } = JSON.parse(entry.body);
      return {
        order: decodeOrder(order),
        trades: trades.map((trade: unknown) => decodeTrade(trade)),
        debugReport: debugReport === null ? null : decodeDebugReport(debugReport),
      };
    } catch {
      return undefined;
    }
  }

  /** Stores the records of an order. */
  async write({ order, trades, debugReport }: GatheredOrder): Promise<void> {
    const body = JSON.stringify({
      order: encodeOrder(order),
      trades: trades.map(encodeTrade),
      debugReport: debugReport === null ? null : encodeDebugReport(debugReport),
    });
    await this.#cache.put(this.#toKey(order.uid), { contentType: "application/json", body });
  }

  #toKey(uid: string): string {
    return `${this.#baseUrl}#records/${uid.toLowerCase()}`;
  }
}
