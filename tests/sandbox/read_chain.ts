import { privateKeyToAccount } from "viem/accounts";
import { connect, placeOrder, type TradeRequest } from "orderlens";
import { parseAbi } from "viem";
import { decodeTrade, type Trade } from "orderlens/schemas";
import { DEVELOPMENT_ACCOUNTS, type Sandbox } from "orderlens/sandbox";
import { WALLET_CONTRACT } from "../../lib/sandbox/market/ledger.ts";

/** The settlement contract and ERC-20, written down from their sources. */
export const ABI = parseAbi([
  "struct TradeData { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }",
  "struct InteractionData { address target; uint256 value; bytes callData; }",
  "function settle(address[] tokens, uint256[] clearingPrices, TradeData[] trades, InteractionData[][3] interactions)",
  "function setPreSignature(bytes orderUid, bool signed)",
  "function domainSeparator() view returns (bytes32)",
  "function authenticator() view returns (address)",
  "function vaultRelayer() view returns (address)",
  "function filledAmount(bytes orderUid) view returns (uint256)",
  "function isSolver(address prospectiveSolver) view returns (bool)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function name() view returns (string)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)",
  "event Interaction(address indexed target, uint256 value, bytes4 selector)",
  "event Settlement(address indexed solver)",
  "event PreSignature(address indexed owner, bytes orderUid, bool signed)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Withdrawal(address indexed src, uint256 wad)",
]);

/** All trades of a sandbox, by `GET trades` of every account that trades on its own. */
export async function tradesOf(sandbox: Sandbox): Promise<Trade[]> {
  const trades: Trade[] = [];
  for (const owner of [...sandbox.description.accounts, WALLET_CONTRACT]) {
    for (let offset = 0, page: unknown[] = [null]; page.length > 0; offset += page.length) {
      const response = await sandbox.fetch(
        `/api/v2/trades?owner=${owner}&offset=${offset}&limit=1000`,
      );
      page = await response.json();
      trades.push(...page.map((body) => decodeTrade(body)));
    }
  }
  return trades.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Sells 5,000 USDC for wrapped ether, or on other terms, until the order is no longer open. */
export async function sellForEther(
  sandbox: Sandbox,
  terms: Pick<Partial<TradeRequest>, "buyToken" | "receiver" | "appData">,
) {
  const book = connect(sandbox);
  const [weth, usdc] = sandbox.description.tokens;
  const { privateKey } = DEVELOPMENT_ACCOUNTS[0]!;
  const { uid } = await placeOrder(book, privateKeyToAccount(privateKey as `0x${string}`), {
    kind: "sell",
    sellToken: usdc!.address,
    buyToken: weth!.address,
    sellAmountBeforeFee: 5_000_000_000n,
    ...terms,
  }, { minBuyAmount: 1n });
  for (let at = 0; at < 40 && (await book.order(uid)).status === "open"; at++) {
    await sandbox.advance();
  }
  return { book, uid };
}
