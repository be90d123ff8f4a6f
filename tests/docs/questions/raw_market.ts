import { recordedChain } from "../../stored_run.ts";
import deployment from "../../../data/recorded/market_3.deployment.json" with { type: "json" };
import { type RawMarket, readRawMarket, recordedLines } from "../../tables/rewards/raw_rewards.ts";

const NAME = "market_3";
/** Auctions of the recording that the page asks for. */
const [FIRST, LAST] = [695, 1026];

type ValueOf<Values> = Values extends Map<string, infer Value> ? Value : never;

export type Trade = ValueOf<RawMarket["trades"]>;
export type Order = ValueOf<RawMarket["orders"]>;
export type Fee = NonNullable<Trade["executedProtocolFees"]>[number];
export type Quote = NonNullable<Order["quote"]>;

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
export type Market = Awaited<ReturnType<typeof readMarket>>;

/** Reads the recorded bodies of the market. */
export async function readMarket() {
  const { auctions, orders, trades } = await readRawMarket(NAME);
  const reports = new Map<string, readonly ReportAuction[]>();
  for (const { body } of await recordedLines(NAME, "/restricted/api/v1/debug/order/")) {
    const report = body as { orderUid: string; auctions: ReportAuction[] };
    reports.set(report.orderUid, report.auctions);
  }
  const { blocks } = await recordedChain(NAME);
  const { tokens, solvers, wrappedNativeToken } = deployment;
  return {
    auctions: auctions.filter(({ auctionId: id }) => id >= FIRST && id <= LAST)
      .sort((a, b) => a.auctionId - b.auctionId),
    orders,
    trades: [...trades.values()],
    reports,
    /** Unix seconds by block. */
    blocks: blocks!,
    /** Names of tokens and solvers by address. */
    names: new Map([
      [wrappedNativeToken, "WETH"],
      ...tokens.map(({ address, symbol }) => [address, symbol] as const),
      ...solvers.map(({ address, name }) => [address, name] as const),
    ]),
  };
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
