import type { OnchainSettlement, SettlementTrade, TradeEvent } from "../../evm/mod.ts";
import type { Competition, Order, Solution, Trade } from "../../schemas/mod.ts";
import { groupByHex, mulDivDown, mulDivUp, sameHex } from "../../units/mod.ts";
import { networkFee, type NetworkFeeReason, type ReportedFee } from "../fees/network_fee.ts";
import {
  anyRecord,
  type ByUid,
  defineByUidRule,
  isNotComputable,
  list,
  type NotComputable,
} from "../not_computable.ts";
import { exchangedSellAmount, sumFills } from "../orders/fills.ts";
import { type AuctionRole, ROLE_OPTIONS, type RoleOptions } from "../orders/order_bids.ts";
import { uniformPrice } from "../prices/price_interval.ts";
import { surplusOverLimit, surplusToken } from "../surplus.ts";
import { ADDRESS, type OptionRules, wholeNumber } from "../../errors/option_rules.ts";
import { includesAccount, type SettledPart } from "./settled_part.ts";
import type { ImbalanceOptions } from "./token_flows.ts";

/** Compares a settlement with its competition. */
export function compareWithCompetition(
  settlement: OnchainSettlement,
  { competition, part }: { readonly competition: Competition; readonly part: SettledPart },
): SettlementDifference[] {
  const { txHash, auctionId, blockNumber, from } = settlement;
  const { transactionHashes, auctionDeadlineBlock } = competition;
  const { solutions, fills, solvers } = part;
  const differences: SettlementDifference[] = [];
  const addDifference = (
    kind: SettlementDifferenceKind,
    onChain: unknown,
    reported: unknown,
  ): void => {
    differences.push({
      what: kind,
      uid: null,
      onChain: String(onChain),
      reported: String(reported),
    });
  };
  if (auctionId !== null && auctionId !== competition.auctionId) {
    addDifference("other_auction", auctionId, competition.auctionId);
  }
  if (!transactionHashes.some((hash) => sameHex(hash, txHash))) {
    addDifference("transaction_not_reported", txHash, transactionHashes.join(", ") || "none");
  }
  if (auctionDeadlineBlock !== undefined && blockNumber > auctionDeadlineBlock) {
    addDifference("late", blockNumber, auctionDeadlineBlock);
  }
  if (solutions.length === 0) {
    addDifference("no_solution", from, `${competition.solutions.length} solutions`);
    return differences;
  }
  for (const { isWinner, ranking, solverAddress } of solutions) {
    if (!isWinner) addDifference("not_a_winner", from, `ranking ${ranking}`);
    if (!includesAccount(solverAddress, solvers)) {
      addDifference("other_solver", from, solverAddress);
    }
  }
  return settlement.succeeded ? [...differences, ...compareTrades(solutions, fills)] : differences;
}

function compareTrades(
  solutions: readonly Solution[],
  fills: readonly TradeEvent[],
): SettlementDifference[] {
  const ordersByUid = groupByHex(solutions.flatMap(({ orders }) => orders), ({ id }) => id);
  const tradesByUid = groupByHex(fills, ({ orderUid }) => orderUid);
  const differences: SettlementDifference[] = [];
  for (const [uid, trades] of tradesByUid) {
    const onChain = formatAmounts(sumFills(trades));
    const executions = ordersByUid.get(uid);
    if (executions === undefined) {
      differences.push({ what: "trade_not_reported", uid, onChain, reported: "nothing" });
    } else if (formatAmounts(sumFills(executions)) !== onChain) {
      differences.push({
        what: "other_amounts",
        uid,
        onChain,
        reported: formatAmounts(sumFills(executions)),
      });
    }
  }
  for (const [uid, executions] of ordersByUid) {
    if (tradesByUid.has(uid)) continue;
    const missingTrade = { what: "trade_not_settled", uid, onChain: "nothing" } as const;
    differences.push({ ...missingTrade, reported: formatAmounts(sumFills(executions)) });
  }
  return differences;
}

/**
 * Difference between the chain and the report of a settlement:
 *
 * - `"reverted"`: the transaction failed
 * - `"other_contract"`: another contract than the settlement contract was called, and emitted the
 *   events
 * - `"other_order"`: the calldata encodes another order than the UID of its event, or another account
 *   signed it
 * - `"other_settled_amounts"`: the event has other amounts or another fee than the calldata gives
 * - `"other_auction"`: the calldata ends with the id of another auction
 * - `"transaction_not_reported"`: the competition does not have the transaction
 * - `"no_solution"`: no solution of the competition has the transaction or these orders
 * - `"not_a_winner"`: the solution did not win
 * - `"other_solver"`: another account submitted it
 * - `"late"`: the block is after the auction's deadline
 * - `"trade_not_reported"`: the solution does not have the order
 * - `"trade_not_settled"`: the order of the solution was not settled in the transaction
 * - `"other_amounts"`: the solution has other amounts
 * - `"fill_not_reported"`: no reported fill is the trade's event
 * - `"fill_not_settled"`: a reported fill of the transaction is none of its events
 * - `"other_fill"`: the reported fill has other amounts or another position on the chain
 * - `"other_executed_amounts"`: the order reports that less was executed, or more of an order that is
 *   filled at once
 * - `"other_executed_fee"`: the order has another `executedFee`
 * - `"fees_exceed_total"`: the reported protocol fees exceed all fees of the trade
 * - `"hook_missing"`: a hook of an order is not among the interactions
 * - `"hooks_out_of_order"`: hooks are called in another order than that of the trades
 */
export type SettlementDifferenceKind =
  | "reverted"
  | "other_contract"
  | "other_order"
  | "other_settled_amounts"
  | "other_auction"
  | "transaction_not_reported"
  | "no_solution"
  | "not_a_winner"
  | "other_solver"
  | "late"
  | "trade_not_reported"
  | "trade_not_settled"
  | "other_amounts"
  | "fill_not_reported"
  | "fill_not_settled"
  | "other_fill"
  | "other_executed_amounts"
  | "other_executed_fee"
  | "fees_exceed_total"
  | "hook_missing"
  | "hooks_out_of_order";

/** One difference between the chain and what was reported. */
export interface SettlementDifference {
  /** Kind of the difference. */
  readonly what: SettlementDifferenceKind;
  /** Order concerned; `null` if it is the whole settlement. */
  readonly uid: string | null;
  /** According to the chain. */
  readonly onChain: string;
  /** According to the report. */
  readonly reported: string;
}

/** Formats amounts in a difference. */
export function formatAmounts(
  { sellAmount, buyAmount }: { readonly sellAmount: bigint; readonly buyAmount: bigint },
): string {
  return `sold ${sellAmount}, bought ${buyAmount}`;
}

/** One trade of a settlement, with its fees and prices according to the chain. */
export interface AuditedTrade {
  /** UID of the order. */
  readonly uid: string;
  /** Owner of the order. */
  readonly owner: string;
  /** Index of its event in the block. */
  readonly logIndex: number;
  /** The fixed amount. */
  readonly kind: "sell" | "buy";
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought; `0xeeee…` for the native token. */
  readonly buyToken: string;
  /** Role of the order in its auction; without a competition, that without the auction. */
  readonly role: AuctionRole;
  /** Sold, in sell-token atoms, with a legacy signed fee. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Legacy signed fee taken, in sell-token atoms; `0n` for current orders. */
  readonly feeAmount: bigint;
  /** Token of the surplus and of `priceDifferenceAtoms`: the buy token of a sell order. */
  readonly surplusToken: string;
  /** Gain over the limit, in atoms of the surplus token; see `surplusOverLimit`. */
  readonly surplusAtoms: bigint | NotComputable<"limit_without_price">;
  /** Uniform price of the sell token; only ratios of prices have a meaning. */
  readonly uniformSellPrice: bigint;
  /** Uniform price of the buy token. */
  readonly uniformBuyPrice: bigint;
  /** Price of the sell token for this trade. */
  readonly sellPrice: bigint;
  /** Price of the buy token for this trade. */
  readonly buyPrice: bigint;
  /**
   * Loss compared with uniform prices, in atoms of the surplus token: all its fees, unless a solver
   * provided the order. Negative if it is better.
   */
  readonly priceDifferenceAtoms: bigint;
  /** All fees in atoms of the surplus token: exact. Their value follows from these. */
  readonly allFeesAtoms: bigint | NotComputable<NetworkFeeReason>;
  /** All fees in sell-token atoms at uniform prices, as the service reports them: exact. */
  readonly executedFee: bigint | NotComputable<NetworkFeeReason>;
  /** Network fee in atoms of the surplus token: exact if the protocol fees are known. */
  readonly networkFeeAtoms: bigint | NotComputable<NetworkFeeReason>;
}

/** Computes the facts of one trade from the chain. */
export function auditTrade(
  settlement: OnchainSettlement,
  { trade, event }: { readonly trade: SettlementTrade; readonly event: TradeEvent },
  { role, protocolFees }: { role: AuctionRole; protocolFees: readonly ReportedFee[] | undefined },
): AuditedTrade {
  const { clearingPrices } = settlement;
  const { kind, sellToken, buyToken } = trade;
  const { sellAmount, buyAmount, feeAmount } = event;
  const fill = { sellAmount, buyAmount, sellAmountBeforeFees: sellAmount - feeAmount };
  const uniform = {
    sell: uniformPrice(settlement, sellToken) ?? 0n,
    buy: uniformPrice(settlement, buyToken) ?? 0n,
  };
  const allFees = networkFee(fill, trade, { settlement, protocolFees: [], role });
  const networkFees = networkFee(
    protocolFees === undefined ? fill : { ...fill, executedProtocolFees: protocolFees },
    trade,
    { settlement, role },
  );
  return {
    uid: event.orderUid,
    owner: event.owner,
    logIndex: event.logIndex,
    kind,
    sellToken,
    buyToken,
    role,
    sellAmount,
    buyAmount,
    feeAmount,
    surplusToken: surplusToken(trade),
    surplusAtoms: surplusOverLimit(fill, trade),
    uniformSellPrice: uniform.sell,
    uniformBuyPrice: uniform.buy,
    sellPrice: clearingPrices[trade.sellTokenIndex] ?? 0n,
    buyPrice: clearingPrices[trade.buyTokenIndex] ?? 0n,
    priceDifferenceAtoms: kind === "sell"
      ? mulDivUp(exchangedSellAmount(fill), uniform.sell, uniform.buy) - fill.buyAmount
      : exchangedSellAmount(fill) - mulDivDown(fill.buyAmount, uniform.buy, uniform.sell),
    allFeesAtoms: isNotComputable(allFees) ? allFees : allFees.totalAtoms.low,
    executedFee: isNotComputable(allFees) ? allFees : allFees.executedFee,
    networkFeeAtoms: isNotComputable(networkFees) ? networkFees : networkFees.networkAtoms.low,
  };
}

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
 * Matches reported fills with trades, in the order of the trades, and returns those of the transaction
 * that match none. An order may be filled twice in one settlement: the log distinguishes the fills.
 */
export function matchFills(
  { txHash }: Pick<OnchainSettlement, "txHash">,
  events: readonly TradeEvent[],
  reported: readonly ReportedTrade[],
): { readonly fills: readonly (ReportedTrade | undefined)[]; readonly unmatched: ReportedTrade[] } {
  const unmatched = reported.filter((trade) =>
    trade.txHash !== null && sameHex(trade.txHash, txHash)
  );
  const takeFill = ({ orderUid }: TradeEvent, logIndex?: number) => {
    const index = unmatched.findIndex((trade) =>
      sameHex(trade.orderUid, orderUid) && (logIndex === undefined || trade.logIndex === logIndex)
    );
    return index < 0 ? undefined : unmatched.splice(index, 1)[0];
  };
  const exact = events.map((event) => takeFill(event, event.logIndex));
  const fills = events.map((event, index) => exact[index] ?? takeFill(event));
  return { fills, unmatched };
}

/** Lists reported fills of a transaction that has no such event. */
export function listUnsettledFills(fills: readonly ReportedTrade[]): SettlementDifference[] {
  return fills.map((fill) => ({
    what: "fill_not_settled",
    uid: fill.orderUid,
    onChain: "nothing",
    reported: formatPosition(fill),
  }));
}

/** Compares a trade's event with the reported fill. */
export function compareFill(
  event: TradeEvent,
  reported: ReportedTrade | undefined,
): SettlementDifference[] {
  const uid = event.orderUid;
  const onChain = formatPosition(event);
  if (reported === undefined) {
    return [{ what: "fill_not_reported", uid, onChain, reported: "nothing" }];
  }
  const text = formatPosition(reported);
  return text === onChain ? [] : [{ what: "other_fill", uid, onChain, reported: text }];
}

function formatPosition(fill: ReportedTrade | TradeEvent): string {
  return `${formatAmounts(fill)}, block ${fill.blockNumber}, log ${fill.logIndex}`;
}

/** Compares the amounts and fees of a trade with those of its order. */
export function compareFees(
  { uid, executedFee, networkFeeAtoms, sellAmount, buyAmount }: AuditedTrade,
  order: ReportedOrder | undefined,
  { partiallyFillable }: { readonly partiallyFillable: boolean },
): SettlementDifference[] {
  const differences: SettlementDifference[] = [];
  const { executedSellAmount: sold, executedBuyAmount: bought } = order ?? {};
  const isSame = sold === sellAmount && bought === buyAmount;
  // The order's amounts and fee are those of all its fills.
  const isLess = sold !== undefined && sold < sellAmount ||
    bought !== undefined && bought < buyAmount;
  if (sold !== undefined && bought !== undefined && !isSame && (!partiallyFillable || isLess)) {
    differences.push({
      what: "other_executed_amounts",
      uid,
      onChain: formatAmounts({ sellAmount, buyAmount }),
      reported: formatAmounts({ sellAmount: sold, buyAmount: bought }),
    });
  }
  const reported = isSame || !partiallyFillable ? order?.executedFee : undefined;
  if (reported !== undefined && !isNotComputable(executedFee) && executedFee !== reported) {
    differences.push({
      what: "other_executed_fee",
      uid,
      onChain: `${executedFee}`,
      reported: `${reported}`,
    });
  }
  if (!isNotComputable(networkFeeAtoms) && networkFeeAtoms < 0n) {
    differences.push({
      what: "fees_exceed_total",
      uid,
      onChain: "all fees",
      reported: `${-networkFeeAtoms} atoms more in protocol fees`,
    });
  }
  return differences;
}

/** Reports about a settlement, and facts of its network. */
export interface CompareSettlementOptions extends ImbalanceOptions, RoleOptions {
  /** The reported auction of the settlement. */
  readonly competition?: Competition | null;
  /** Reported fills, also of other settlements; with them, network fees are exact. */
  readonly trades?: Iterable<ReportedTrade>;
  /** Reported orders: their `executedFee` and their hooks are compared. */
  readonly orders?: ByUid<ReportedOrder>;
  /** Chain id of the network: with it, UIDs are computed from the calldata. */
  readonly chainId?: number;
  /** The settlement contract, which distinguishes it from a contract that only emits the same events. */
  readonly settlementContract?: string;
}

/** Allowed values of the {@linkcode CompareSettlementOptions}. */
export const COMPARE_OPTIONS: OptionRules<CompareSettlementOptions> = {
  ...ROLE_OPTIONS,
  competition: anyRecord(),
  trades: list(),
  orders: defineByUidRule("orders"),
  chainId: wholeNumber(1),
  settlementContract: ADDRESS,
  wrappedNativeToken: ADDRESS,
};

/** Note where the sender is unproved: `auditSettlement` recovers signers where the source has signatures. */
export const SENDER_UNPROVED =
  "The solver is as the source says: the sender is not recovered from the transaction";
/** Note where owners are unproved. */
export const OWNERS_UNPROVED = "Owners are as the source says: signers of orders are not recovered";
