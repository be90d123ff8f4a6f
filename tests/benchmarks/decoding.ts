import {
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  type WireKind,
} from "orderlens/schemas";
import { marketBodies } from "./market_bodies.ts";
import type { Comparison } from "./ratio.ts";

/** A JSON list of `count` bodies; the recorded ones in turn. */
function listOf(texts: readonly string[], count: number): string {
  return `[${Array.from({ length: count }, (_, index) => texts[index % texts.length]!).join(",")}]`;
}

/** Decoding, parsing included, against bare `JSON.parse` of the same bytes. */
export async function decodingComparisons(): Promise<Comparison[]> {
  const cases: [string, WireKind, number, number, (body: unknown) => unknown][] = [
    ["orders", "order", 50_000, 1.6, (body) => decodeOrder(body)],
    ["trades", "trade", 50_000, 1.6, (body) => decodeTrade(body)],
    ["competitions", "competition_v2", 500, 2.2, (body) => decodeCompetition(body)],
    ["debug reports", "debug_report", 500, 2.0, (body) => decodeDebugReport(body)],
  ];
  const comparisons: Comparison[] = [];
  for (const [what, kind, count, bar, decode] of cases) {
    const text = listOf(await marketBodies(kind), count);
    comparisons.push({
      name: `decode ${count.toLocaleString("en")} ${what} / JSON.parse`,
      bar,
      reference: () => JSON.parse(text),
      measured: () => (JSON.parse(text) as unknown[]).map(decode),
    });
  }
  return comparisons;
}
