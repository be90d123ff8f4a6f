import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/mod.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
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

/** A report; what its forms need is loaded when they are asked for. */
export interface Inspected {
  /** Plain data. */
  readonly report: object;
  /** The verdict, of an order. */
  readonly verdict: string | null;
  /** Whether the deployment has what the report is about; an account may have nothing. */
  readonly isFound: boolean;
  /** Its page in words. */
  content(): Promise<PageContent>;
  /** The same with pictures, where it has some. */
  drawn?(): Promise<PageContent>;
}

/** Begins to load what reports of orders need. */
export function preloadOrders(): void {
  const loading = [
    import("../../reports/order/inspect_order.ts"),
    import("../../reports/page/order_content.ts"),
    import("../../reports/page/text_page.ts"),
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
      const content = async () =>
        (await import("../../reports/page/order_content.ts")).orderContent(report);
      return {
        report,
        verdict: report.verdict,
        isFound: report.verdict !== "unknown_here",
        content,
        drawn: async () => {
          const { withOrderCharts } = await import("../../reports/page/with_order_charts.ts");
          return await withOrderCharts(await content(), report);
        },
      };
    }
    case "transaction": {
      const { inspectTransaction } = await import("../../reports/subjects/inspect_transaction.ts");
      const report = await inspectTransaction(book, key, { signal });
      return {
        report,
        verdict: null,
        isFound: report.isFound,
        content: async () =>
          (await import("../../reports/page/transaction_content.ts")).transactionContent(report),
      };
    }
    case "account": {
      const { inspectAccount } = await import("../../reports/subjects/inspect_account.ts");
      const report = await inspectAccount(book, key, { signal });
      return {
        report,
        verdict: null,
        isFound: true,
        content: async () =>
          (await import("../../reports/page/account_content.ts")).accountContent(report),
      };
    }
    case "auction": {
      const { inspectAuction } = await import("../../reports/subjects/inspect_auction.ts");
      const report = await inspectAuction(book, Number(key), { signal });
      return {
        report,
        verdict: null,
        isFound: report.isFound,
        content: async () =>
          (await import("../../reports/page/auction_content.ts")).auctionContent(report),
      };
    }
  }
}
