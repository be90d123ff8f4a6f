import type { Competition, Order, Trade } from "orderlens";
import { decodeCompetition, decodeOrder, decodeTrades } from "orderlens/schemas";
import { readRecording } from "../../lib/recordings/recording.ts";

/** What the service reported about the settlements of a recording. */
export interface RecordedReports {
  /** Auctions. */
  competitions: Competition[];
  /** Fills. */
  trades: Trade[];
  /** Orders. */
  orders: Order[];
}

const FOLDER = new URL("../../data/recorded/", import.meta.url);
const read = new Map<string, Promise<RecordedReports>>();

/** The reports of a shipped recording, read once; without debug reports, which take longest. */
export function recordedReports(name: string): Promise<RecordedReports> {
  const reports = read.get(name) ?? readReports(name);
  read.set(name, reports);
  return reports;
}

async function readReports(name: string): Promise<RecordedReports> {
  const competitions = new Map<number, Competition>();
  const trades = new Map<string, Trade>();
  const orders = new Map<string, Order>();
  for (const exchange of await readRecording(new URL(`${name}.ndjson.gz`, FOLDER))) {
    if (exchange.method !== "GET" || exchange.status !== 200) continue;
    const [path = ""] = exchange.path.split("?");
    const body = () => JSON.parse(exchange.responseBody);
    if (/^\/api\/v2\/solver_competition\/\d+$/.test(path)) {
      const competition = decodeCompetition(body());
      competitions.set(competition.auctionId, competition);
    } else if (path === "/api/v2/trades") {
      for (const trade of decodeTrades(body()).items) {
        trades.set(`${trade.blockNumber} ${trade.logIndex}`, trade);
      }
    } else if (/^\/api\/v1\/orders\/0x[0-9a-f]+$/.test(path)) {
      const order = decodeOrder(body());
      orders.set(order.uid, order);
    }
  }
  return {
    competitions: [...competitions.values()],
    trades: [...trades.values()],
    orders: [...orders.values()],
  };
}
