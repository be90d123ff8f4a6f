import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { isNotComputable } from "../not_computable.ts";
import type { AuditedTrade } from "./audited_trade.ts";
import { amountsText, type SettlementDifference } from "./settlement_difference.ts";

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

/** The reported fill of a trade: the one of its transaction. */
export function reportedFill(
  { txHash }: Pick<OnchainSettlement, "txHash">,
  { orderUid, logIndex }: TradeEvent,
  reported: readonly ReportedTrade[],
): ReportedTrade | undefined {
  const same = reported.filter((one) =>
    one.txHash !== null && sameHex(one.txHash, txHash) && sameHex(one.orderUid, orderUid)
  );
  return same.find((one) => one.logIndex === logIndex) ?? same[0];
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

/** What differs between the fees of a trade and the reported ones. */
export function compareFees(
  { uid, executedFee, networkFeeAtoms, sellAmount, buyAmount }: AuditedTrade,
  order: ReportedOrder | undefined,
): SettlementDifference[] {
  const found: SettlementDifference[] = [];
  // The order's fee is that of all its fills.
  const hasOneFill = order?.executedSellAmount === sellAmount &&
    order.executedBuyAmount === buyAmount;
  const reported = hasOneFill ? order.executedFee : undefined;
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
