import { checkOptions } from "../../errors/option_rules.ts";
import type { OnchainSettlement, SettlementTrade, TradeEvent } from "../../evm/mod.ts";
import { orderDigest } from "../../evm/orders/order_digest.ts";
import { orderDomain } from "../../evm/orders/order_uid.ts";
import { decodeHooks, type HookCall } from "../../evm/settlement/encode_settlement.ts";
import type { Competition } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { byUid, isNotComputable, type NotComputable, type UidIndex } from "../not_computable.ts";
import { orderAppData } from "../orders/calculate_status.ts";
import type { Fill } from "../orders/fills.ts";
import { auctionRole, ownerOf } from "../orders/order_bids.ts";
import { settledFill } from "../prices/price_interval.ts";
import {
  amountsText,
  type AuditedTrade,
  auditTrade,
  COMPARE_OPTIONS,
  compareFees,
  compareFill,
  type CompareSettlementOptions,
  compareWithCompetition,
  matchFills,
  OWNERS_UNPROVED,
  type ReportedOrder,
  SENDER_UNPROVED,
  type SettlementDifference,
  unsettledFills,
} from "./compare_records.ts";
import { findSettledPart } from "./settled_part.ts";
import { type TokenImbalances, tokenImbalances } from "./token_flows.ts";

/** A settlement according to the chain, and how it differs from the report. */
export interface SettlementAudit {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Auction, according to the calldata; otherwise the competition's; `null` if unknown. */
  readonly auctionId: number | null;
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
  /** Its trades, in the order of the calldata; none if it failed. */
  readonly trades: readonly AuditedTrade[];
  /** Uniform price of each traded token; only their ratios have a meaning. */
  readonly uniformPrices: ReadonlyMap<string, bigint>;
  /** What the settlement contract received less what it paid, per token. */
  readonly imbalances: TokenImbalances | NotComputable<"logs_incomplete">;
  /** What differs from the report; empty if nothing does. */
  readonly differences: readonly SettlementDifference[];
  /** What was not compared or proved, and why, as sentences. */
  readonly unverified: readonly string[];
}

/**
 * Compares a settlement on the chain with what was reported about it: each trade one to one with the
 * winning solution, with the reported fills and orders, and with the calldata.
 *
 * Amounts are those of the chain, to the atom. Fees follow from the calldata as in `networkFee`;
 * network fees need the protocol fees of the reported fills.
 *
 * @param settlement The settlement, from `settlement` in `orderlens/evm`; `auditSettlement` fetches
 * it too.
 * @param options What was reported; what is absent is not compared.
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
  const fills = settlement.events.filter((one): one is TradeEvent => one.event === "Trade");
  const reported: Reported = {
    ...options,
    fills: options.trades === undefined ? null : matchFills(settlement, fills, [...options.trades]),
    byUid: options.orders === undefined ? null : byUid(options.orders),
  };
  const { gasUsed, effectiveGasPrice } = settlement;
  const trades = auditTrades(settlement, fills, reported);
  return {
    txHash: settlement.txHash,
    blockNumber: settlement.blockNumber,
    auctionId: settlement.auctionId ?? competition?.auctionId ?? null,
    solver: settlement.from,
    succeeded: settlement.succeeded,
    gasUsed,
    effectiveGasPrice,
    gasCost: effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
    trades,
    uniformPrices: new Map(
      trades.flatMap((one) => [
        [one.sellToken, one.uniformSellPrice],
        [one.buyToken, one.uniformBuyPrice],
      ]),
    ),
    imbalances: tokenImbalances(
      settlement,
      wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
    ),
    differences: differencesOf(settlement, { fills, trades }, reported),
    unverified: unverifiedOf(settlement, options),
  };
}

/** What was reported, to look it up more than once. */
interface Reported extends CompareSettlementOptions {
  readonly fills: ReturnType<typeof matchFills> | null;
  readonly byUid: UidIndex<ReportedOrder> | null;
}

function auditTrades(
  settlement: OnchainSettlement,
  fills: readonly TradeEvent[],
  { competition, fills: reported, surplusCapturingJitOrderOwners }: Reported,
): AuditedTrade[] {
  if (!settlement.isDecoded) return [];
  return fills.map((event, place) => {
    const role = auctionRole({ uid: event.orderUid }, competition?.auction, {
      surplusCapturingJitOrderOwners: surplusCapturingJitOrderOwners ?? null,
    });
    const protocolFees = reported?.fills[place]?.executedProtocolFees;
    return auditTrade(settlement, { trade: settlement.trades[place]!, event }, {
      role,
      protocolFees,
    });
  });
}

function differencesOf(
  settlement: OnchainSettlement,
  { fills, trades }: { fills: readonly TradeEvent[]; trades: readonly AuditedTrade[] },
  { competition, fills: known, byUid: index, chainId, settlementContract }: Reported,
): SettlementDifference[] {
  const found: SettlementDifference[] = [];
  if (!settlement.succeeded) {
    found.push({ what: "reverted", uid: null, onChain: "it failed", reported: "a settlement" });
  }
  const { to: onChain, isDecoded } = settlement;
  if (settlementContract !== undefined && !sameHex(onChain, settlementContract)) {
    found.push({ what: "other_contract", uid: null, onChain, reported: settlementContract });
  }
  for (const [place, event] of isDecoded ? fills.entries() : []) {
    found.push(...compareCalldata(settlement, { place, event, chainId }));
  }
  if (competition != null) {
    const part = findSettledPart(settlement, competition);
    found.push(...compareWithCompetition(settlement, { competition, part }));
  }
  for (const [place, event] of fills.entries()) {
    if (known !== null) found.push(...compareFill(event, known.fills[place]));
    if (!isDecoded) continue;
    const order = index?.get(event.orderUid);
    found.push(...compareFees(trades[place]!, order, settlement.trades[place]!));
  }
  if (known !== null) found.push(...unsettledFills(known.rest));
  if (index !== null && isDecoded) found.push(...compareHooks(settlement, fills, index));
  return found;
}

function unverifiedOf(
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
    through === null ? "" : throughText(through, settlement.isDecoded),
    isSigned ? OWNERS_UNPROVED : "",
    hasAllLogs || !succeeded ? "" : "The source does not have all logs: imbalances are unknown",
    hasAllLogs && !isBloomVerified
      ? "The receipt has no Bloom filter: logs that are missing at its end go unnoticed"
      : "",
    suffixText(settlement),
    chainId === undefined ? "The chain id is unknown: UIDs are not computed" : "",
    competition == null ? "No competition was passed" : otherTradesText(settlement, competition),
    competition != null && competition.auctionDeadlineBlock === undefined
      ? "The competition has no deadline block: whether the settlement is late is unknown"
      : "",
    trades === undefined ? "No reported fills were passed: network fees are unknown" : "",
    orders === undefined ? "No orders were passed: executed fees and hooks are not compared" : "",
  ].filter((sentence) => sentence !== "");
}

function throughText(through: string, isDecoded: boolean): string {
  const how = `${through} was called, which called the settlement contract`;
  return isDecoded ? `${how}: what else it does is not audited` : `${how}: only its events ` +
    "are compared; prices, limits, fees and hooks are not";
}

/** Trades of other auctions that the transaction settles too. */
function otherTradesText(settlement: OnchainSettlement, competition: Competition): string {
  const count = settlement.events.filter(({ event }) => event === "Trade").length;
  const others = count - findSettledPart(settlement, competition).fills.length;
  return others === 0
    ? ""
    : `The transaction settles more than auction ${competition.auctionId}: ${others} of its ${count} ` +
      "trades are not compared with a solution";
}

/** Why the calldata names no auction. */
function suffixText({ auctionId, suffix, isDecoded }: OnchainSettlement): string {
  if (auctionId !== null || !isDecoded) return "";
  const bytes = suffix.length / 2 - 1;
  return bytes === 8
    ? `The calldata ends with ${BigInt(suffix)}, which is no id of an auction`
    : `The calldata names no auction: ${bytes} bytes follow its arguments, not 8`;
}

/** What differs between the event of a trade and the calldata. */
function compareCalldata(
  settlement: OnchainSettlement,
  { place, event, chainId }: {
    readonly place: number;
    readonly event: TradeEvent;
    readonly chainId: number | undefined;
  },
): SettlementDifference[] {
  const trade = settlement.trades[place]!;
  const uid = event.orderUid;
  const found: SettlementDifference[] = [];
  const encoded = settledFill(trade, settlement);
  const isSame = !isNotComputable(encoded) && encoded.sellAmount === event.sellAmount &&
    encoded.buyAmount === event.buyAmount && feeOf(encoded) === event.feeAmount;
  if (!isSame) {
    found.push({
      what: "other_settled_amounts",
      uid,
      onChain: `${amountsText(event)}, fee ${event.feeAmount}`,
      reported: isNotComputable(encoded)
        ? encoded.detail
        : `${amountsText(encoded)}, fee ${feeOf(encoded)}`,
    });
  }
  const signed = signedOrder(trade, { contract: settlement.to, chainId });
  if (uid.startsWith(signed) && ownerOf(uid) === event.owner) return found;
  found.push({ what: "other_order", uid, onChain: signed, reported: `owner ${event.owner}` });
  return found;
}

function feeOf({ sellAmount, sellAmountBeforeFees = sellAmount }: Fill): bigint {
  return sellAmount - sellAmountBeforeFees;
}

/** The digest that the UID of a trade's order begins with; empty if the chain is unknown. */
function signedOrder(
  trade: SettlementTrade,
  { contract, chainId }: { readonly contract: string; readonly chainId: number | undefined },
): string {
  if (chainId === undefined) return "";
  return orderDigest(orderDomain({ chainId, settlementContract: contract }), trade);
}

/**
 * What differs between the hooks that settled orders request and those that the settlement calls.
 * The hooks before a partially fillable order's trade are called with its first fill only.
 */
function compareHooks(
  { trades, interactions }: Pick<OnchainSettlement, "trades" | "interactions">,
  fills: readonly TradeEvent[],
  orders: UidIndex<ReportedOrder>,
): SettlementDifference[] {
  return (["pre", "post"] as const).flatMap((when) => {
    const called = interactions[when].flatMap(({ callData }) => decodeHooks(callData));
    const found: SettlementDifference[] = [];
    let last = -1;
    const used = new Set<number>();
    for (const [place, { orderUid: uid }] of fills.entries()) {
      for (const wanted of requestedHooks(orders.get(uid), when)) {
        const index = called.findIndex((hook, at) => !used.has(at) && isSame(hook, wanted));
        const reported = `${when}-hook ${wanted.target}`;
        if (index < 0) {
          if (when === "pre" && trades[place]?.partiallyFillable) continue;
          found.push({ what: "hook_missing", uid, onChain: "not called", reported });
        } else if (index < last) {
          const onChain = `call ${index + 1} of ${called.length}`;
          found.push({ what: "hooks_out_of_order", uid, onChain, reported });
        }
        used.add(index);
        last = Math.max(last, index);
      }
    }
    return found;
  });
}

function requestedHooks(order: ReportedOrder | undefined, when: "pre" | "post"): HookCall[] {
  if (order?.fullAppData?.includes("hooks") !== true) return [];
  const hooks = orderAppData(order)?.metadata?.hooks?.[when] ?? [];
  return hooks.flatMap(({ target, callData, gasLimit }) => {
    const isNumber = /^\d+$/.test(String(gasLimit));
    return isNumber ? [{ target, callData, gasLimit: BigInt(gasLimit) }] : [];
  });
}

function isSame(one: HookCall, other: HookCall): boolean {
  return one.gasLimit === other.gasLimit &&
    one.target.toLowerCase() === other.target.toLowerCase() &&
    one.callData.toLowerCase() === other.callData.toLowerCase();
}
