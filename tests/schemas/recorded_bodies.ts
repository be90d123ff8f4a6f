import type { WireKind } from "orderlens/schemas";
import { readRecordedBodies } from "../../tools/conformance/recorded_bodies.ts";

/** One recorded wire object. */
export interface RecordedObject {
  /** Which wire object. */
  kind: WireKind;
  /** The parsed body. */
  body: unknown;
  /** Where it stands. */
  where: string;
}

/**
 * Every wire object of the recordings that ship and of the bodies of earlier years, as they are read,
 * and the app data documents inside orders, each once.
 */
export async function* recordedObjects(): AsyncGenerator<RecordedObject> {
  const documents = new Set<string>();
  for (const folder of ["../../data/recorded", "../testdata/schemas"]) {
    for await (const found of readRecordedBodies(new URL(folder, import.meta.url).pathname)) {
      if (!("holds" in found)) continue;
      const { holds: { kind, isList }, body, where } = found;
      for (const element of isList ? body as unknown[] : [body]) {
        yield { kind, body: element, where };
        if (kind !== "order") continue;
        const { fullAppData } = Object(element);
        if (typeof fullAppData !== "string" || documents.has(fullAppData)) continue;
        documents.add(fullAppData);
        yield { kind: "app_data", body: JSON.parse(fullAppData), where };
      }
    }
  }
}

/** The first recorded object of a kind that fits; reads no recording after it. */
export async function recordedObject(
  kind: WireKind,
  fits: (body: Record<string, unknown>) => boolean = () => true,
): Promise<Record<string, unknown>> {
  for await (const { kind: own, body } of recordedObjects()) {
    if (own === kind && fits(body as Record<string, unknown>)) {
      return body as Record<string, unknown>;
    }
  }
  throw new Error(`no recorded ${kind} fits`);
}
