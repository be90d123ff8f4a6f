import type { Order, Trade } from "orderlens";
import { decodeOrder, decodeTrade } from "orderlens/schemas";

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
