/**
 * An explorer in the browser: orders, auctions, solvers, accounts, transactions and tokens of a
 * recording, a dataset, a sandbox or a deployment, with search, lists and the newest auctions.
 *
 * {@linkcode serveExplorer} listens on this machine; {@linkcode explorer} answers requests without a
 * port. Pages come from `reports`, load nothing from elsewhere, and run no script, except for the one
 * of the live page.
 *
 * @module
 */
export { type Explorer, explorer, type ExplorerOptions } from "./explorer.ts";
export type { ExplorerSource } from "./explorer_source.ts";
export { type ExplorerServer, serveExplorer, type ServeExplorerOptions } from "./serve_explorer.ts";
