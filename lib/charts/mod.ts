/**
 * Plain documented rows in, `Chart` out: one file per picture.
 *
 * A chart computes nothing but where marks go; it shows itself in Jupyter and is an SVG, an HTML
 * fragment or a PNG elsewhere. The one room that knows Plot and the DOM.
 *
 * @module
 */
export {
  auctionRanking,
  type AuctionRankingOptions,
  type AuctionRankingRow,
} from "./auction_ranking.ts";
export { Chart, type ChartParts, type PngOptions } from "./chart.ts";
export type { ChartOptions, FacetOptions, ListOptions, NativeOptions } from "./chart_options.ts";
