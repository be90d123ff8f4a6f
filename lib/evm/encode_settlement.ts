import { encodeFunctionData } from "viem/utils";
import type {
  DecodedSettlement,
  SettlementInteraction,
  SettlementTrade,
} from "./decode_settlement.ts";
import { SETTLEMENT_ABI } from "./settlement_abi.ts";
import type { TradeFlags } from "./trade_flags.ts";

const NO_RECEIVER = `0x${"0".repeat(40)}`;

/**
 * The calldata of `settle(tokens, clearingPrices, trades, interactions)`: what `decodeSettlement`
 * decodes, without the id of an auction after it.
 */
export function encodeSettlement(settlement: Omit<DecodedSettlement, "auctionId">): string {
  const { tokens, clearingPrices, trades, interactions } = settlement;
  return encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: "settle",
    args: [
      tokens.map(hex),
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
    receiver: hex(trade.receiver ?? NO_RECEIVER),
    appData: hex(trade.appData),
    flags: tradeFlags(trade),
    signature: hex(trade.signature),
  };
}

function interactionArguments({ target, value, callData }: SettlementInteraction) {
  return { target: hex(target), value, callData: hex(callData) };
}

const BALANCE_BITS = { erc20: 0n, external: 8n, internal: 12n } as const;
const SCHEME_BITS = { eip712: 0n, ethsign: 32n, eip1271: 64n, presign: 96n } as const;

/** The flags of a trade as `readTradeFlags` reads them. */
function tradeFlags(trade: TradeFlags): bigint {
  const kind = trade.kind === "sell" ? 0n : 1n;
  const partly = trade.partiallyFillable ? 2n : 0n;
  const destination = trade.buyTokenBalance === "erc20" ? 0n : 16n;
  return kind + partly + BALANCE_BITS[trade.sellTokenBalance] + destination +
    SCHEME_BITS[trade.signingScheme];
}

function hex(text: string): `0x${string}` {
  return text as `0x${string}`;
}
