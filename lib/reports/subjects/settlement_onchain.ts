import type { OrderBook } from "../../client/order_book.ts";
import { readChainFacts } from "../../client/trade_request.ts";
import type { NodeSource, OnchainSettlement } from "../../evm/mod.ts";
import { readSelector } from "../../evm/settlement/decode_settlement_events.ts";
import { readSettlement } from "../../evm/node/read_settlement.ts";
import { countSettlements, toSettlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { decodeHooks } from "../../evm/settlement/encode_settlement.ts";
import {
  compareSettlement,
  type CompareSettlementOptions,
  isNotComputable,
  type SettlementDifference,
  type TokenFlow,
  tokenFlows,
  type TokenImbalance,
} from "../../metrics/mod.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { explainFailure, type ReportedUnknown, type ReportNode } from "../order/order_report.ts";

/** A call of a contract that a settlement made. */
export interface ReportedCall {
  /** `pre` before tokens are collected, `intra` between, `post` after they are paid out; `null` if unknown. */
  readonly phase: "pre" | "intra" | "post" | null;
  /** Contract called. */
  readonly target: string;
  /** Native atoms sent along. */
  readonly value: bigint;
  /** First four bytes of the calldata, all zeros for less; those of its function. */
  readonly selector: string;
  /** Hooks of orders that it executed: those of the trampoline, by its calldata; empty for other calls. */
  readonly hooks: readonly {
    /** Contract called. */
    readonly target: string;
    /** First four bytes of the calldata, all zeros for less. */
    readonly selector: string;
    /** Gas that it may use, in gas units. */
    readonly gasLimit: bigint;
  }[];
}

/** A settlement as the chain has it: its costs, its calls and its transfers. */
export interface ReportedSettlement {
  /** Whether the transaction succeeded. */
  readonly succeeded: boolean;
  /** Account that sent the transaction. */
  readonly sender: string;
  /** Another contract that was called, and called the settlement contract; `null` if none. */
  readonly through: string | null;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Price of a unit of gas, in wei; `null` if the node does not report it. */
  readonly gasPrice: bigint | null;
  /** Paid for gas, in wei, without what a rollup charges for its data; `null` if unknown. */
  readonly gasCost: bigint | null;
  /** Its calls of contracts, in order. */
  readonly calls: readonly ReportedCall[];
  /** Transfers between accounts, in order; `null` if the source does not have all logs. */
  readonly flows: readonly TokenFlow[] | null;
  /** Amounts that the settlement contract received and paid; `null` as `flows`. */
  readonly imbalances: readonly TokenImbalance[] | null;
  /** Tokens whose transfers the logs do not show, and the reasons. */
  readonly unknownFlows: readonly { readonly token: string; readonly why: string }[];
  /** Differences from what the service reported; empty if there are none. */
  readonly differences: readonly SettlementDifference[];
  /** Facts that were not compared or proved, as sentences. */
  readonly unverified: readonly string[];
}

/** A settlement transaction as far as a node shows it. */
export interface SettlementReading {
  /** The settlement; `null` without a node, or if the node does not show it. */
  readonly onchain: ReportedSettlement | null;
  /** Number of settlements in the transaction; `null` if unknown. */
  readonly count: number | null;
  /** Facts that the node did not return. */
  readonly unknown: readonly ReportedUnknown[];
}

/** Reports with which a settlement is compared. */
interface SettlementReports {
  readonly competition: Competition | null;
  readonly orders: readonly Order[];
  readonly trades: readonly Trade[];
}

/**
 * Reads a settlement from the node of a report, and compares it with what the service reported. A node
 * that fails is named, and the rest of the report stays as it is.
 */
export async function readOnchainSettlement(
  node: ReportNode | undefined,
  { txHash, source, book, signal, ...reports }: SettlementReports & {
    readonly txHash: string;
    readonly source: NodeSource | undefined;
    readonly book: OrderBook;
    readonly signal: AbortSignal | undefined;
  },
): Promise<SettlementReading> {
  if (node === undefined || source === undefined) {
    return { onchain: null, count: null, unknown: [] };
  }
  const { settlementContract } = book;
  try {
    const responses = await node.rpc(toSettlementCalls(txHash));
    const settlement = readSettlement(
      txHash,
      responses,
      `settlement ${txHash}`,
      settlementContract,
    );
    const count = settlement.events.filter(({ event }) => event === "Settlement").length;
    const facts = { ...readChainFacts(source, book), chainId: book.chainId };
    return {
      onchain: reportOnchain(settlement, { ...reports, ...facts }),
      count: count || null,
      unknown: [],
    };
  } catch (error) {
    const gaps = [{ what: "chain", ...explainFailure(error) }];
    return {
      onchain: null,
      count: await countOrNull(node, { txHash, book, signal }),
      unknown: gaps,
    };
  }
}

/** Number of settlements by the logs alone; `null` where the node does not tell. */
async function countOrNull(
  node: ReportNode,
  { txHash, book, signal }: {
    readonly txHash: string;
    readonly book: OrderBook;
    readonly signal: AbortSignal | undefined;
  },
): Promise<number | null> {
  try {
    const { settlementContract } = book;
    return await countSettlements(node, { txHash, settlementContract }, { signal }) || null;
  } catch (error) {
    explainFailure(error);
    return null;
  }
}

function reportOnchain(
  settlement: OnchainSettlement,
  reports: CompareSettlementOptions,
): ReportedSettlement {
  const audit = compareSettlement(settlement, reports);
  const { wrappedNativeToken } = reports;
  const flows = tokenFlows(
    settlement,
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  const { succeeded, from, through, gasUsed, effectiveGasPrice } = settlement;
  return {
    succeeded,
    sender: from,
    through,
    gasUsed,
    gasPrice: effectiveGasPrice,
    gasCost: audit.gasCost,
    calls: listCalls(settlement),
    flows: isNotComputable(flows) ? null : flows.flows,
    imbalances: isNotComputable(audit.imbalances) ? null : audit.imbalances.tokens,
    unknownFlows: isNotComputable(flows) ? [] : flows.unknown,
    differences: audit.differences,
    unverified: audit.unverified,
  };
}

/** Lists the calls of a settlement: by its calldata, otherwise by its events, which name no phase. */
function listCalls({ isDecoded, interactions, events }: OnchainSettlement): ReportedCall[] {
  if (!isDecoded) {
    return events.flatMap((event) =>
      event.event === "Interaction"
        ? [{
          ...{ phase: null, target: event.target, value: event.value },
          ...{ selector: event.selector, hooks: [] },
        }]
        : []
    );
  }
  return (["pre", "intra", "post"] as const).flatMap((phase) =>
    interactions[phase].map(({ target, value, callData }) => ({
      ...{ phase, target, value },
      selector: readSelector(callData),
      hooks: decodeHooks(callData).map(({ target, callData, gasLimit }) => ({
        target,
        selector: readSelector(callData),
        gasLimit,
      })),
    }))
  );
}
