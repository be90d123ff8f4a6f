import type { Texts } from "./command_line.ts";

/** Environments of a public network. */
export const ENVIRONMENTS = ["production", "staging"] as const;

/** What the auctions of an export are found by. */
export const WALKS = ["ids", "settlements"] as const;

/** Engines of queries. */
export const ENGINES = ["duckdb", "spark"] as const;

/** Environment variable with the key of a partner. */
export const KEY_VARIABLE = "ORDERLENS_API_KEY";

/** Environment variable with the URL of a node. */
export const RPC_VARIABLE = "ORDERLENS_RPC_URL";

/** Environment variable with the secret that webhooks are signed with. */
export const WEBHOOK_VARIABLE = "ORDERLENS_WEBHOOK_SECRET";

/** Options that say which deployment is queried. */
export const TARGET_OPTIONS: Texts = {
  "--network <network>": "query a public network",
  [`--env <${ENVIRONMENTS.join("|")}>`]: "deployment of the network (production)",
  "--url <url>": "query another deployment",
  "--chain-id <number>": "chain ID of --url",
  "--settlement <address>": "its settlement contract (that of the public networks)",
  "--recording <recording>": "read a recording: one that ships with Orderlens, a file or a folder",
  "--sandbox <seed>": "query an order book in this process, with a simulated market",
  "--api-key-file <file>": `file with the API key of a partner (or set ${KEY_VARIABLE})`,
};

/** Options that say which node is queried. */
export const NODE_OPTIONS: Texts = {
  "--rpc-url <url>": `URL of a node, without a key (for one with a key, set ${RPC_VARIABLE})`,
  "--rpc-url-file <file>": "file with the URL of a node",
};

/**
 * Names of the tables of a dataset, for completions: the tables themselves bring polars, which needs
 * permissions and time. A test compares them.
 */
export const TABLE_NAMES: readonly string[] = [
  "auctions",
  "solutions",
  "solution_orders",
  "reference_scores",
  "orders",
  "trades",
  "protocol_fees",
  "executions",
  "order_events",
  "app_data",
  "native_prices",
  "order_listings",
  "blocks",
  "settlements",
  "imbalances",
  "chain_differences",
  "fills",
  "fees",
  "bids",
  "outcomes",
  "attempts",
  "fair_gain",
  "lifecycle",
  "rewards",
  "auction_rewards",
];
