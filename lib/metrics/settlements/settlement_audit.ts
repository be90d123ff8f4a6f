import { checkOptions } from "../../errors/option_rules.ts";
import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import { orderDigest } from "../../evm/orders/order_digest.ts";
import { orderDomain } from "../../evm/orders/order_uid.ts";
import { decodeHooks, type HookCall } from "../../evm/settlement/encode_settlement.ts";
import type { Competition } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  indexByUid,
  isNotComputable,
  type NotComputable,
  type UidIndex,
} from "../not_computable.ts";
import { parseOrderAppData } from "../orders/calculate_status.ts";
import type { Fill } from "../orders/fills.ts";
import { auctionRole, readOwner } from "../orders/order_bids.ts";
import { settledFill } from "../prices/price_interval.ts";
import {
  type AuditedTrade,
  auditTrade,
  COMPARE_OPTIONS,
  compareFees,
  compareFill,
  type CompareSettlementOptions,
  compareWithCompetition,
  formatAmounts,
  listUnsettledFills,
  matchFills,
  OWNERS_UNPROVED,
  type ReportedOrder,
  SENDER_UNPROVED,
  type SettlementDifference,
} from "./compare_records.ts";
import { findSettledPart } from "./settled_part.ts";
import { type TokenImbalances, tokenImbalances } from "./token_flows.ts";

/** A settlement according to the chain, and its differences from the report. */
export interface SettlementAudit {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Auction, according to the calldata; otherwise the competition's; `null` if unknown. */
  readonly auctionId: number | null;
  /** Contract that settled, which holds the buffers. */
  readonly settlementContract: string;
  /** Account that submitted it. */
  readonly solver: string;
  /** Whether it succeeded. */
  readonly succeeded: boolean;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Price per unit of gas, in wei; `null` if unknown. */
  readonly effectiveGasPrice: bigint | null;
  /** Paid for gas, in wei; without what a rollup charges for its data. `null` if unknown. */
  readonly gasCost: bigint | null;
  /** Whether its calldata is known: of one that another contract called, it may not be. */
  readonly isDecoded: boolean;
  /** Its trades, in the order of the calldata; none if it failed, or the calldata is unknown. */
  readonly trades: readonly AuditedTrade[];
  /** Uniform price of each traded token; only their ratios have a meaning. */
  readonly uniformPrices: ReadonlyMap<string, bigint>;
  /** Amount that the settlement contract received less the amount that it paid, per token. */
  readonly imbalances: TokenImbalances | NotComputable<"logs_incomplete">;
  /** Differences from the report; empty if there are none. */
  readonly differences: readonly SettlementDifference[];
  /** Facts that were not compared or proved, with reasons, as sentences. */
  readonly unverified: readonly string[];
}

/**
 * Compares a settlement on the chain with the reports about it: each trade one to one with the winning
 * solution, with the reported fills and orders, and with the calldata.
 *
 * Amounts are those of the chain, to the atom. Fees follow from the calldata as in `networkFee`;
 * network fees need the protocol fees of the reported fills.
 *
 * @param settlement The settlement, from `settlement` in `orderlens/evm`; `auditSettlement` fetches
 * it too.
 * @param options The reports; an absent one is not compared.
 * @returns Trades, imbalances, gas and differences.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example A recorded settlement against its auction
 * ```ts
 * import { connect } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { compareSettlement } from "orderlens/metrics";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const txHash = "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575";
 * const recording = await replay("market_1");
 * const competition = await connect(recording).competition(txHash);
 *
 * const audit = compareSettlement(await settlement(recording, txHash), { competition });
 *
 * assertEquals(audit.differences, []);
 * assertEquals(audit.trades[0]?.executedFee, 60747241446727365n);
 * ```
 */
export function compareSettlement(
  settlement: OnchainSettlement,
  options: CompareSettlementOptions = {},
): SettlementAudit {
  checkOptions(options, COMPARE_OPTIONS, "Cannot compare a settlement");
  const { competition, wrappedNativeToken } = options;
  const fills = settlement.events.filter((event): event is TradeEvent => event.event === "Trade");
  const reportedRecords: ReportedRecords = {
    ...options,
    fills: options.trades === undefined ? null : matchFills(settlement, fills, [...options.trades]),
    byUid: options.orders === undefined ? null : indexByUid(options.orders),
  };
  const { gasUsed, effectiveGasPrice } = settlement;
  const trades = auditTrades(settlement, fills, reportedRecords);
  return {
    txHash: settlement.txHash,
    blockNumber: settlement.blockNumber,
    auctionId: settlement.auctionId ?? competition?.auctionId ?? null,
    settlementContract: settlement.to,
    solver: settlement.from,
    succeeded: settlement.succeeded,
    gasUsed,
    effectiveGasPrice,
    gasCost: effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
    isDecoded: settlement.isDecoded,
    trades,
    uniformPrices: new Map(
      trades.flatMap((trade) => [
        [trade.sellToken, trade.uniformSellPrice],
        [trade.buyToken, trade.uniformBuyPrice],
      ]),
    ),
    imbalances: tokenImbalances(
      settlement,
      wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
    ),
    differences: listDifferences(settlement, { fills, trades }, reportedRecords),
    unverified: listUnverified(settlement, options),
  };
}

/** Reports, indexed for several lookups. */
interface ReportedRecords extends CompareSettlementOptions {
  readonly fills: ReturnType<typeof matchFills> | null;
  readonly byUid: UidIndex<ReportedOrder> | null;
}

function auditTrades(
  settlement: OnchainSettlement,
  fills: readonly TradeEvent[],
  { competition, fills: matchedFills, surplusCapturingJitOrderOwners }: ReportedRecords,
): AuditedTrade[] {
  if (!settlement.isDecoded) return [];
  return fills.map((event, index) => {
    const role = auctionRole({ uid: event.orderUid }, competition?.auction, {
      surplusCapturingJitOrderOwners: surplusCapturingJitOrderOwners ?? null,
    });
    const protocolFees = matchedFills?.fills[index]?.executedProtocolFees;
    return auditTrade(settlement, { trade: settlement.trades[index]!, event }, {
      role,
      protocolFees,
    });
  });
}

function listDifferences(
  settlement: OnchainSettlement,
  { fills, trades }: { fills: readonly TradeEvent[]; trades: readonly AuditedTrade[] },
  { competition, fills: matchedFills, byUid: ordersByUid, chainId, settlementContract }:
    ReportedRecords,
): SettlementDifference[] {
  const differences: SettlementDifference[] = [];
  if (!settlement.succeeded) {
    differences.push({
      what: "reverted",
      uid: null,
      onChain: "it failed",
      reported: "a settlement",
    });
  }
  const { to: onChain, isDecoded } = settlement;
  if (settlementContract !== undefined && !sameHex(onChain, settlementContract)) {
    differences.push({ what: "other_contract", uid: null, onChain, reported: settlementContract });
  }
  for (const [index, event] of isDecoded ? fills.entries() : []) {
    differences.push(...compareCalldata(settlement, { index, event, chainId }));
  }
  if (competition != null) {
    const part = findSettledPart(settlement, competition);
    differences.push(...compareWithCompetition(settlement, { competition, part }));
  }
  for (const [index, event] of fills.entries()) {
    if (matchedFills !== null) differences.push(...compareFill(event, matchedFills.fills[index]));
    if (!isDecoded) continue;
    const order = ordersByUid?.get(event.orderUid);
    differences.push(...compareFees(trades[index]!, order, settlement.trades[index]!));
  }
  if (matchedFills !== null) differences.push(...listUnsettledFills(matchedFills.unmatched));
  if (ordersByUid !== null && isDecoded) {
    differences.push(...compareHooks(settlement, fills, ordersByUid));
  }
  return differences;
}

function listUnverified(
  settlement: OnchainSettlement,
  { competition, trades, orders, chainId, settlementContract }: CompareSettlementOptions,
): string[] {
  const { isHashVerified, hasAllLogs, isBloomVerified, succeeded, through } = settlement;
  const isSigned = settlement.trades.some(({ signingScheme }) =>
    signingScheme === "eip712" || signingScheme === "ethsign"
  );
  return [
    isHashVerified
      ? ""
      : "The source does not report the transaction's bytes: its hash is not computed",
    SENDER_UNPROVED,
    "Gas and its price are as the source says, within what the transaction allows",
    settlementContract === undefined
      ? "The settlement contract is unknown: any contract that emits its events passes for it"
      : "",
    through === null ? "" : formatThrough(through, settlement.isDecoded),
    isSigned ? OWNERS_UNPROVED : "",
    hasAllLogs || !succeeded ? "" : "The source does not have all logs: imbalances are unknown",
    hasAllLogs && !isBloomVerified
      ? "The receipt has no Bloom filter: logs that are missing at its end go unnoticed"
      : "",
    formatSuffix(settlement),
    chainId === undefined ? "The chain id is unknown: UIDs are not computed" : "",
    competition == null ? "No competition was passed" : formatOtherTrades(settlement, competition),
    competition != null && competition.auctionDeadlineBlock === undefined
      ? "The competition has no deadline block: whether the settlement is late is unknown"
      : "",
    trades === undefined ? "No reported fills were passed: network fees are unknown" : "",
    orders === undefined ? "No orders were passed: executed fees and hooks are not compared" : "",
  ].filter((sentence) => sentence !== "");
}

function formatThrough(through: string, isDecoded: boolean): string {
  const prefix = `${through} was called, which called the settlement contract`;
  return isDecoded ? `${prefix}: what else it does is not audited` : `${prefix}: only its events ` +
    "are compared; prices, limits, fees and hooks are not";
}

/** Notes trades of other auctions that the transaction settles too. */
function formatOtherTrades(settlement: OnchainSettlement, competition: Competition): string {
  const count = settlement.events.filter(({ event }) => event === "Trade").length;
  const otherCount = count - findSettledPart(settlement, competition).fills.length;
  return otherCount === 0
    ? ""
    : `The transaction settles more than auction ${competition.auctionId}: ${otherCount} of its ${count} ` +
      "trades are not compared with a solution";
}

/** Explains why the calldata names no auction. */
function formatSuffix({ auctionId, suffix, isDecoded }: OnchainSettlement): string {
  if (auctionId !== null || !isDecoded) return "";
  const bytes = suffix.length / 2 - 1;
  return bytes === 8
    ? `The calldata ends with ${BigInt(suffix)}, which is not the id of an auction`
    : `The calldata names no auction: ${bytes} bytes follow its arguments, not 8`;
}

/** Compares the event of a trade with the calldata. */
function compareCalldata(
  settlement: OnchainSettlement,
  { index, event, chainId }: {
    readonly index: number;
    readonly event: TradeEvent;
    readonly chainId: number | undefined;
  },
): SettlementDifference[] {
  const trade = settlement.trades[index]!;
  const uid = event.orderUid;
  const differences: SettlementDifference[] = [];
  const encoded = settledFill(trade, settlement);
  const isSame = !isNotComputable(encoded) && encoded.sellAmount === event.sellAmount &&
    encoded.buyAmount === event.buyAmount && computeSignedFee(encoded) === event.feeAmount;
  if (!isSame) {
    differences.push({
      what: "other_settled_amounts",
      uid,
      onChain: `${formatAmounts(event)}, fee ${event.feeAmount}`,
      reported: isNotComputable(encoded)
        ? encoded.detail
        : `${formatAmounts(encoded)}, fee ${computeSignedFee(encoded)}`,
    });
  }
  // The UID of an order begins with its digest, which is unknown without the chain.
  const digest = chainId === undefined
    ? ""
    : orderDigest(orderDomain({ chainId, settlementContract: settlement.to }), trade);
  if (uid.startsWith(digest) && readOwner(uid) === event.owner) return differences;
  const reported = `owner ${event.owner}`;
  return [...differences, { what: "other_order", uid, onChain: digest, reported }];
}

function computeSignedFee({ sellAmount, sellAmountBeforeFees = sellAmount }: Fill): bigint {
  return sellAmount - sellAmountBeforeFees;
}

/**
 * Compares the hooks that settled orders request with those that the settlement calls. The hooks before
 * a partially fillable order's trade are called with its first fill only.
 */
function compareHooks(
  { trades, interactions }: Pick<OnchainSettlement, "trades" | "interactions">,
  fills: readonly TradeEvent[],
  orders: UidIndex<ReportedOrder>,
): SettlementDifference[] {
  return (["pre", "post"] as const).flatMap((phase) => {
    const called = interactions[phase].flatMap(({ callData }) => decodeHooks(callData));
    const differences: SettlementDifference[] = [];
    let last = -1;
    const matched = new Set<number>();
    for (const [fillIndex, { orderUid: uid }] of fills.entries()) {
      for (const hook of listRequestedHooks(orders.get(uid), phase)) {
        const callIndex = called.findIndex((call, index) =>
          !matched.has(index) && isSameHook(call, hook)
        );
        const reported = `${phase}-hook ${hook.target}`;
        if (callIndex < 0) {
          if (phase === "pre" && trades[fillIndex]?.partiallyFillable) continue;
          differences.push({ what: "hook_missing", uid, onChain: "not called", reported });
        } else if (callIndex < last) {
          const onChain = `call ${callIndex + 1} of ${called.length}`;
          differences.push({ what: "hooks_out_of_order", uid, onChain, reported });
        }
        matched.add(callIndex);
        last = Math.max(last, callIndex);
      }
    }
    return differences;
  });
}

function listRequestedHooks(order: ReportedOrder | undefined, phase: "pre" | "post"): HookCall[] {
  if (order?.fullAppData?.includes("hooks") !== true) return [];
  const hooks = parseOrderAppData(order)?.metadata?.hooks?.[phase] ?? [];
  return hooks.flatMap(({ target, callData, gasLimit }) => {
    const isNumber = /^\d+$/.test(String(gasLimit));
    return isNumber ? [{ target, callData, gasLimit: BigInt(gasLimit) }] : [];
  });
}

function isSameHook(a: HookCall, b: HookCall): boolean {
  return a.gasLimit === b.gasLimit &&
    a.target.toLowerCase() === b.target.toLowerCase() &&
    a.callData.toLowerCase() === b.callData.toLowerCase();
}
