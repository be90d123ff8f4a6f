/**
 * One noun for exploration: a range of auctions of any source, with every table and report behind it.
 *
 * {@linkcode openMarket} opens a recording, a dataset, a network, a URL or your own order book; records
 * are read on first use, and cached.
 *
 * @example Fills as a frame, and solutions in SQL
 * ```ts
 * import { openMarket } from "orderlens/market";
 * import { assertEquals } from "@std/assert";
 *
 * const market = await openMarket("market_1", { last: 10 });
 * const fills = await market.fills();
 * const won = await market.sql("SELECT count(*) AS won FROM solutions WHERE is_winner");
 *
 * assertEquals([fills.height, won], [5, [{ won: 5 }]]);
 * ```
 *
 * @module
 */
export { openMarket } from "./open_market.ts";
export type { MarketOptions, MarketSource, OrderPopulation } from "./market_options.ts";
export type { MarketTokenNames, TokenList, TokenNames } from "./market_tokens.ts";
export { weekReport, type WeekReportOptions } from "./week_report.ts";
export { Market, type MarketQueryOptions, type MarketWriteOptions } from "./market.ts";
export type { WriteRowsOptions, WrittenRows } from "../sql/mod.ts";
export type { MarketDescription, MarketSpan, Span } from "./describe_market.ts";
export type { MarketChanges } from "./refresh.ts";
export type { MarketTables } from "../tables/mod.ts";
export type { MarketViews } from "./market_tables.ts";
export type { MarketOrigin, MarketRecords, MarketTokens } from "./market_records.ts";
