import type { OnchainSettlement, TokenTransfer, TradeEvent } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";

type Expected = Pick<TokenTransfer, "token" | "from" | "to" | "atoms">;

/**
 * The transfers of trades between traders and the settlement contract that the logs do not have.
 * Balances that are kept inside of the vault move without such a transfer.
 */
export function missingTransfers(
  { to: contract, events, trades, transfers }: Pick<
    OnchainSettlement,
    "to" | "events" | "trades" | "transfers"
  >,
): Expected[] {
  const left = transfers.filter(({ event }) => event === "Transfer");
  const filled = events.filter((event): event is TradeEvent => event.event === "Trade");
  return filled.flatMap((fill, place) => expectedOf(fill, trades[place], contract))
    .filter((expected) => {
      const found = left.findIndex((one) => isSame(one, expected));
      if (found >= 0) left.splice(found, 1);
      return found < 0;
    });
}

function expectedOf(
  { owner, sellToken, buyToken, sellAmount, buyAmount }: TradeEvent,
  trade: OnchainSettlement["trades"][number] | undefined,
  contract: string,
): Expected[] {
  const receiver = trade?.receiver ?? owner;
  const moved: Expected[] = [];
  if (trade?.sellTokenBalance === "erc20") {
    moved.push({ token: sellToken, from: owner, to: contract, atoms: sellAmount });
  }
  if (trade?.buyTokenBalance === "erc20" && buyToken !== NATIVE_TOKEN_ADDRESS) {
    moved.push({ token: buyToken, from: contract, to: receiver, atoms: buyAmount });
  }
  return moved.filter(({ atoms }) => atoms > 0n);
}

function isSame(one: Expected, other: Expected): boolean {
  return one.token === other.token && one.from === other.from && one.to === other.to &&
    one.atoms === other.atoms;
}
