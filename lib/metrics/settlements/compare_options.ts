import { type OptionRules, TEXT, wholeFrom } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { type ByUid, byUidRule } from "../by_uid.ts";
import { decoded, list } from "../option_kinds.ts";
import { ROLE_OPTIONS, type RoleOptions } from "../orders/auction_role.ts";
import type { ReportedOrder, ReportedTrade } from "./compare_fills.ts";
import type { ImbalanceOptions } from "./token_imbalances.ts";

/** What was reported about a settlement, and facts of its network. */
export interface CompareSettlementOptions extends ImbalanceOptions, RoleOptions {
  /** The reported auction of the settlement. */
  readonly competition?: Competition | null;
  /** Reported fills, also of other settlements; with them, network fees are exact. */
  readonly trades?: Iterable<ReportedTrade>;
  /** Reported orders: their `executedFee` and their hooks are compared. */
  readonly orders?: ByUid<ReportedOrder>;
  /** Chain id of the network: with it, UIDs are computed from the calldata. */
  readonly chainId?: number;
  /** The settlement contract: with it, a contract that only emits the same events is told apart. */
  readonly settlementContract?: string;
}

/** Allowed values of the {@linkcode CompareSettlementOptions}. */
export const COMPARE_OPTIONS: OptionRules<CompareSettlementOptions> = {
  ...ROLE_OPTIONS,
  competition: decoded(),
  trades: list(),
  orders: byUidRule("orders"),
  chainId: wholeFrom(1),
  settlementContract: TEXT,
  wrappedNativeToken: TEXT,
};
