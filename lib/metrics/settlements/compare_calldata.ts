import type { OnchainSettlement, SettlementTrade, TradeEvent } from "../../evm/mod.ts";
import { orderDigest } from "../../evm/orders/order_digest.ts";
import { orderDomain } from "../../evm/orders/order_domain.ts";
import { isNotComputable } from "../not_computable.ts";
import type { Fill } from "../orders/fill.ts";
import { ownerOf } from "../orders/auction_role.ts";
import { settledFill } from "../prices/settled_fill.ts";
import { amountsText, type SettlementDifference } from "./settlement_difference.ts";

/** What differs between the event of a trade and the calldata. */
export function compareCalldata(
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
