import { text } from "../columns/columns.ts";
import type { AppDataFacts } from "../columns/records.ts";
import { defineTable, type Table } from "../columns/table.ts";

/** One row per app data document of the orders. */
export const APP_DATA: Table<"orders"> = defineTable<AppDataFacts, "orders">({
  name: "app_data",
  grain: "One app data document that orders of the file name",
  kind: "record",
  of: ["orders"],
  key: ["app_data_hash"],
  needs: ["orders", "app_data"],
  hasRepeats: true,
  isOfUnbid: true,
  columns: [
    text("app_data_hash", { source: "order.appData", cell: ({ hash }) => hash }),
    text("document", {
      source: "order.fullAppData, or the response of app_data/{hash}: the text that was hashed",
      cell: ({ document }) => document,
    }),
  ],
  rows: ({ documents, orders }) =>
    documents ?? new Map(
      orders.flatMap(({ appData: hash, fullAppData: document }) =>
        document == null ? [] : [[hash, { hash, document }] as const]
      ),
    ).values(),
});
