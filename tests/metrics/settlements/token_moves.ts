import { NETWORKS } from "orderlens";
import type { SettlementTrade, TokenTransfer, TradeEvent } from "orderlens/evm";
import type { FlowsOfSettlement } from "orderlens/metrics";

export const CONTRACT = `0x${"90".repeat(20)}`;
export const SOLVER = `0x${"50".repeat(20)}`;
export const OWNER = `0x${"01".repeat(20)}`;
export const FRIEND = `0x${"03".repeat(20)}`;
export const POOL = `0x${"02".repeat(20)}`;
export const GOLD = `0x${"a1".repeat(20)}`;
export const SILVER = `0x${"b2".repeat(20)}`;
export const NOBODY = `0x${"0".repeat(40)}`;
export const WETH = NETWORKS.mainnet.wrappedNativeToken.address.toLowerCase();
/** Where a log is. */
export const PLACE = { address: CONTRACT, blockNumber: 1, logIndex: 0, transactionHash: "0x01" };

/** A settlement that moves nothing. */
export const NOTHING: FlowsOfSettlement = {
  from: SOLVER,
  to: CONTRACT,
  succeeded: true,
  events: [],
  trades: [],
  transfers: [],
  hasAllLogs: true,
};

type Move = [
  token: string,
  from: string,
  to: string,
  atoms: bigint,
  event?: "Deposit" | "Withdrawal",
];

/** Logs of what moves, in order. */
export function moves(...all: Move[]): TokenTransfer[] {
  return all.map(([token, from, to, atoms, event = "Transfer" as const], logIndex) => ({
    event,
    token,
    from,
    to,
    atoms,
    logIndex,
  }));
}

/** One trade of 100 gold for 40 of a token, which the owner gets or somebody else. */
export function sale(
  buyToken: string,
  transfers: TokenTransfer[],
  receiver: string | null = null,
): FlowsOfSettlement {
  const event: TradeEvent = {
    ...PLACE,
    event: "Trade",
    owner: OWNER,
    sellToken: GOLD,
    buyToken,
    sellAmount: 100n,
    buyAmount: 40n,
    feeAmount: 0n,
    orderUid: "0x",
  };
  const trade = { receiver, sellTokenBalance: "erc20", buyTokenBalance: "erc20" };
  return { ...NOTHING, events: [event], trades: [trade as SettlementTrade], transfers };
}
