import type { z } from "zod";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { appData } from "./app_data.ts";
import { compileDecoder, findLeaf, INVALID, type Leaf } from "./codec/compile.ts";
import { formatPath } from "./codec/codec.ts";
import { getSentSince } from "./codec/sent_since.ts";
import { isObject, listUnreadable, readTolerantly } from "./codec/tolerant.ts";
import { requireSchema, type WireKind } from "./page.ts";

/** One parsed body and its kind of wire object. */
export interface KindedBody {
  /** Kind of wire object. */
  kind: WireKind;
  /** The parsed body. */
  body: unknown;
  /** Its source, for the sample. */
  source?: string;
  /** Time at which this body was sent, or an earlier time. @default {that of the options} */
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
   * Time at which the bodies were sent, or an earlier time: fields that responses have since then
   * are reported as missing. @default {unknown: no field is reported as missing}
   */
  sentAt?: Temporal.Instant;
}

const OPTIONS: OptionRules<DriftOptions> = {
  sentAt: defineRule("a Temporal.Instant", (time) => time instanceof Temporal.Instant),
};

interface Difference {
  readonly path: string;
  readonly value: unknown;
  readonly kind: "field" | "value" | "unreadable" | "missing";
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Reports the parts of a value that its schema does not know. */
type Check = (value: unknown, report: (difference: Difference) => void) => void;

/**
 * Builds the check of a schema at a path; `null` if nothing in it can drift, so that long lists and
 * maps of plain values are not walked.
 */
function buildCheck(schema: z.core.$ZodType, path: string): Check | null {
  const leaf = findLeaf(schema);
  if (leaf !== undefined) return buildLeafCheck(leaf, path);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable": {
      const check = buildCheck(def.innerType, path);
      return check && ((value, report) => {
        if (value !== null && value !== undefined) check(value, report);
      });
    }
    case "array": {
      const check = buildCheck(def.element, `${path}[]`);
      return check && ((value, report) => {
        if (Array.isArray(value)) value.forEach((element) => check(element, report));
      });
    }
    case "record": {
      const check = buildCheck(def.valueType, join(path, "*"));
      return check && ((value, report) => {
        if (isObject(value)) { for (const element of Object.values(value)) check(element, report); }
      });
    }
    case "union":
      return buildUnionCheck(def.options, path);
    case "object":
      return buildObjectCheck(def.shape, path);
    default:
      return null;
  }
}

function buildLeafCheck({ isKnown, inspect }: Leaf<unknown>, path: string): Check | null {
  if (inspect !== undefined) {
    return (value, report) => {
      if (typeof value === "string") {
        inspect(value).forEach((part) => report(toUnreadable(part, path)));
      }
    };
  }
  if (isKnown === undefined) return null;
  return (value, report) => {
    if (typeof value === "string" && !isKnown(value)) report({ path, value, kind: "value" });
  };
}

function toUnreadable(
  part: { readonly path: string; readonly value: unknown },
  path = "",
): Difference {
  return {
    path: part.path === "" ? path : join(path, part.path),
    value: part.value,
    kind: "unreadable",
  };
}

/** Reports the members of a document that cannot be read, which decoding omits. */
const checkDocument: Check = (value, report) => {
  const { record, omitted } = readTolerantly(appData, value);
  if (record === INVALID) return;
  listUnreadable(omitted).forEach((part) => report(toUnreadable(part)));
};

function buildUnionCheck(options: readonly z.core.$ZodType[], path: string): Check {
  const checks = options.map((option) => ({
    decode: compileDecoder(option),
    check: buildCheck(option, path),
  }));
  return (value, report) => {
    checks.find(({ decode }) => decode(value) !== INVALID)?.check?.(value, report);
  };
}

function buildObjectCheck(shape: z.core.$ZodShape, path: string): Check {
  const joinKey = (key: string) => join(path, formatPath([key]));
  const checks = new Map(
    Object.entries(shape).map(([key, schema]) => [key, buildCheck(schema, joinKey(key))]),
  );
  const datedFields = Object.entries(shape).flatMap(([key, schema]) => {
    const date = getSentSince(schema);
    return date === undefined ? [] : [{ key, date }];
  });
  return (value, report) => {
    if (!isObject(value)) return;
    for (const { key, date } of datedFields) {
      if (value[key] === undefined) report({ path: joinKey(key), value: date, kind: "missing" });
    }
    for (const key of Object.keys(value)) {
      const check = checks.get(key);
      if (check === undefined) report({ path: joinKey(key), value: value[key], kind: "field" });
      else check?.(value[key], report);
    }
  };
}

const checks = new Map<WireKind, Check | null>();

function resolveCheck(kind: WireKind): Check | null {
  const cachedCheck = checks.get(kind);
  if (cachedCheck !== undefined) return cachedCheck;
  const check = addDocumentCheck(kind, buildCheck(requireSchema(kind), ""));
  checks.set(kind, check);
  return check;
}

function addDocumentCheck(kind: WireKind, check: Check | null): Check | null {
  if (kind !== "app_data") return check;
  return (value, report) => {
    check?.(value, report);
    checkDocument(value, report);
  };
}

function formatSample(value: unknown): string {
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
  const tallies: Record<Difference["kind"], Map<string, UnknownField & { value: unknown }>> = {
    field: new Map(),
    value: new Map(),
    unreadable: new Map(),
    missing: new Map(),
  };
  let bodyCount = 0;
  for (const { kind, body, source, sentAt: time = sentAt } of bodies) {
    bodyCount++;
    resolveCheck(kind)?.(body, ({ path, value, kind: differenceKind }) => {
      if (differenceKind === "missing" && !isExpected(value as string, time)) return;
      const key = differenceKind === "value" ? `${kind} ${path} ${value}` : `${kind} ${path}`;
      const tally = tallies[differenceKind];
      const entry = tally.get(key);
      if (entry !== undefined) entry.count++;
      else {
        tally.set(key, {
          kind,
          path,
          count: 1,
          sample: formatSample(value),
          ...(source === undefined ? {} : { source }),
          value,
        });
      }
    });
  }
  const sortByCount = (kind: Difference["kind"]) =>
    [...tallies[kind].values()].sort((a, b) => b.count - a.count);
  return {
    bodies: bodyCount,
    unknownFields: sortByCount("field").map(({ value: _, ...field }) => field),
    unknownValues: sortByCount("value").map(({ value, ...field }) => ({
      ...field,
      value: `${value}`,
    })),
    unreadableMembers: sortByCount("unreadable").map(({ value: _, ...field }) => field),
    missingFields: sortByCount("missing").map(({ value, sample: _, ...field }) => ({
      ...field,
      since: `${value}`,
    })),
  };
}

/** Whether a response sent at a time should have a field that responses have since a date. */
export function isExpected(date: string, sentAt: Temporal.Instant | undefined): boolean {
  return sentAt !== undefined &&
    sentAt.epochMilliseconds >= Temporal.Instant.from(`${date}T00:00:00Z`).epochMilliseconds;
}
