/**
 * Facts of each public deployment: chain id, API roots, tokens, contracts, solvers, dated
 * parameters.
 *
 * Data and lookups, no logic; each value names its source. Imports `errors/` and `units/`.
 *
 * @module
 */
export {
  type ExplorerPage,
  type ExplorerSubject,
  explorerUrl,
  isNetworkName,
  network,
  networkByChainId,
  parseExplorerUrl,
  parseNetworkName,
} from "./explorer_url.ts";
export {
  type HexKind,
  type Identifier,
  parseIdentifier,
  type ShortenedIdentifier,
} from "./identifier.ts";
export {
  ACCOUNTING_WEEK,
  type AccountingWeek,
  type AddressByEnvironment,
  type ApiRoots,
  CONSISTENCY_BY_ORDER_SHARE_SINCE,
  COW_SHED_FACTORIES,
  type Environment,
  type EthFlowContracts,
  type Network,
  type NetworkContracts,
  type NetworkName,
  type QuoteReward,
  type RewardRules,
  type StagingAddresses,
  type TokenFacts,
  TWAP_HANDLER,
} from "./network.ts";
export { NATIVE_TOKEN_ADDRESS, NETWORKS, type RuleSet, ruleSets } from "./networks.ts";
export {
  type Solver,
  solver,
  type SolverEnvironment,
  solverName,
  type SolverNetwork,
  SOLVERS,
} from "./solvers.ts";
