import type { OptionSpec } from "./command_line.ts";

/** Environments of a public network. */
export const ENVIRONMENTS = ["production", "staging"] as const;

/** Environment variable with the key of a partner. */
export const KEY_VARIABLE = "ORDERLENS_API_KEY";

/** Environment variable with the URL of a node. */
export const RPC_VARIABLE = "ORDERLENS_RPC_URL";

/** Environment variable with the secret that webhooks are signed with. */
export const WEBHOOK_VARIABLE = "ORDERLENS_WEBHOOK_SECRET";

/** Options that say which deployment is asked. */
export const TARGET_OPTIONS: readonly OptionSpec[] = [
  { flags: "--network <name>", text: "ask a public network", values: "network" },
  {
    flags: "--env <environment>",
    text: "which deployment of the network: production (default) or staging",
    values: ENVIRONMENTS,
  },
  { flags: "--url <url>", text: "ask any other deployment" },
  { flags: "--chain-id <number>", text: "chain ID of --url" },
  {
    flags: "--settlement <address>",
    text: "its settlement contract (that of the public networks)",
  },
  {
    flags: "--recording <name>",
    text: "read a recording: one that ships, a file or a folder",
    values: "recording",
  },
  {
    flags: "--sandbox <seed>",
    text: "ask an order book in this process, with a market of its own",
  },
  {
    flags: "--api-key-file <file>",
    text: `file with the key of a partner (or set ${KEY_VARIABLE})`,
    values: "file",
  },
];

/** Options that say which node is asked. */
export const NODE_OPTIONS: readonly OptionSpec[] = [
  { flags: "--rpc-url <url>", text: `URL of a node without a key (with one, set ${RPC_VARIABLE})` },
  { flags: "--rpc-url-file <file>", text: "file with the URL of a node", values: "file" },
];

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
  "lifecycle",
  "rewards",
  "auction_rewards",
];
