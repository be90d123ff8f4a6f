import { checkOptions, type OptionRules, TEXT, wholeFrom } from "../../errors/option_rules.ts";
import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  type ByUid,
  byUidRule,
  decoded,
  isNotComputable,
  list,
  type NotComputable,
} from "../not_computable.ts";
import { ROLE_OPTIONS, type RoleOptions } from "../orders/order_bids.ts";
import { amountsText, type AuditedTrade, type SettlementDifference } from "./compare_solution.ts";
import {
  type MovedAtoms,
  movedAtoms,
  NOBODY,
  type SettlementFlows,
  tradesIn,
} from "./moved_atoms.ts";

/** The fields of a reported fill that are compared. */
export type ReportedTrade = Pick<
  Trade,
  | "orderUid"
  | "sellAmount"
  | "buyAmount"
  | "blockNumber"
  | "logIndex"
  | "txHash"
  | "executedProtocolFees"
>;

/** The fields of a reported order that are compared. */
export type ReportedOrder = Partial<
  Pick<Order, "executedFee" | "executedSellAmount" | "executedBuyAmount" | "fullAppData">
>;

/**
 * The reported fill of each trade, in their order, and those of the transaction that are none of
 * them. An order may be filled twice in one settlement: the log tells which fill is which.
 */
export function matchFills(
  { txHash }: Pick<OnchainSettlement, "txHash">,
  events: readonly TradeEvent[],
  reported: readonly ReportedTrade[],
): { readonly fills: readonly (ReportedTrade | undefined)[]; readonly rest: ReportedTrade[] } {
  const rest = reported.filter((one) => one.txHash !== null && sameHex(one.txHash, txHash));
  const take = ({ orderUid }: TradeEvent, logIndex?: number) => {
    const place = rest.findIndex((one) =>
      sameHex(one.orderUid, orderUid) && (logIndex === undefined || one.logIndex === logIndex)
    );
    return place < 0 ? undefined : rest.splice(place, 1)[0];
  };
  const exact = events.map((event) => take(event, event.logIndex));
  const fills = events.map((event, place) => exact[place] ?? take(event));
  return { fills, rest };
}

/** Reported fills of a transaction that has no such event. */
export function unsettledFills(rest: readonly ReportedTrade[]): SettlementDifference[] {
  return rest.map((fill) => ({
    what: "fill_not_settled",
    uid: fill.orderUid,
    onChain: "nothing",
    reported: placeText(fill),
  }));
}

/** What differs between a trade's event and the reported fill. */
export function compareFill(
  event: TradeEvent,
  reported: ReportedTrade | undefined,
): SettlementDifference[] {
  const uid = event.orderUid;
  const onChain = placeText(event);
  if (reported === undefined) {
    return [{ what: "fill_not_reported", uid, onChain, reported: "nothing" }];
  }
  const text = placeText(reported);
  return text === onChain ? [] : [{ what: "other_fill", uid, onChain, reported: text }];
}

function placeText(fill: ReportedTrade | TradeEvent): string {
  return `${amountsText(fill)}, block ${fill.blockNumber}, log ${fill.logIndex}`;
}

/** What differs between the amounts and fees of a trade and those of its order. */
export function compareFees(
  { uid, executedFee, networkFeeAtoms, sellAmount, buyAmount }: AuditedTrade,
  order: ReportedOrder | undefined,
  { partiallyFillable }: { readonly partiallyFillable: boolean },
): SettlementDifference[] {
  const found: SettlementDifference[] = [];
  const { executedSellAmount: sold, executedBuyAmount: bought } = order ?? {};
  const isSame = sold === sellAmount && bought === buyAmount;
  // The order's amounts and fee are those of all its fills.
  const isLess = sold !== undefined && sold < sellAmount ||
    bought !== undefined && bought < buyAmount;
  if (sold !== undefined && bought !== undefined && !isSame && (!partiallyFillable || isLess)) {
    found.push({
      what: "other_executed_amounts",
      uid,
      onChain: amountsText({ sellAmount, buyAmount }),
      reported: amountsText({ sellAmount: sold, buyAmount: bought }),
    });
  }
  const reported = isSame || !partiallyFillable ? order?.executedFee : undefined;
  if (reported !== undefined && !isNotComputable(executedFee) && executedFee !== reported) {
    found.push({
      what: "other_executed_fee",
      uid,
      onChain: `${executedFee}`,
      reported: `${reported}`,
    });
  }
  if (!isNotComputable(networkFeeAtoms) && networkFeeAtoms < 0n) {
    found.push({
      what: "fees_exceed_total",
      uid,
      onChain: "all fees",
      reported: `${-networkFeeAtoms} atoms more in protocol fees`,
    });
  }
  return found;
}

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

/** What `auditSettlement` proves by recovering signers, where the source has the signatures. */
export const SENDER_UNPROVED =
  "The solver is as the source says: the sender is not recovered from the transaction";
/** The same for owners. */
export const OWNERS_UNPROVED = "Owners are as the source says: signers of orders are not recovered";

/**
 * What an account is in a settlement: the settlement contract; an owner or receiver of one of its
 * trades; the solver that submitted it; the wrapped native token, which turns native atoms into its
 * own; nobody, where a token creates or destroys atoms; or any other, such as a pool.
 */
export type FlowRole = "contract" | "trader" | "solver" | "wrapper" | "nobody" | "other";

/** Atoms of one token that one account sent to another in a settlement. */
export interface TokenFlow {
  /** Account that paid, in lower case. */
  readonly from: string;
  /** What it is. */
  readonly fromRole: FlowRole;
  /** Account that received, in lower case. */
  readonly to: string;
  /** What it is. */
  readonly toRole: FlowRole;
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Amount, in atoms; above 0. */
  readonly atoms: bigint;
  /** Index in the block of the log that shows it; `null` for native atoms paid to a trader. */
  readonly logIndex: number | null;
}

/** The flows of one settlement. */
export interface TokenFlows {
  /** In the order of the logs; native atoms paid to traders last. */
  readonly flows: readonly TokenFlow[];
  /** Tokens some of whose flows are not known, and why. */
  readonly unknown: readonly { readonly token: string; readonly why: string }[];
}

/** The fields of a settlement that {@linkcode tokenFlows} reads. */
export type FlowsOfSettlement = SettlementFlows & Pick<OnchainSettlement, "from">;

const OPTIONS: OptionRules<ImbalanceOptions> = { wrappedNativeToken: TEXT };

/**
 * Who sent which token to whom in a settlement, from the `Transfer` logs of the transaction.
 *
 * What the settlement contract wraps and unwraps is exchanged with the wrapped native token. Native
 * atoms leave no logs: those that the contract sends with interactions, pays to traders and unwraps
 * are known, what other accounts pay each other is not. The sums of what the contract received and
 * paid are its {@linkcode tokenImbalances}.
 *
 * @param settlement A settlement, from `settlement` of `orderlens/evm`.
 * @returns Flows; or `"logs_incomplete"` if the source does not have all logs, as recordings that
 * have only those of the settlement contract.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example A trader sends 100, a pool gets 90
 * ```ts
 * import { tokenFlows } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const moved = { event: "Transfer", token: "0xa1" } as const;
 * const found = tokenFlows({
 *   from: "0x50",
 *   to: "0x90",
 *   succeeded: true,
 *   events: [],
 *   trades: [],
 *   transfers: [
 *     { ...moved, from: "0x01", to: "0x90", atoms: 100n, logIndex: 3 },
 *     { ...moved, from: "0x90", to: "0x02", atoms: 90n, logIndex: 4 },
 *   ],
 *   hasAllLogs: true,
 * });
 *
 * assertEquals("flows" in found && found.flows.map(({ atoms, toRole }) => [atoms, toRole]), [
 *   [100n, "contract"],
 *   [90n, "other"],
 * ]);
 * ```
 */
export function tokenFlows(
  settlement: FlowsOfSettlement,
  options: ImbalanceOptions = {},
): TokenFlows | NotComputable<"logs_incomplete"> {
  checkOptions(options, OPTIONS, "Cannot compute token flows");
  const found = movedAtoms(settlement, options);
  if ("reason" in found) return found;
  const roleOf = rolesIn(settlement);
  return {
    flows: found.moved.toSorted(byLog).map(({ wrapper, ...flow }) => ({
      ...flow,
      fromRole: wrapper === "from" ? "wrapper" : roleOf(flow.from),
      toRole: wrapper === "to" ? "wrapper" : roleOf(flow.to),
    })),
    unknown: [...found.unknown].map(([token, why]) => ({ token, why })),
  };
}

function byLog(a: MovedAtoms, b: MovedAtoms): number {
  if (a.logIndex === null || b.logIndex === null) {
    return Number(a.logIndex === null) - Number(b.logIndex === null);
  }
  return a.logIndex - b.logIndex;
}

function rolesIn({ from: solver, to, events, trades }: FlowsOfSettlement) {
  const traders = new Set(
    tradesIn(events).flatMap(({ owner }, place) =>
      [owner, trades[place]?.receiver ?? owner].map((one) => one.toLowerCase())
    ),
  );
  return (account: string): FlowRole => {
    if (sameHex(account, to)) return "contract";
    if (traders.has(account)) return "trader";
    if (sameHex(account, solver)) return "solver";
    return account === NOBODY ? "nobody" : "other";
  };
}

/** What the settlement contract received and paid of one token in a settlement. */
export interface TokenImbalance {
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Received by the settlement contract, in atoms. */
  readonly inAtoms: bigint;
  /** Paid by the settlement contract, in atoms. */
  readonly outAtoms: bigint;
  /** `inAtoms - outAtoms`: negative if the contract's buffers paid. */
  readonly netAtoms: bigint;
}

/** What a settlement did to the buffers of the settlement contract. */
export interface TokenImbalances {
  /** Tokens that moved, by address; a token that only passed through has a net of 0. */
  readonly tokens: readonly TokenImbalance[];
  /** Tokens whose imbalance cannot be computed, and why. */
  readonly unknown: readonly { readonly token: string; readonly why: string }[];
}

/** Options of {@linkcode tokenImbalances}. */
export interface ImbalanceOptions {
  /**
   * Wrapped native token of the network: its `Deposit` and `Withdrawal` are transfers too. @default
   * {those of the public networks}
   */
  readonly wrappedNativeToken?: string;
}

/**
 * The token imbalance of the settlement contract: what came in less what went out, per token, from
 * the `Transfer` logs of the transaction.
 *
 * `Deposit` and `Withdrawal` of the wrapped native token count too. Native atoms leave no logs: out
 * are those sent with interactions and paid to traders, in are those unwrapped; what another
 * contract pays in the native token is not seen. A token whose logs lack the transfers of its own
 * trades, such as one with a fee on transfers, is `unknown`, and so is one that emits no logs when
 * balances change.
 *
 * @param settlement A settlement, from `settlement` or `auditSettlement`.
 * @returns Atoms per token; or `"logs_incomplete"` if the source does not have all logs, as
 * recordings that have only those of the settlement contract.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example 100 came in, 90 went out
 * ```ts
 * import { tokenImbalances } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const moved = { event: "Transfer", token: "0xa1", logIndex: 0 } as const;
 * const imbalances = tokenImbalances({
 *   to: "0x90",
 *   succeeded: true,
 *   events: [],
 *   trades: [],
 *   transfers: [
 *     { ...moved, from: "0x01", to: "0x90", atoms: 100n },
 *     { ...moved, from: "0x90", to: "0x02", atoms: 90n },
 *   ],
 *   hasAllLogs: true,
 * });
 *
 * assertEquals(imbalances, {
 *   tokens: [{ token: "0xa1", inAtoms: 100n, outAtoms: 90n, netAtoms: 10n }],
 *   unknown: [],
 * });
 * ```
 */
export function tokenImbalances(
  settlement: SettlementFlows,
  options: ImbalanceOptions = {},
): TokenImbalances | NotComputable<"logs_incomplete"> {
  checkOptions(options, OPTIONS, "Cannot compute token imbalances");
  const found = movedAtoms(settlement, options);
  if ("reason" in found) return found;
  const account = settlement.to.toLowerCase();
  const sums = new Map<string, { inAtoms: bigint; outAtoms: bigint }>();
  for (const { from, to, token, atoms } of found.moved) {
    if (from !== account && to !== account) continue;
    const sum = sums.get(token) ?? { inAtoms: 0n, outAtoms: 0n };
    if (to === account) sum.inAtoms += atoms;
    if (from === account) sum.outAtoms += atoms;
    sums.set(token, sum);
  }
  return {
    tokens: [...sums].filter(([token]) => !found.unknown.has(token))
      .map(([token, { inAtoms, outAtoms }]) => ({
        token,
        inAtoms,
        outAtoms,
        netAtoms: inAtoms - outAtoms,
      })),
    unknown: [...found.unknown].map(([token, why]) => ({ token, why })),
  };
}
