/** Formats that tables are written in. */
export const FORMATS = ["parquet", "csv", "ndjson", "sqlite"] as const;

/** A format that tables are written in. */
export type Format = typeof FORMATS[number];
