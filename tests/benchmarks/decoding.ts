import {
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  type WireKind,
} from "orderlens";
import { recordedBodies } from "../../tools/conformance/recorded_bodies.ts";
import type { Comparison } from "./ratio.ts";

/** Bodies of a kind out of the shipped market, each once, as JSON text. */
async function bodiesByKind(): Promise<Map<WireKind, Set<string>>> {
  const folder = new URL("../../data/recorded", import.meta.url).pathname;
  const texts = new Map<WireKind, Set<string>>();
  for await (const found of recordedBodies(folder)) {
    if (!("holds" in found) || !found.where.includes("market_1")) continue;
    const { holds: { kind, isList }, body } = found;
    const known = texts.get(kind) ?? new Set();
    texts.set(kind, known);
    for (const one of isList ? body as unknown[] : [body]) known.add(JSON.stringify(one));
  }
  return texts;
}

/** A JSON list of `count` bodies; the recorded ones in turn. */
function listOf(texts: ReadonlySet<string>, count: number): string {
  const all = [...texts];
  const chosen = Array.from({ length: count }, (_, index) => all[index % all.length]!);
  return `[${chosen.join(",")}]`;
}

/** Decoding, parsing included, against bare `JSON.parse` of the same bytes. */
export async function decodingComparisons(): Promise<Comparison[]> {
  const texts = await bodiesByKind();
  const cases: [string, WireKind, number, number, (body: unknown) => unknown][] = [
    ["orders", "order", 50_000, 2.0, (body) => decodeOrder(body)],
    ["trades", "trade", 50_000, 2.0, (body) => decodeTrade(body)],
    ["competitions", "competition_v2", 500, 3.0, (body) => decodeCompetition(body)],
    ["debug reports", "debug_report", 500, 3.5, (body) => decodeDebugReport(body)],
  ];
  return cases.map(([what, kind, count, bar, decode]) => {
    const text = listOf(texts.get(kind)!, count);
    return {
      name: `decode ${count.toLocaleString("en")} ${what} / JSON.parse`,
      bar,
      reference: () => JSON.parse(text),
      measured: () => (JSON.parse(text) as unknown[]).map(decode),
    };
  });
}
