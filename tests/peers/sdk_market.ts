import { openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import type { SdkTrader } from "./sdk_trader.ts";

/** One WETH. */
export const ETHER: bigint = 10n ** 18n;

const SOON_SEC = 600;

/** A sandbox whose time a test moves, and the official SDK that trades at it over HTTP. */
export interface SdkMarket extends AsyncDisposable {
  /** The sandbox. */
  readonly sandbox: Sandbox;
  /** Where it listens. */
  readonly url: string;
  /** The SDK. */
  readonly sdk: SdkTrader;
}

/** Opens a sandbox, and has the SDK go there as the development account of this number. */
export async function openSdkMarket(
  sdk: SdkTrader,
  { auctions = 5, account = 0 }: { auctions?: number; account?: number } = {},
): Promise<SdkMarket> {
  const sandbox = await openSandbox({ seed: 7, auctions, clock: "virtual" });
  const { url } = sandbox.listen({ port: 0 });
  await sdk.open(url, { account });
  return { sandbox, url, sdk, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

/** What is traded and until when, as the SDK wants it said. */
export function wethForUsdc({ description: { tokens, now } }: Sandbox) {
  const [weth, usdc] = tokens as [typeof tokens[number], typeof tokens[number]];
  return {
    sellToken: weth.address,
    sellTokenDecimals: weth.decimals,
    buyToken: usdc.address,
    buyTokenDecimals: usdc.decimals,
    validTo: now + SOON_SEC,
  };
}

/** A sale of one WETH for at least so many atoms of USDC. */
export function limitSale(sandbox: Sandbox, buyAmount: bigint) {
  return {
    ...wethForUsdc(sandbox),
    kind: "sell",
    sellAmount: String(ETHER),
    buyAmount: String(buyAmount),
  };
}

/** Holds auctions one by one until the SDK says that the order has traded. */
export async function waitForTrade({ sandbox, sdk }: SdkMarket, uid: string): Promise<void> {
  for (let auction = 0; auction < 30; auction++) {
    await sandbox.advance();
    if (await sdk.orderStatus(uid) === "traded") return;
  }
  throw new Error(`Order ${uid} has not traded in 30 auctions`);
}
