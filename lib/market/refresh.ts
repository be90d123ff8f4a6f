import { connect, type OrderBook } from "../client/mod.ts";
import { type Dataset, openDataset } from "../datasets/mod.ts";
import { countRows } from "../datasets/layout/manifest.ts";
import { pluralize } from "../units/format.ts";
import type { MarketOrigin, MarketRecords } from "./market_records.ts";

/** Changes that {@linkcode Market.refresh} found. */
export interface MarketChanges {
  /** Number of auctions that are new, or whose competition changed; of a dataset, by how many it grew. */
  readonly auctions: number;
  /** Number of orders that are new, or changed with their fills and reports; of a dataset, the growth. */
  readonly orders: number;
  /**
   * Number of requests that its connection sent meanwhile, without those to a node; `null` of a transport
   * that does not count them.
   */
  readonly requests: number | null;
  /** The same in words, or why nothing can change. */
  readonly summary: string;
}

/** Counts the requests that the connection of a book has sent; `null` if it does not count them. */
export function countRequests({ transport }: OrderBook): number | null {
  const { requestCount }: { readonly requestCount?: unknown } = Object(transport);
  return typeof requestCount === "number" ? requestCount : null;
}

/** Compares the records of a deployment with those of an earlier reading. */
export function compareRecords(
  earlier: MarketRecords | null,
  { competitions, records }: MarketRecords,
  requests: number | null,
): MarketChanges {
  const earlierRecords = new Set<unknown>([
    ...earlier?.competitions ?? [],
    ...earlier?.records ?? [],
  ]);
  const countNew = (values: readonly unknown[]) =>
    values.filter((value) => !earlierRecords.has(value)).length;
  const [auctions, orders] = [countNew(competitions), countNew(records)];
  const requestText = requests === null ? "" : `, ${pluralize(requests, "request")}`;
  const countText = `${pluralize(auctions, "auction")} and ${pluralize(orders, "order")}`;
  const summary = `New or changed: ${countText}${requestText}`;
  return { auctions, orders, requests, summary };
}

/** The changes of a source that has none. */
export function toUnchanged(summary: string): MarketChanges {
  return { auctions: 0, orders: 0, requests: 0, summary };
}

/** Opens the folder of a dataset again; `null` if its manifest is the same. */
export async function reopenDataset(
  { book }: MarketOrigin,
  earlier: Dataset,
): Promise<{ origin: MarketOrigin; changes: MarketChanges } | null> {
  const dataset = await openDataset(earlier.folder);
  if (JSON.stringify(dataset.manifest) === JSON.stringify(earlier.manifest)) return null;
  const { chainId, settlementContract } = book;
  const countAdded = (table: string) =>
    countRows(dataset.manifest, table) - countRows(earlier.manifest, table);
  const [auctions, orders] = [countAdded("auctions"), countAdded("orders")];
  return {
    origin: { book: connect(dataset, { chainId, settlementContract }), origin: dataset },
    changes: {
      ...{ auctions, orders, requests: 0 },
      summary: `The dataset changed; rows added: ${auctions} of auctions, ${orders} of orders`,
    },
  };
}
