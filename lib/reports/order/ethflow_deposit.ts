import { ethFlowRefund } from "../../metrics/mod.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import { findNativeSymbol, NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { isRefunded, type Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";

/**
 * The native tokens that were paid into an EthFlow contract for an order, as the service reports it. The
 * contract owns the order; who paid is its trader.
 */
export interface ReportedDeposit {
  /** The EthFlow contract. */
  readonly contract: string;
  /** Account that paid, and gets back what is not sold; `null` if the service does not say. */
  readonly trader: string | null;
  /** Symbol of the native token; `null` for a chain that is not known. */
  readonly symbol: string | null;
  /** Whether the contract still holds what is not sold; nothing of a filled order is left. */
  readonly state: "held" | "returned" | "spent";
  /**
   * Amount not sold, with the signed fee of that part, in native atoms; `null` if the service reports
   * more as filled than the order has.
   */
  readonly unsoldAtoms: bigint | null;
  /** Transaction that returned it; `null` before, and for a cancellation, which returns it itself. */
  readonly refundTxHash: string | null;
}

/**
 * The deposit of an EthFlow order; `null` for other orders.
 *
 * @param chainId Chain of the order, for the symbol. @default {without a symbol}
 */
export function reportDeposit(order: Order, chainId: number | null = null): ReportedDeposit | null {
  const { ethflowData, owner, status, sellAmount } = order;
  if (ethflowData == null) return null;
  const [filled] = readFilled(order);
  // The trader cancels in the contract alone, which pays in the same transaction.
  const isReturned = isRefunded(order) || status === "cancelled";
  return {
    contract: owner,
    trader: readTrader(order),
    symbol: chainId === null ? null : findNativeSymbol(chainId),
    state: isReturned ? "returned" : status === "fulfilled" ? "spent" : "held",
    unsoldAtoms: sellAmount === 0n || filled > sellAmount ? null : ethFlowRefund(order, filled),
    refundTxHash: ethflowData.refundTxHash ?? null,
  };
}

/** Returns the account that placed an order through a contract; `null` for other orders, and if the service does not say. */
function readTrader({ onchainUser, onchainOrderData }: Order): string | null {
  return onchainUser ?? onchainOrderData?.sender ?? null;
}

/** The order as its trader sees it: of an EthFlow order, which sells native tokens of its trader. */
export function toTraderView<Value extends Order | null>(order: Value): Value {
  if (order?.ethflowData == null) return order;
  const { owner, sellToken, executedFeeToken } = order;
  return {
    ...order,
    owner: readTrader(order) ?? owner,
    sellToken: NATIVE_TOKEN_ADDRESS,
    ...sameHex(executedFeeToken ?? sellToken, sellToken) &&
      { executedFeeToken: NATIVE_TOKEN_ADDRESS },
  };
}

/** The state of the money as the end of a sentence; empty while an order may still be filled. */
export function formatDepositClause(deposit: ReportedDeposit | null, order: Order): string {
  if (deposit === null || !isDepositOver(order)) return "";
  const { state, refundTxHash, trader } = deposit;
  const money = `its ${formatDepositName(deposit)}`;
  const owner = trader === null ? "its trader" : trader;
  switch (state) {
    case "spent":
      return "";
    case "held":
      return `; ${money} is still in the EthFlow contract`;
    case "returned":
      return refundTxHash === null
        ? `; ${money} went back to ${owner}`
        : `; ${money} went back to ${owner} in transaction ${refundTxHash}`;
  }
}

/** Formats the name of the token in the contract. */
export function formatDepositName({ symbol }: ReportedDeposit): string {
  return symbol ?? "native token";
}

/** Whether the order cannot spend its deposit any more: it is over, or the service refused it. */
export function isDepositOver({ status, onchainOrderData }: Order): boolean {
  return status === "expired" || status === "cancelled" ||
    onchainOrderData?.placementError != null;
}
