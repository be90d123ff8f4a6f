import { z } from "zod";
import { DecodeError, InputError } from "../../errors/orderlens_error.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { compileDecoder, hasProtoKey, INVALID } from "./compile.ts";

/** Options of every decoder. */
export interface DecodeOptions {
  /** Source of the body (method and path, or file and line), for the error. */
  source?: string;
}

type Path = readonly PropertyKey[];

/** One fault of a body. */
interface Fault {
  readonly path: Path;
  readonly expected: string;
  /** Whether the last key of the path is invalid, and not its value. */
  readonly isKey?: boolean;
}

const MAX_FOUND_CHARACTERS = 80;

/** Number of elements of each list and map that are examined first to explain an invalid body. */
const FIRST_LIMIT = 100;

const MAX_PATH_CHARACTERS = 400;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
};

/** Writes a path as JavaScript would: `solutions[3].orders[0].sellAmount`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** A value within a body, and its path. */
interface BodyPart {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: BodyPart | undefined;
}

function findProtoKeyPath(body: unknown): Path | undefined {
  const pending: BodyPart[] = [{ value: body, key: "", parent: undefined }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { value } = part;
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return [...tracePath(part), "__proto__"];
    for (const [key, inner] of Object.entries(value)) {
      pending.push({
        value: inner,
        key: Array.isArray(value) ? Number(key) : key,
        parent: part,
      });
    }
  }
  return undefined;
}

function tracePath(start: BodyPart): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let part = start; part.parent !== undefined; part = part.parent) keys.push(part.key);
  return keys.reverse();
}

function toFault(issue: z.core.$ZodIssue, parent: Path = []): Fault {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case "custom":
      return { path, expected: issue.message };
    case "invalid_type":
      return { path, expected: TYPE_NAMES[issue.expected] ?? issue.expected };
    case "invalid_key":
      return issue.issues[0] === undefined
        ? { path, expected: issue.message }
        : { path, expected: `a field named by ${toFault(issue.issues[0]).expected}`, isKey: true };
    case "invalid_union": {
      // The deepest fault, of the form that the value comes closest to.
      const [closest] = issue.errors
        .flatMap((issues) =>
          issues[0] === undefined ? [] : [{ ...toFault(issues[0], path), count: issues.length }]
        )
        .sort((a, b) => b.path.length - a.path.length || a.count - b.count);
      return closest ?? { path, expected: issue.message };
    }
    default:
      return { path, expected: issue.message };
  }
}

/** Returns the value at a path of a body; `undefined` if the path does not exist. */
function readPath(body: unknown, path: Path): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function hasPath(body: unknown, path: Path): boolean {
  return readPath(body, path) !== undefined;
}

function describeFound(body: unknown, { path, isKey = false }: Fault): string {
  const value = isKey ? path.at(-1) : readPath(body, path);
  if (value === undefined) return "nothing";
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  text = hideSecrets(text);
  return text.length > MAX_FOUND_CHARACTERS ? `${text.slice(0, MAX_FOUND_CHARACTERS - 1)}…` : text;
}

/** Cuts the middle out of an unreasonably long path, for errors. */
function truncateMiddle(path: string): string {
  if (path.length <= MAX_PATH_CHARACTERS) return path;
  const half = MAX_PATH_CHARACTERS / 2;
  return `${path.slice(0, half)}…${path.slice(-half)}`;
}

/**
 * Parses a body with zod; returns its record or the first fault. Zod allocates a kilobyte for each
 * fault, and a hostile list can have millions: so each step examines the first elements of lists and
 * maps, ten times as many as the step before, until it finds a fault.
 */
function parseInSteps<T>(schema: z.ZodType<T>, body: unknown): { record: T } | { fault: Fault } {
  for (let limit = FIRST_LIMIT;; limit *= 10) {
    const excerpt = truncateLists(body, limit);
    const result = z.safeParse(schema, excerpt);
    if (result.success) {
      if (excerpt === body) return { record: result.data };
      continue;
    }
    const fault = toFault(result.error.issues[0]!);
    // A value that was cut off is not missing.
    if (excerpt === body || hasPath(excerpt, fault.path) || !hasPath(body, fault.path)) {
      return { fault };
    }
  }
}

/** Decodes with zod alone: this reference decoder is slow, but can explain faults. */
export function decodeWithZod<T>(
  schema: z.ZodType<T>,
  body: unknown,
  subject: string,
  options: DecodeOptions = {},
): T {
  let fault: Fault;
  if (hasProtoKey(body)) {
    fault = { path: findProtoKeyPath(body)!, expected: "absent: no field may have this name" };
  } else {
    const result = parseInSteps(schema, body);
    if ("record" in result) return result.record;
    fault = result.fault;
  }
  throw new DecodeError({
    what: subject,
    path: truncateMiddle(formatPath(fault.path)),
    expected: fault.expected,
    found: describeFound(body, fault),
    ...(options.source === undefined ? {} : { source: options.source }),
  });
}

/**
 * Decodes one parsed body: with the compiled decoder, and with zod if that rejects it.
 *
 * The body is not modified; parts that need no conversion are shared with the record.
 *
 * @throws {DecodeError} If the body does not match the schema; the error names the first fault.
 */
export function decode<T>(
  schema: z.ZodType<T>,
  body: unknown,
  subject: string,
  options: DecodeOptions = {},
): T {
  const record = compileDecoder(schema)(body);
  if (record !== INVALID) return record as T;
  return decodeWithZod(schema, body, subject, options);
}

/**
 * Decodes one parsed body, such as the result of `JSON.parse`, which is not modified.
 *
 * @throws {DecodeError} If it does not match; the error names the first fault.
 */
export type Decode<T> = (body: unknown, options?: DecodeOptions) => T;

/** Creates the decoder of a schema. */
export function toDecoder<T>(schema: z.ZodType<T>, subject: string): Decode<T> {
  return (body, options) => decode(schema, body, subject, options);
}

/** Values nested deeper are not truncated: no interface has lists that deep. */
const MAX_DEPTH = 50;

/**
 * Cuts each list and object of a body to its first `limit` elements or keys. The body is not
 * modified, and is returned itself if nothing is cut.
 */
function truncateLists(value: unknown, limit: number, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const elements = value.length > limit ? value.slice(0, limit) : value;
    const copy = elements.map((element) => truncateLists(element, limit, depth + 1));
    return copy.length === value.length && copy.every((element, index) => element === value[index])
      ? value
      : copy;
  }
  const keys = Object.keys(value);
  const entries = keys.slice(0, limit).map((key) => {
    const inner: unknown = Reflect.get(value, key);
    return { key, inner, cut: truncateLists(inner, limit, depth + 1) };
  });
  const isWhole = keys.length <= limit && entries.every(({ inner, cut }) => inner === cut);
  return isWhole ? value : Object.fromEntries(entries.map(({ key, cut }) => [key, cut]));
}

/** A value the service may send that this library does not know yet; it stays text. */
export type Unknown = string & Record<never, never>;

/** No wire format has more levels; deeper values are unknown and stay unchanged. */
const MAX_ENCODED_DEPTH = 32;

/** Drops fields that are `undefined` from lists and plain objects; everything else is unchanged. */
function omitUndefined(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === MAX_ENCODED_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => omitUndefined(inner, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, omitUndefined(inner, depth + 1)]]
    ),
  );
}

/**
 * Encodes a record in its wire format: amounts as decimal digits, instants with the fractional
 * digits they were received with, unknown fields unchanged. Fields that are `undefined` are omitted.
 *
 * @throws {InputError} If a field is missing or invalid; the error names its path.
 */
export function encode<T>(schema: z.ZodType<T>, record: T, subject: string): unknown {
  const result = z.safeEncode(schema, omitUndefined(record) as T);
  if (result.success) return result.data;
  const { path, expected } = toFault(result.error.issues[0]!);
  throw new InputError(
    `Cannot write ${subject}: ${formatPath(path) || "it"} must be ${expected}`,
    {
      remedy:
        "Set the field to a value of that kind; amounts are bigint, timestamps are Temporal.Instant",
    },
  );
}

/**
 * Encodes a record in its wire format, with unknown fields unchanged.
 *
 * @throws {InputError} If a field is missing or invalid; the error names its path.
 */
export type Encode<T> = (record: T) => unknown;

/** Creates the encoder of a schema. */
export function toEncoder<T>(schema: z.ZodType<T>, subject: string): Encode<T> {
  return (record) => encode(schema, record, subject);
}

/** Whether a text is one of the words that the library knows; narrows it to them. */
export type Guard<Word extends string> = (value: string) => value is Word;

/** Creates the guard of a list of words. */
export function toGuard<Word extends string>(words: readonly Word[]): Guard<Word> {
  const texts: readonly string[] = words;
  return (value): value is Word => texts.includes(value);
}
