import type { Order, Trade } from "orderlens";
import { decodeOrder, decodeTrade } from "orderlens/schemas";
import { readScenario, type Scenario } from "../../tools/metrics/read_scenario.ts";
import type { Truth } from "../../tools/metrics/truth.ts";

/** A shipped recording with what its service stored and its chain holds. */
export interface RecordedRun extends Scenario {
  readonly truth: Required<Truth>;
  readonly chain: NonNullable<Scenario["chain"]>;
}

const FOLDER = new URL("../../data/recorded/", import.meta.url);

/** The whole text of a gzipped file that ships in `data/recorded`. */
export async function unpack(name: string): Promise<string> {
  const file = await Deno.readFile(new URL(name, FOLDER));
  const plain = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(plain).text();
}

const runs = new Map<string, Promise<Scenario>>();

/** A shipped recording as `check-metrics` reads it, read once for all tests that ask for it. */
export async function recordedRun(name: string): Promise<RecordedRun> {
  const run = runs.getOrInsertComputed(name, () => readScenario(FOLDER.pathname, name));
  return await run as RecordedRun;
}

/** The order of a fill. */
export function orderOf({ orders }: Scenario, { orderUid }: Trade): Order {
  return orders.get(orderUid)!;
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
export async function recordedFills() {
  const fills: Stored[] = JSON.parse(await unpack("../../tests/testdata/metrics/fills.json.gz"));
  return fills.map((fill) => ({
    ...fill,
    order: decodeOrder(fill.order),
    trade: decodeTrade(fill.trade),
    executedFee: BigInt(fill.executedFee),
    protocolFeeAmounts: fill.protocolFeeAmounts.map(BigInt),
  }));
}
