import {
  type Competition,
  type DebugReport,
  type Order,
  OrderlensError,
  type Trade,
} from "orderlens";
import {
  decodeAuction,
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrades,
} from "orderlens/schemas";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import type { ChainRecord } from "../../lib/recordings/recorded_chain.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { readFacts } from "../../lib/recordings/deployment.ts";
import { type BodyKind, findRouteKinds } from "../conformance/route_kinds.ts";
import { exists, readJson } from "./read_json.ts";
import type { Truth } from "./truth.ts";

/** An order in one answer. */
export interface OrderAnswer {
  /** Line of the recording, from 1. */
  readonly line: number;
  /** The order. */
  readonly order: Order;
}

const READ_KINDS: ReadonlySet<string> = new Set([
  "auction",
  "competition_v2",
  "debug_report",
  "order",
  "trade",
]);

/** One decoded recording, with the records of the service and the chain of the same run. */
export interface Scenario {
  /** Name of the file without its extension. */
  readonly name: string;
  /** Number of answers. */
  readonly answers: number;
  /** Answers that cannot be decoded, and why. */
  readonly unreadable: readonly string[];
  /** Competitions, each auction once, by id. */
  readonly competitions: ReadonlyMap<number, Competition>;
  /** The last answer for each order, by UID. */
  readonly orders: ReadonlyMap<string, Order>;
  /** Every order in an answer, in recorded order. */
  readonly orderAnswers: readonly OrderAnswer[];
  /** Debug reports by UID. */
  readonly reports: ReadonlyMap<string, DebugReport>;
  /** Trades, each once, by block and log index. */
  readonly trades: ReadonlyMap<string, Trade>;
  /** The service's records; `null` without the file. */
  readonly truth: Truth | null;
  /** The chain's records; `null` without the file. */
  readonly chain: ChainRecord | null;
  /** Surplus-capturing JIT order owners in the last `GET auction`; `undefined` without one. */
  readonly capturingOwners: readonly string[] | undefined;
  /** The wrapped native token, if a deployment file names it. */
  readonly wrappedNativeToken: string | undefined;
}

/** Key of a trade: block and log index identify it. */
export function formatTradeKey(
  trade: { readonly blockNumber: number; readonly logIndex: number },
): string {
  return `${trade.blockNumber}:${trade.logIndex}`;
}

/** Reads `<name>.ndjson` (or `.ndjson.gz`) of a folder, and the files next to it. */
export async function readScenario(folder: string, name: string): Promise<Scenario> {
  const recorded = new RecordedAnswers();
  for (
    const [index, exchange] of (await readRecording(await findRecording(folder, name))).entries()
  ) {
    recorded.add(exchange, index + 1);
  }
  return {
    name,
    ...recorded,
    truth: await readJson(`${folder}/${name}.truth.json`) as Truth | null,
    chain: await readJson(`${folder}/${name}.chain.json`) as ChainRecord | null,
    wrappedNativeToken: await readWrappedNativeToken(`${folder}/${name}.deployment.json`),
  };
}

class RecordedAnswers {
  readonly competitions = new Map<number, Competition>();
  readonly orders = new Map<string, Order>();
  readonly orderAnswers: OrderAnswer[] = [];
  readonly reports = new Map<string, DebugReport>();
  readonly trades = new Map<string, Trade>();
  readonly unreadable: string[] = [];
  capturingOwners: readonly string[] | undefined;
  answers = 0;

  add({ method, path, status, responseBody }: Exchange, line: number): void {
    if (status !== 200) return;
    const answer = findRouteKinds(method, path)?.answer;
    if (answer === undefined || !READ_KINDS.has(answer.kind)) return;
    this.answers++;
    try {
      this.#read(answer, { path, line, body: JSON.parse(responseBody) });
    } catch (error) {
      if (!(error instanceof OrderlensError || error instanceof SyntaxError)) throw error;
      this.unreadable.push(`line ${line}, ${method} ${path}: ${error.message}`);
    }
  }

  #read(
    { kind, isList }: BodyKind,
    { path, line, body }: { path: string; line: number; body: unknown },
  ): void {
    if (kind === "competition_v2") {
      const competition = decodeCompetition(body);
      this.competitions.set(competition.auctionId, competition);
    } else if (kind === "auction") {
      this.capturingOwners = decodeAuction(body).surplusCapturingJitOrderOwners;
    } else if (kind === "debug_report") {
      const report = decodeDebugReport(body);
      this.reports.set(report.orderUid, report);
      this.#addOrder(report.order, line);
    } else if (kind === "order" && !isList) {
      this.#addOrder(decodeOrder(body), line);
    } else if (kind === "trade") {
      const { items, failed } = decodeTrades(body);
      for (const { index, error } of failed) {
        this.unreadable.push(`line ${line}, ${path}, trade ${index}: ${error.message}`);
      }
      for (const trade of items) this.trades.set(formatTradeKey(trade), trade);
    }
  }

  #addOrder(order: Order, line: number): void {
    this.orders.set(order.uid, order);
    this.orderAnswers.push({ line, order });
  }
}

async function findRecording(folder: string, name: string): Promise<string> {
  const plain = `${folder}/${name}.ndjson`;
  return await exists(plain) ? plain : `${plain}.gz`;
}

async function readWrappedNativeToken(file: string): Promise<string | undefined> {
  return await exists(file) ? (await readFacts(file)).deployment.wrappedNativeToken : undefined;
}
