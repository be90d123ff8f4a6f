import { text } from "../../tables/columns/columns.ts";
import type { Table } from "../../tables/mod.ts";

/** A document and its hash. */
export interface AppDataFacts {
  /** The hash that orders name. */
  readonly hash: string;
  /** The document, as it was hashed. */
  readonly document: string;
}

/** One row per app data document of the shard's orders. */
export const APP_DATA: Table<AppDataFacts> = {
  name: "app_data",
  grain: "One app data document that orders of the file name",
  columns: [
    text("app_data_hash", { source: "order.appData", cell: ({ hash }) => hash }),
    text("document", {
      source: "order.fullAppData, or the answer of app_data/{hash}: the text that was hashed",
      cell: ({ document }) => document,
    }),
  ],
};
