import type { DebugReport, Order, Trade } from "orderlens";
import { decodeDebugReport, decodeOrder, decodeTrade, decodeTrades } from "orderlens/schemas";
import { readRecording } from "../../lib/recordings/recording.ts";

/** A fill's fees as the service stored them. */
export interface TruthExecution {
  order_uid: string;
  auction_id: number;
  block_number: number;
  executed_fee: string;
  protocol_fee_amounts: string[];
}

/** A fee policy of an order in an auction as the service stored it. */
export interface TruthPolicy {
  auction_id: number;
  order_uid: string;
  application_order: number;
  kind: "surplus" | "volume" | "priceimprovement";
}

/** What a chain holds of a run. */
export interface Chain {
  settlements: Record<string, { to: string; input: string }>;
  logs: {
    address: string;
    topics: string[];
    data: string;
    blockNumber: string;
    transactionHash: string;
    logIndex: string;
  }[];
}

/** A shipped recording, decoded, with what its service stored and its chain holds. */
export interface RecordedRun {
  orders: ReadonlyMap<string, Order>;
  trades: readonly Trade[];
  reports: readonly DebugReport[];
  truth: {
    order_execution: TruthExecution[];
    fee_policies: TruthPolicy[];
    settlements: { tx_hash: string; auction_id: number }[];
  };
  chain: Chain;
}

const FOLDER = new URL("../../data/recorded/", import.meta.url);

/** The whole text of a gzipped file that ships in `data/recorded`. */
export async function unpack(name: string): Promise<string> {
  const file = await Deno.readFile(new URL(name, FOLDER));
  const plain = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(plain).text();
}

const runs = new Map<string, Promise<RecordedRun>>();

/**
 * A shipped recording, every order, fill and debug report once; read once for all tests that ask
 * for it.
 */
export function recordedRun(name: string): Promise<RecordedRun> {
  const run = runs.get(name) ?? readRun(name);
  runs.set(name, run);
  return run;
}

async function readRun(name: string): Promise<RecordedRun> {
  const orders = new Map<string, Order>();
  const trades = new Map<string, Trade>();
  const reports = new Map<string, DebugReport>();
  for (const exchange of await readRecording(new URL(`${name}.ndjson.gz`, FOLDER))) {
    if (exchange.method !== "GET" || exchange.status !== 200) continue;
    const path = exchange.path.split("?")[0] ?? "";
    if (/^\/api\/v1\/orders\/0x[0-9a-f]+$/.test(path)) {
      const order = decodeOrder(JSON.parse(exchange.responseBody));
      orders.set(order.uid, order);
    } else if (path === "/api/v2/trades") {
      for (const trade of decodeTrades(JSON.parse(exchange.responseBody)).items) {
        trades.set(`${trade.blockNumber}:${trade.logIndex}`, trade);
      }
    } else if (path.startsWith("/restricted/api/v1/debug/order/")) {
      const report = decodeDebugReport(JSON.parse(exchange.responseBody));
      reports.set(report.orderUid, report);
    }
  }
  return {
    orders,
    trades: [...trades.values()],
    reports: [...reports.values()],
    truth: JSON.parse(await unpack(`${name}.truth.json.gz`)),
    chain: JSON.parse(await unpack(`${name}.chain.json.gz`)),
  };
}

/** The order of a fill. */
export function orderOf(run: RecordedRun, trade: Trade): Order {
  const order = run.orders.get(trade.orderUid);
  if (order === undefined) throw new Error(`No order ${trade.orderUid} is recorded`);
  return order;
}

/** What the service stored of a fill. */
export function executionOf(run: RecordedRun, trade: Trade): TruthExecution {
  const found = run.truth.order_execution.find((row) =>
    row.order_uid === trade.orderUid && row.block_number === trade.blockNumber
  );
  if (found === undefined) throw new Error(`No execution of ${trade.orderUid} is stored`);
  return found;
}

/** A fill with its order, its settlement and what the service stored of it. */
export interface RecordedFill {
  run: string;
  order: Order;
  trade: Trade;
  executedFee: bigint;
  protocolFeeAmounts: bigint[];
  input: string;
}

interface Stored {
  run: string;
  order: unknown;
  trade: unknown;
  executedFee: string;
  protocolFeeAmounts: string[];
  input: string;
}

/** Fills of a market with large orders, in which many caps bit, and of two scenarios. */
export async function recordedFills(): Promise<RecordedFill[]> {
  const file = await Deno.readFile(
    new URL("../testdata/metrics/fills.json.gz", import.meta.url),
  );
  const plain = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  const fills: Stored[] = await new Response(plain).json();
  return fills.map((fill) => ({
    ...fill,
    order: decodeOrder(fill.order),
    trade: decodeTrade(fill.trade),
    executedFee: BigInt(fill.executedFee),
    protocolFeeAmounts: fill.protocolFeeAmounts.map(BigInt),
  }));
}
