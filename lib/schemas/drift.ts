import type { z } from "zod";
import { compiledDecoder, type Leaf, leafOf, REFUSED } from "./codec/compile.ts";
import { formatPath } from "./codec/codec.ts";
import { schemaOfKind, type WireKind } from "./page.ts";

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

/** Looks for what a schema does not know in a value that matches it. */
type Check = (value: unknown, found: (finding: Finding) => void) => void;

/**
 * The check of a schema at a path; `null` if nothing of it can drift, so that long lists and maps of
 * plain values are not walked.
 */
function checkOf(schema: z.core.$ZodType, path: string): Check | null {
  const leaf = leafOf(schema);
  if (leaf !== undefined) return checkOfLeaf(leaf, path);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable": {
      const check = checkOf(def.innerType, path);
      return check && ((value, found) => {
        if (value !== null && value !== undefined) check(value, found);
      });
    }
    case "array": {
      const check = checkOf(def.element, `${path}[]`);
      return check && ((value, found) => {
        if (Array.isArray(value)) { for (const one of value) check(one, found); }
      });
    }
    case "record": {
      const check = checkOf(def.valueType, join(path, "*"));
      return check && ((value, found) => {
        if (isObject(value)) { for (const one of Object.values(value)) check(one, found); }
      });
    }
    case "union":
      return checkOfUnion(def.options, path);
    case "object":
      return checkOfObject(def.shape, path);
    default:
      return null;
  }
}

function checkOfLeaf({ isKnown }: Leaf<unknown>, path: string): Check | null {
  if (isKnown === undefined) return null;
  return (value, found) => {
    if (typeof value === "string" && !isKnown(value)) found({ path, value, isField: false });
  };
}

function checkOfUnion(options: readonly z.core.$ZodType[], path: string): Check {
  const checks = options.map((option) => ({
    decode: compiledDecoder(option),
    check: checkOf(option, path),
  }));
  return (value, found) => {
    checks.find(({ decode }) => decode(value) !== REFUSED)?.check?.(value, found);
  };
}

function checkOfObject(shape: z.core.$ZodShape, path: string): Check {
  const pathOf = (key: string) => join(path, formatPath([key]));
  const checks = new Map(
    Object.entries(shape).map(([key, schema]) => [key, checkOf(schema, pathOf(key))]),
  );
  return (value, found) => {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      const check = checks.get(key);
      if (check === undefined) found({ path: pathOf(key), value: value[key], isField: true });
      else check?.(value[key], found);
    }
  };
}

const checks = new Map<WireKind, Check | null>();

function checkOfKind(kind: WireKind): Check | null {
  const known = checks.get(kind);
  if (known !== undefined) return known;
  const check = checkOf(schemaOfKind(kind), "");
  checks.set(kind, check);
  return check;
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
    checkOfKind(kind)?.(body, ({ path, value, isField }) => {
      const key = isField ? `${kind} ${path}` : `${kind} ${path} ${value}`;
      const known = isField ? fields.get(key) : values.get(key);
      if (known !== undefined) {
        known.count++;
        return;
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
    });
  }
  const byCount = (a: UnknownField, b: UnknownField) => b.count - a.count;
  return {
    bodies: seen,
    unknownFields: [...fields.values()].sort(byCount),
    unknownValues: [...values.values()].sort(byCount),
  };
}
