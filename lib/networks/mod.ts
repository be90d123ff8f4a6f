/**
 * Facts of each public deployment: chain id, API roots, tokens, contracts, solvers, dated
 * parameters.
 *
 * Data and lookups, no logic; each value names its source. Imports `errors/` and `units/`.
 *
 * @module
 */
export { type ExplorerSubject, explorerUrl } from "./explorer_url.ts";
export { type ExplorerPage, parseExplorerUrl } from "./parse_explorer_url.ts";
export { network, networkByChainId } from "./lookup.ts";
export type {
  AddressByEnvironment,
  ApiRoots,
  Environment,
  EthFlowContracts,
  Network,
  NetworkContracts,
  NetworkName,
  StagingAddresses,
  TokenFacts,
} from "./network.ts";
export { NATIVE_TOKEN_ADDRESS, NETWORKS } from "./networks.ts";
export { isNetworkName, parseNetworkName } from "./parse_network_name.ts";
export {
  ACCOUNTING_WEEK,
  type AccountingWeek,
  CONSISTENCY_BY_ORDER_SHARE_SINCE,
  type QuoteReward,
  type RewardRules,
} from "./reward_rules.ts";
export {
  type Solver,
  solver,
  type SolverEnvironment,
  solverName,
  type SolverNetwork,
  SOLVERS,
} from "./solvers.ts";
