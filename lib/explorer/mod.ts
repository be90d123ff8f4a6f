/**
 * An explorer in the browser: orders, auctions, solvers, accounts, transactions and tokens of a
 * recording, a dataset, a sandbox or a deployment, with search, lists and the newest auctions.
 *
 * {@linkcode serveExplorer} listens on this machine; {@linkcode explorer} answers requests without a
 * port, and {@linkcode publishSite} writes the pages of a dataset as files. Pages come from `reports`, load nothing from elsewhere, and run no script, except for the one
 * of the live page.
 *
 * @module
 */
export { type Explorer, explorer, type ExplorerOptions } from "./explorer.ts";
export { publishSite, type PublishSiteOptions, type SitePublication } from "./site/publish_site.ts";
export type { SiteProgress } from "./site/write_pages.ts";
export type { ExplorerSource } from "./explorer_source.ts";
export { type ExplorerServer, serveExplorer, type ServeExplorerOptions } from "./serve_explorer.ts";
