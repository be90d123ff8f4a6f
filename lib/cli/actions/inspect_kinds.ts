import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/mod.ts";
import type { TextOptions } from "../../reports/page/text_page.ts";
import type { Subject } from "./inspect_subject.ts";

/** How a report is made. */
export interface InspectHow {
  /** Auction ids to walk at most; `true` for the usual number. */
  readonly deep: boolean | number;
  /** URL of a node. */
  readonly node: string | undefined;
  /** Called for each auction that is walked. */
  readonly onProgress: (progress: Progress) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** A report in all its forms; what a form needs is loaded when it is asked for. */
export interface Inspected {
  /** Plain data. */
  readonly report: object;
  /** The verdict, of an order. */
  readonly verdict: string | null;
  /** For a terminal. */
  text(options: TextOptions): Promise<string>;
  /** One HTML file. */
  page(): Promise<string>;
}

/** Begins to load what reports of orders need. */
export function preloadOrders(): void {
  const loading = [
    import("../../reports/order/inspect_order.ts"),
    import("../../reports/page/order_text.ts"),
  ];
  // Who uses them meets the failure.
  Promise.all(loading).catch(() => {});
}

/** Inspects what a word names. Text needs neither charts nor tables: they are loaded by pages alone. */
export async function inspect(
  book: OrderBook,
  { kind, key }: Subject,
  { deep, node, onProgress, signal }: InspectHow,
): Promise<Inspected> {
  switch (kind) {
    case "order": {
      const { inspectOrder } = await import("../../reports/order/inspect_order.ts");
      const report = await inspectOrder(book, key, { deep, node, onProgress, signal });
      return {
        report,
        verdict: report.verdict,
        text: async (options) =>
          (await import("../../reports/page/order_text.ts")).orderText(report, options),
        page: async () => (await import("../../reports/page/order_page.ts")).orderPage(report),
      };
    }
    case "transaction": {
      const { inspectTransaction } = await import("../../reports/nouns/inspect_transaction.ts");
      const report = await inspectTransaction(book, key, { signal });
      return {
        report,
        verdict: null,
        text: async (options) =>
          (await import("../../reports/page/transaction_text.ts")).transactionText(report, options),
        page: async () =>
          (await import("../../reports/page/transaction_page.ts")).transactionPage(report),
      };
    }
    case "account": {
      const { inspectAccount } = await import("../../reports/nouns/inspect_account.ts");
      const report = await inspectAccount(book, key, { signal });
      return {
        report,
        verdict: null,
        text: async (options) =>
          (await import("../../reports/page/account_text.ts")).accountText(report, options),
        page: async () => (await import("../../reports/page/account_page.ts")).accountPage(report),
      };
    }
    case "auction": {
      const { inspectAuction } = await import("../../reports/nouns/inspect_auction.ts");
      const report = await inspectAuction(book, Number(key), { signal });
      return {
        report,
        verdict: null,
        text: async (options) =>
          (await import("../../reports/page/auction_text.ts")).auctionText(report, options),
        page: async () => (await import("../../reports/page/auction_page.ts")).auctionPage(report),
      };
    }
  }
}
