import type { OnchainSettlement, SettlementTrade, TradeEvent } from "../../evm/mod.ts";
import { mulDivDown, mulDivUp } from "../../units/mod.ts";
import { networkFee, type NetworkFeeReason, type ReportedFee } from "../fees/network_fee.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { AuctionRole } from "../orders/auction_role.ts";
import { exchangedSellAmount, type Fill } from "../orders/fill.ts";
import { uniformPrice } from "../prices/uniform_price.ts";
import { surplusOverLimit } from "../surplus/surplus_over_limit.ts";
import { surplusToken } from "../surplus/surplus_token.ts";

/** One trade of a settlement, with its fees and prices according to the chain. */
export interface AuditedTrade {
  /** UID of the order. */
  readonly uid: string;
  /** Owner of the order. */
  readonly owner: string;
  /** Index of its event in the block. */
  readonly logIndex: number;
  /** Which amount is fixed. */
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
  /** Better than the limit by so many atoms of the surplus token; see `surplusOverLimit`. */
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
   * Worse than at uniform prices by so many atoms of the surplus token: all its fees, unless a
   * solver provided the order. Negative if it is better.
   */
  readonly priceDifferenceAtoms: bigint;
  /** All fees in atoms of the surplus token: exact. What they are worth follows from these. */
  readonly allFeesAtoms: bigint | NotComputable<NetworkFeeReason>;
  /** The same in sell-token atoms at uniform prices, as the service reports them: exact. */
  readonly executedFee: bigint | NotComputable<NetworkFeeReason>;
  /** Network fee in atoms of the surplus token: exact if the protocol fees are known. */
  readonly networkFeeAtoms: bigint | NotComputable<NetworkFeeReason>;
}

/** What an audit knows about a trade besides the settlement. */
export interface TradeFacts {
  /** Role of the order. */
  readonly role: AuctionRole;
  /** Protocol fees of the fill, as reported. */
  readonly protocolFees: readonly ReportedFee[] | undefined;
}

/** The amounts of a trade's event. */
export function fillOf({ sellAmount, buyAmount, feeAmount }: TradeEvent): Required<Fill> {
  return { sellAmount, buyAmount, sellAmountBeforeFees: sellAmount - feeAmount };
}

/** Computes what the chain says about one trade. */
export function auditTrade(
  settlement: OnchainSettlement,
  { trade, event }: { readonly trade: SettlementTrade; readonly event: TradeEvent },
  { role, protocolFees }: TradeFacts,
): AuditedTrade {
  const { clearingPrices } = settlement;
  const { kind, sellToken, buyToken } = trade;
  const fill = fillOf(event);
  const uniform = {
    sell: uniformPrice(settlement, sellToken) ?? 0n,
    buy: uniformPrice(settlement, buyToken) ?? 0n,
  };
  const all = networkFee(fill, trade, { settlement, protocolFees: [], role });
  const network = networkFee(
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
    sellAmount: event.sellAmount,
    buyAmount: event.buyAmount,
    feeAmount: event.feeAmount,
    surplusToken: surplusToken(trade),
    surplusAtoms: surplusOverLimit(fill, trade),
    uniformSellPrice: uniform.sell,
    uniformBuyPrice: uniform.buy,
    sellPrice: clearingPrices[trade.sellTokenIndex] ?? 0n,
    buyPrice: clearingPrices[trade.buyTokenIndex] ?? 0n,
    priceDifferenceAtoms: kind === "sell"
      ? mulDivUp(exchangedSellAmount(fill), uniform.sell, uniform.buy) - fill.buyAmount
      : exchangedSellAmount(fill) - mulDivDown(fill.buyAmount, uniform.buy, uniform.sell),
    allFeesAtoms: isNotComputable(all) ? all : all.totalAtoms.low,
    executedFee: isNotComputable(all) ? all : all.executedFee,
    networkFeeAtoms: isNotComputable(network) ? network : network.networkAtoms.low,
  };
}
