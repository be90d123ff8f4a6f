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
  explorerUrls,
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
  type ConsistencyMetric,
  COW_SHED_FACTORIES,
  type DatedRule,
  type DeadlineRule,
  type Environment,
  type EthFlowContracts,
  type ExcludedAuctions,
  type Network,
  type NetworkContracts,
  type NetworkName,
  type QuoteReward,
  type RewardRules,
  type RuleSureness,
  type StagingAddresses,
  type TokenFacts,
  TWAP_HANDLER,
} from "./network.ts";
export { NATIVE_TOKEN_ADDRESS, NETWORKS } from "./networks.ts";
export { PARTNER_SHARES, type PartnerShare, SERVICE_FEES, type ServiceFee } from "./payments.ts";
export { PUBLISHED_WEEKS, type PublishedReward, type PublishedWeek } from "./published_rewards.ts";
export {
  type DatedRuleSet,
  listDatedRuleSets,
  listRulePeriods,
  type RulePart,
  type RulePeriod,
} from "./rule_periods.ts";
export { type RuleSet, ruleSets } from "./rule_sets.ts";
export {
  type Solver,
  solver,
  type SolverEnvironment,
  solverName,
  type SolverNetwork,
  SOLVERS,
} from "./solvers.ts";
