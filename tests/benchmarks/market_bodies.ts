import { fileURLToPath } from "node:url";
import type { WireKind } from "orderlens/schemas";
import { readRecordedBodies } from "../../tools/conformance/recorded_bodies.ts";

const RECORDED = fileURLToPath(new URL("../../data/recorded", import.meta.url));

let found: Promise<Map<WireKind, Set<string>>> | undefined;

async function bodiesByKind(): Promise<Map<WireKind, Set<string>>> {
  const texts = new Map<WireKind, Set<string>>();
  for await (const one of readRecordedBodies(RECORDED)) {
    if (!("holds" in one) || !one.where.includes("market_1")) continue;
    const { holds: { kind, isList }, body } = one;
    const known = texts.getOrInsertComputed(kind, () => new Set());
    for (const element of isList ? body as unknown[] : [body]) {
      known.add(JSON.stringify(element));
    }
  }
  return texts;
}

/** Bodies of a kind out of the shipped market, each once, as JSON text. */
export async function marketBodies(kind: WireKind): Promise<string[]> {
  found ??= bodiesByKind();
  return [...(await found).get(kind)!];
}
