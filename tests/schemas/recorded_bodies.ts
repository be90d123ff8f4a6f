import type { WireKind } from "orderlens/schemas";
import { recordedBodies } from "../../tools/conformance/recorded_bodies.ts";

/** One recorded wire object. */
export interface RecordedObject {
  /** Which wire object. */
  kind: WireKind;
  /** The parsed body. */
  body: unknown;
  /** Where it stands. */
  where: string;
}

function path(relative: string): string {
  return new URL(relative, import.meta.url).pathname;
}

/** The app data documents inside orders, each once. */
function documentsIn(objects: readonly RecordedObject[]): RecordedObject[] {
  const documents = new Map<string, RecordedObject>();
  for (const { kind, body, where } of objects) {
    if (kind !== "order") continue;
    const { fullAppData } = body as { fullAppData?: string | null };
    if (typeof fullAppData !== "string" || documents.has(fullAppData)) continue;
    documents.set(fullAppData, { kind: "app_data", body: JSON.parse(fullAppData), where });
  }
  return [...documents.values()];
}

async function readAll(): Promise<RecordedObject[]> {
  const objects: RecordedObject[] = [];
  for (const folder of ["../../data/recorded", "../testdata/schemas"]) {
    for await (const found of recordedBodies(path(folder))) {
      if (!("holds" in found)) continue;
      const { holds, body, where } = found;
      const elements = holds.isList ? body as unknown[] : [body];
      for (const element of elements) objects.push({ kind: holds.kind, body: element, where });
    }
  }
  return [...objects, ...documentsIn(objects)];
}

/** Every wire object of the recordings that ship, of the bodies of earlier years, and inside them. */
export const recordedObjects: readonly RecordedObject[] = await readAll();

/** The first recorded object of a kind that fits; throws when there is none. */
export function recordedObject(
  kind: WireKind,
  fits: (body: Record<string, unknown>) => boolean = () => true,
): Record<string, unknown> {
  const found = recordedObjects.find((one) =>
    one.kind === kind && fits(one.body as Record<string, unknown>)
  );
  if (found === undefined) throw new Error(`no recorded ${kind} fits`);
  return structuredClone(found.body) as Record<string, unknown>;
}
