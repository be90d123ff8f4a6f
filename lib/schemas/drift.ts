import type { z } from "zod";
import { compiledDecoder } from "./codec/compile.ts";
import { formatPath } from "./codec/decode.ts";
import { leafOf, REFUSED } from "./codec/leaf.ts";
import { schemaOfKind, type WireKind } from "./wire_kinds.ts";

/** One parsed body and its kind of wire object. */
export interface KindedBody {
  /** Kind of wire object. */
  kind: WireKind;
  /** The parsed body. */
  body: unknown;
  /** Its source, for the sample. */
  source?: string;
}

/** A field sent by the service that this library does not know. */
export interface UnknownField {
  /** Kind of wire object. */
  kind: WireKind;
  /** Path of the field; list indices are `[]` and map keys `*`. */
  path: string;
  /** Number of occurrences. */
  count: number;
  /** The first value seen, as JSON cut to 80 characters. */
  sample: string;
  /** Source of the sample, if known. */
  source?: string;
}

/** A value of an open set, sent by the service, that this library does not know. */
export interface UnknownValue extends UnknownField {
  /** The value. */
  value: string;
}

/** Fields and values sent by the service that this library does not know. */
export interface DriftReport {
  /** Number of bodies examined. */
  bodies: number;
  /** Unknown fields, most frequent first. */
  unknownFields: readonly UnknownField[];
  /** Unknown values, most frequent first. */
  unknownValues: readonly UnknownValue[];
}

interface Finding {
  readonly path: string;
  readonly value: unknown;
  readonly isField: boolean;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function* walk(schema: z.core.$ZodType, value: unknown, path: string): Generator<Finding> {
  const leaf = leafOf(schema);
  if (leaf !== undefined) {
    if (leaf.isKnown !== undefined && typeof value === "string" && !leaf.isKnown(value)) {
      yield { path, value, isField: false };
    }
    return;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      if (value !== null && value !== undefined) yield* walk(def.innerType, value, path);
      return;
    case "array":
      if (!Array.isArray(value)) return;
      for (const one of value) yield* walk(def.element, one, `${path}[]`);
      return;
    case "record":
      if (!isObject(value)) return;
      for (const one of Object.values(value)) yield* walk(def.valueType, one, join(path, "*"));
      return;
    case "union": {
      const option = def.options.find((one) => compiledDecoder(one)(value) !== REFUSED);
      if (option !== undefined) yield* walk(option, value, path);
      return;
    }
    case "object": {
      if (!isObject(value)) return;
      for (const [key, one] of Object.entries(value)) {
        const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
        const fieldPath = join(path, formatPath([key]));
        if (field === undefined) yield { path: fieldPath, value: one, isField: true };
        else yield* walk(field, one, fieldPath);
      }
    }
  }
}

function sampleOf(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/**
 * Reports the fields and values in bodies that this library does not know, and how often they
 * occur: what the service has added since the library was written.
 *
 * Bodies need not decode; parts that do not match their kind are skipped.
 *
 * @example An unknown field and an unknown status
 * ```ts
 * import { drift } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const report = drift([{ kind: "order_status", body: { type: "postponed", until: 7 } }]);
 *
 * assertEquals(report.unknownFields.map(({ path, count }) => [path, count]), [["until", 1]]);
 * assertEquals(report.unknownValues.map(({ path, value }) => [path, value]), [["type", "postponed"]]);
 * ```
 */
export function drift(bodies: Iterable<KindedBody>): DriftReport {
  const fields = new Map<string, UnknownField>();
  const values = new Map<string, UnknownValue>();
  let seen = 0;
  for (const { kind, body, source } of bodies) {
    seen++;
    for (const { path, value, isField } of walk(schemaOfKind(kind), body, "")) {
      const key = isField ? `${kind} ${path}` : `${kind} ${path} ${value}`;
      const known = isField ? fields.get(key) : values.get(key);
      if (known !== undefined) {
        known.count++;
        continue;
      }
      const finding: UnknownField = {
        kind,
        path,
        count: 1,
        sample: sampleOf(value),
        ...(source === undefined ? {} : { source }),
      };
      if (isField) fields.set(key, finding);
      else values.set(key, { ...finding, value: String(value) });
    }
  }
  const byCount = (a: UnknownField, b: UnknownField) => b.count - a.count;
  return {
    bodies: seen,
    unknownFields: [...fields.values()].sort(byCount),
    unknownValues: [...values.values()].sort(byCount),
  };
}
