import { encodeFunctionData } from "viem/utils";
import type {
  DecodedSettlement,
  SettlementInteraction,
  SettlementTrade,
} from "./decode_settlement.ts";
import { hexText } from "../hex/hex_text.ts";
import { SETTLEMENT_ABI } from "./settlement_abi.ts";
import { packTradeFlags } from "./trade_flags.ts";

const NO_RECEIVER = `0x${"0".repeat(40)}`;

/**
 * The calldata of `settle(tokens, clearingPrices, trades, interactions)`: the inverse of
 * `decodeSettlement`, without the auction id after it.
 */
export function encodeSettlement(settlement: Omit<DecodedSettlement, "auctionId">): string {
  const { tokens, clearingPrices, trades, interactions } = settlement;
  return encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: "settle",
    args: [
      tokens.map(hexText),
      clearingPrices,
      trades.map(tradeArguments),
      [
        interactions.pre.map(interactionArguments),
        interactions.intra.map(interactionArguments),
        interactions.post.map(interactionArguments),
      ],
    ],
  });
}

function tradeArguments(trade: SettlementTrade) {
  return {
    ...trade,
    sellTokenIndex: BigInt(trade.sellTokenIndex),
    buyTokenIndex: BigInt(trade.buyTokenIndex),
    receiver: hexText(trade.receiver ?? NO_RECEIVER),
    appData: hexText(trade.appData),
    flags: packTradeFlags(trade),
    signature: hexText(trade.signature),
  };
}

function interactionArguments({ target, value, callData }: SettlementInteraction) {
  return { target: hexText(target), value, callData: hexText(callData) };
}
