import { recordedLines } from "../../tables/rewards/raw_rewards.ts";

const FOLDER = new URL("../../../data/recorded/", import.meta.url);
/** Auctions of the recording that the page asks for. */
const [FIRST, LAST] = [695, 1026];

interface Amounts {
  sellAmount: string;
  buyAmount: string;
}

interface Exchange extends Amounts {
  sellToken: string;
  buyToken: string;
}

export interface Fee {
  policy: object;
  amount: string;
  token: string;
}

export interface Trade extends Exchange {
  orderUid: string;
  blockNumber: number;
  logIndex: number;
  txHash: string;
  executedProtocolFees: Fee[];
}

export interface Quote extends Amounts {
  gasAmount: string;
  gasPrice: string;
  sellTokenPrice: string;
  solver: string;
}

export interface Order extends Exchange {
  uid: string;
  kind: "sell" | "buy";
  creationDate: string;
  fullAppData: string | null;
  quote: Quote;
}

interface Bid extends Exchange {
  id: string;
}

interface Solution {
  solverAddress: string;
  isWinner: boolean;
  txHash: string | null;
  orders: Bid[];
}

export interface Auction {
  auctionId: number;
  auctionStartBlock: number;
  auction: { orders: string[]; prices: Record<string, string> };
  solutions: Solution[];
}

interface Attempt {
  solver: string;
  solutionUid: number;
  startTimestamp: string;
  outcome: string;
}

/** A bid on the order of a debug report. */
interface Proposed {
  solver: string;
  isWinner: boolean;
  filteredOut: boolean;
  executedSell: string;
  executedBuy: string;
}

export interface ReportAuction {
  id: number;
  nativePrices: Record<string, string>;
  proposedSolutions: Proposed[];
  executions: { blockNumber: number }[];
  settlementAttempts: Attempt[];
}

/** What one recorded market has, as `JSON.parse` reads it. */
export interface Market {
  auctions: readonly Auction[];
  orders: ReadonlyMap<string, Order>;
  trades: readonly Trade[];
  reports: ReadonlyMap<string, readonly ReportAuction[]>;
  /** Unix seconds by block. */
  blocks: Readonly<Record<string, number>>;
  /** Names of tokens and solvers by address. */
  names: ReadonlyMap<string, string>;
}

/** Reads the recorded bodies of `market_3`. */
export async function readMarket(): Promise<Market> {
  const auctions = new Map<number, Auction>();
  const orders = new Map<string, Order>();
  const trades = new Map<string, Trade>();
  const reports = new Map<string, readonly ReportAuction[]>();
  for (const { path, body } of await recordedLines("market_3")) {
    if (path.includes("/solver_competition/")) {
      const auction = body as Auction;
      if (auction.auctionId >= FIRST && auction.auctionId <= LAST) {
        auctions.set(auction.auctionId, auction);
      }
    } else if (path.startsWith("/api/v2/trades?orderUid=")) {
      for (const one of body as Trade[]) trades.set(`${one.blockNumber} ${one.logIndex}`, one);
    } else if (/^\/api\/v1\/orders\/0x[0-9a-f]{112}$/.test(path)) {
      orders.set((body as Order).uid, body as Order);
    } else if (path.includes("/debug/order/")) {
      const { orderUid, auctions } = body as { orderUid: string; auctions: ReportAuction[] };
      reports.set(orderUid, auctions);
    }
  }
  const { blocks } = await json("market_3.chain.json.gz");
  const { tokens, solvers, wrappedNativeToken } = await json("market_3.deployment.json");
  return {
    auctions: [...auctions.values()].sort((a, b) => a.auctionId - b.auctionId),
    orders,
    trades: [...trades.values()],
    reports,
    blocks,
    names: new Map([
      [wrappedNativeToken, "WETH"],
      ...tokens.map((token: { address: string; symbol: string }) => [token.address, token.symbol]),
      ...solvers.map((solver: { address: string; name: string }) => [solver.address, solver.name]),
    ]),
  };
}

// deno-lint-ignore no-explicit-any
async function json(name: string): Promise<any> {
  const { body } = await fetch(new URL(name, FOLDER));
  return await new Response(
    name.endsWith(".gz") ? body!.pipeThrough(new DecompressionStream("gzip")) : body,
  ).json();
}

/** The auction of a trade, as its order's debug report tells it. */
export function toldOf(market: Market, { orderUid, blockNumber }: Trade): ReportAuction {
  return market.reports.get(orderUid)!.find(({ executions }) =>
    executions.some((execution) => execution.blockNumber === blockNumber)
  )!;
}

/** Who settled a trade, as the recorded competitions tell it; `null` outside of them. */
export function solverOf(market: Market, { orderUid, txHash }: Trade): string | null {
  for (const { solutions } of market.auctions) {
    const solution = solutions.find((one) =>
      one.isWinner && one.txHash === txHash && one.orders.some(({ id }) => id === orderUid)
    );
    if (solution !== undefined) return solution.solverAddress;
  }
  return null;
}
