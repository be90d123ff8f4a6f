import { checkOptions } from "../../errors/option_rules.ts";
import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { byUid, type UidIndex } from "../by_uid.ts";
import type { NotComputable } from "../not_computable.ts";
import { auctionRole } from "../orders/auction_role.ts";
import { type AuditedTrade, auditTrade } from "./audited_trade.ts";
import {
  compareFees,
  compareFill,
  matchFills,
  type ReportedOrder,
  unsettledFills,
} from "./compare_fills.ts";
import { compareCalldata } from "./compare_calldata.ts";
import { COMPARE_OPTIONS, type CompareSettlementOptions } from "./compare_options.ts";
import { compareHooks } from "./compare_hooks.ts";
import { compareWithCompetition, settledSolution } from "./compare_solution.ts";
import type { SettlementDifference } from "./settlement_difference.ts";
import { type TokenImbalances, tokenImbalances } from "./token_imbalances.ts";

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
 * const tape = await replay("market_1");
 * const competition = await connect(tape).competition(txHash);
 *
 * const audit = compareSettlement(await settlement(tape, txHash), { competition });
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

interface AuditedFills {
  readonly fills: readonly TradeEvent[];
  readonly trades: readonly AuditedTrade[];
}

function differencesOf(
  settlement: OnchainSettlement,
  { fills, trades }: AuditedFills,
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
    const solution = settledSolution(settlement, fills, competition);
    found.push(...compareWithCompetition(settlement, { competition, solution, fills }));
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

/** What `auditSettlement` proves by recovering signers, where the source has the signatures. */
export const SENDER_UNPROVED =
  "The solver is as the source says: the sender is not recovered from the transaction";
/** The same for owners. */
export const OWNERS_UNPROVED = "Owners are as the source says: signers of orders are not recovered";

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
    competition == null ? "No competition was passed" : "",
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

/** Why the calldata names no auction. */
function suffixText({ auctionId, suffix, isDecoded }: OnchainSettlement): string {
  if (auctionId !== null || !isDecoded) return "";
  const bytes = suffix.length / 2 - 1;
  return bytes === 8
    ? `The calldata ends with ${BigInt(suffix)}, which is no id of an auction`
    : `The calldata names no auction: ${bytes} bytes follow its arguments, not 8`;
}
