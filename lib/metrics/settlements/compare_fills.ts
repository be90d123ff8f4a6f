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
