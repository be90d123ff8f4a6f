import type { z } from "zod";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { appData } from "./app_data.ts";
import { compiledDecoder, type Leaf, leafOf, REFUSED } from "./codec/compile.ts";
import { formatPath } from "./codec/codec.ts";
import { sentSinceDate } from "./codec/sent_since.ts";
import { readTolerantly, unreadableAmong } from "./codec/tolerant.ts";
import { schemaOfKind, type WireKind } from "./page.ts";

/** One parsed body and its kind of wire object. */
export interface KindedBody {
  /** Kind of wire object. */
  kind: WireKind;
  /** The parsed body. */
  body: unknown;
  /** Its source, for the sample. */
  source?: string;
  /** When this body was sent, or a time before. @default {that of the options} */
  sentAt?: Temporal.Instant;
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

/** A field that responses have since a date, and that a later one lacks. */
export interface MissingField extends Omit<UnknownField, "sample"> {
  /** First day on which responses are known to have it, such as `2026-03-04`. */
  since: string;
}

/** A difference between what the service sends and what this library knows, in either direction. */
export interface DriftReport {
  /** Number of bodies examined. */
  bodies: number;
  /** Unknown fields, most frequent first. */
  unknownFields: readonly UnknownField[];
  /** Unknown values, most frequent first. */
  unknownValues: readonly UnknownValue[];
  /** Optional members of app data documents that have none of their valid forms. */
  unreadableMembers: readonly UnknownField[];
  /** Fields that bodies lack though they were sent when the service has them. */
  missingFields: readonly MissingField[];
}

/** Options of {@linkcode drift}. */
export interface DriftOptions {
  /**
   * When the bodies were sent, or a time before: fields that responses have since then are missed.
   * @default {unknown: no field is missed}
   */
  sentAt?: Temporal.Instant;
}

const OPTIONS: OptionRules<DriftOptions> = {
  sentAt: defineRule("a Temporal.Instant", (time) => time instanceof Temporal.Instant),
};

interface Finding {
  readonly path: string;
  readonly value: unknown;
  readonly kind: "field" | "value" | "unreadable" | "missing";
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

function checkOfLeaf({ isKnown, inspect }: Leaf<unknown>, path: string): Check | null {
  if (inspect !== undefined) {
    return (value, found) => {
      if (typeof value === "string") {
        inspect(value).forEach((part) => found(unreadable(part, path)));
      }
    };
  }
  if (isKnown === undefined) return null;
  return (value, found) => {
    if (typeof value === "string" && !isKnown(value)) found({ path, value, kind: "value" });
  };
}

function unreadable(part: { readonly path: string; readonly value: unknown }, path = ""): Finding {
  return {
    path: part.path === "" ? path : join(path, part.path),
    value: part.value,
    kind: "unreadable",
  };
}

/** Members of a document that cannot be read, which decoding leaves out. */
const checkDocument: Check = (value, found) => {
  const { record, omitted } = readTolerantly(appData, value);
  if (record === REFUSED) return;
  unreadableAmong(omitted).forEach((part) => found(unreadable(part)));
};

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
  const expected = Object.entries(shape).flatMap(([key, schema]) => {
    const since = sentSinceDate(schema);
    return since === undefined ? [] : [{ key, since }];
  });
  return (value, found) => {
    if (!isObject(value)) return;
    for (const { key, since } of expected) {
      if (value[key] === undefined) found({ path: pathOf(key), value: since, kind: "missing" });
    }
    for (const key of Object.keys(value)) {
      const check = checks.get(key);
      if (check === undefined) found({ path: pathOf(key), value: value[key], kind: "field" });
      else check?.(value[key], found);
    }
  };
}

const checks = new Map<WireKind, Check | null>();

function checkOfKind(kind: WireKind): Check | null {
  const known = checks.get(kind);
  if (known !== undefined) return known;
  const check = withDocument(kind, checkOf(schemaOfKind(kind), ""));
  checks.set(kind, check);
  return check;
}

function withDocument(kind: WireKind, check: Check | null): Check | null {
  if (kind !== "app_data") return check;
  return (value, found) => {
    check?.(value, found);
    checkDocument(value, found);
  };
}

function sampleOf(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/**
 * Reports how bodies differ from what this library knows, and how often: fields and values that the
 * service has added since the library was written, members of app data documents that cannot be
 * read, and, with `sentAt`, fields that the service no longer sends.
 *
 * Bodies need not decode; parts that do not match their kind are skipped.
 *
 * @throws {InputError} If there is no such kind of body.
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
 *
 * @example A field that has disappeared
 * ```ts
 * import { drift } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const trades = [{ kind: "trade" as const, body: { blockNumber: 1, logIndex: 2 } }];
 * const missingOn = (date: string) =>
 *   drift(trades, { sentAt: Temporal.Instant.from(date) }).missingFields.map(({ path }) => path);
 *
 * assertEquals(missingOn("2026-11-21T15:00:00Z"), ["executedProtocolFees"]);
 * assertEquals(missingOn("2023-11-21T15:00:00Z"), []);
 * ```
 */
export function drift(bodies: Iterable<KindedBody>, options: DriftOptions = {}): DriftReport {
  checkOptions(options, OPTIONS, "Cannot look for drift");
  const { sentAt } = options;
  const tallies: Record<Finding["kind"], Map<string, UnknownField & { value: unknown }>> = {
    field: new Map(),
    value: new Map(),
    unreadable: new Map(),
    missing: new Map(),
  };
  let seen = 0;
  for (const { kind, body, source, sentAt: time = sentAt } of bodies) {
    seen++;
    checkOfKind(kind)?.(body, ({ path, value, kind: findingKind }) => {
      if (findingKind === "missing" && !isExpected(value as string, time)) return;
      const key = findingKind === "value" ? `${kind} ${path} ${value}` : `${kind} ${path}`;
      const tally = tallies[findingKind];
      const known = tally.get(key);
      if (known !== undefined) known.count++;
      else {
        tally.set(key, {
          kind,
          path,
          count: 1,
          sample: sampleOf(value),
          ...(source === undefined ? {} : { source }),
          value,
        });
      }
    });
  }
  const listed = (kind: Finding["kind"]) =>
    [...tallies[kind].values()].sort((a, b) => b.count - a.count);
  return {
    bodies: seen,
    unknownFields: listed("field").map(({ value: _, ...field }) => field),
    unknownValues: listed("value").map(({ value, ...field }) => ({ ...field, value: `${value}` })),
    unreadableMembers: listed("unreadable").map(({ value: _, ...field }) => field),
    missingFields: listed("missing").map(({ value, sample: _, ...field }) => ({
      ...field,
      since: `${value}`,
    })),
  };
}

/** Whether a response of some time has a field that responses have since a date. */
export function isExpected(since: string, sentAt: Temporal.Instant | undefined): boolean {
  return sentAt !== undefined &&
    sentAt.epochMilliseconds >= Temporal.Instant.from(`${since}T00:00:00Z`).epochMilliseconds;
}
