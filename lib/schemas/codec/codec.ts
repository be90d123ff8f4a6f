import { z } from "zod";
import { DecodeError, InputError } from "../../errors/orderlens_error.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { compiledDecoder, hasProtoKey, REFUSED } from "./compile.ts";

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
}

const FOUND_CHARACTERS = 80;

/** So many elements of each list and map are looked at first for what is wrong with a body. */
const FIRST_ELEMENTS = 100;

const PATH_CHARACTERS = 400;

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
interface Visited {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Visited | undefined;
}

function protoKeyPath(body: unknown): Path | undefined {
  const pending: Visited[] = [{ value: body, key: "", parent: undefined }];
  for (let visited = pending.pop(); visited !== undefined; visited = pending.pop()) {
    const { value } = visited;
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return [...pathTo(visited), "__proto__"];
    for (const [key, inner] of Object.entries(value)) {
      pending.push({
        value: inner,
        key: Array.isArray(value) ? Number(key) : key,
        parent: visited,
      });
    }
  }
  return undefined;
}

function pathTo(visited: Visited): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = visited; at.parent !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

function faultOf(issue: z.core.$ZodIssue, parent: Path = []): Fault {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case "custom":
      return { path, expected: issue.message };
    case "invalid_type":
      return { path, expected: TYPE_NAMES[issue.expected] ?? issue.expected };
    case "invalid_key":
    case "invalid_element":
      return issue.issues[0] === undefined
        ? { path, expected: issue.message }
        : { path, expected: `under ${faultOf(issue.issues[0]).expected}` };
    case "invalid_union": {
      // The deepest fault, of the form that the value comes closest to.
      const [closest] = issue.errors
        .flatMap((issues) =>
          issues[0] === undefined ? [] : [{ ...faultOf(issues[0], path), count: issues.length }]
        )
        .sort((a, b) => b.path.length - a.path.length || a.count - b.count);
      return closest ?? { path, expected: issue.message };
    }
    default:
      return { path, expected: issue.message };
  }
}

/** The value at a path of a body; `undefined` if there is none. */
function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function isIn(body: unknown, path: Path): boolean {
  return valueAt(body, path) !== undefined;
}

function describe(body: unknown, path: Path): string {
  const value = valueAt(body, path);
  if (value === undefined) return "nothing";
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  text = hideSecrets(text);
  return text.length > FOUND_CHARACTERS ? `${text.slice(0, FOUND_CHARACTERS - 1)}…` : text;
}

/** A path as errors show it: only the ends of an unreasonably long one. */
function withoutMiddle(path: string): string {
  if (path.length <= PATH_CHARACTERS) return path;
  const half = PATH_CHARACTERS / 2;
  return `${path.slice(0, half)}…${path.slice(-half)}`;
}

/**
 * What zod says of a body: its record, or the first fault. Zod keeps a kilobyte for each fault, and a
 * hostile list can have millions: so lists and maps are looked at from their beginning, ten times as
 * far while no fault is found.
 */
function parsed<T>(schema: z.ZodType<T>, body: unknown): { record: T } | { fault: Fault } {
  for (let most = FIRST_ELEMENTS;; most *= 10) {
    const seen = shortened(body, most);
    const result = z.safeParse(schema, seen);
    if (result.success) {
      if (seen === body) return { record: result.data };
      continue;
    }
    const fault = faultOf(result.error.issues[0]!);
    // What was left out is not missing.
    if (seen === body || isIn(seen, fault.path) || !isIn(body, fault.path)) return { fault };
  }
}

/** Decodes with zod alone: the reference decoder, slow, but able to explain faults. */
export function decodeWithZod<T>(
  schema: z.ZodType<T>,
  body: unknown,
  what: string,
  options: DecodeOptions = {},
): T {
  let fault: Fault;
  if (hasProtoKey(body)) {
    fault = { path: protoKeyPath(body)!, expected: "absent: no field may have this name" };
  } else {
    const result = parsed(schema, body);
    if ("record" in result) return result.record;
    fault = result.fault;
  }
  throw new DecodeError({
    what,
    path: withoutMiddle(formatPath(fault.path)),
    expected: fault.expected,
    found: describe(body, fault.path),
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
  what: string,
  options: DecodeOptions = {},
): T {
  const decoded = compiledDecoder(schema)(body);
  if (decoded !== REFUSED) return decoded as T;
  return decodeWithZod(schema, body, what, options);
}

/**
 * Decodes one parsed body, such as the result of `JSON.parse`, which is not modified.
 *
 * @throws {DecodeError} If it does not match; the error names the first fault.
 */
export type Decode<T> = (body: unknown, options?: DecodeOptions) => T;

/** The decoder of a schema. */
export function decoderOf<T>(schema: z.ZodType<T>, what: string): Decode<T> {
  return (body, options) => decode(schema, body, what, options);
}

/** Values nested deeper are left as they are: no interface has lists that deep. */
const DEEPEST = 50;

/**
 * A body in which no list has more than so many elements, and no object more keys: their first
 * ones. The body itself is not changed, and is returned if nothing is left out.
 */
function shortened(body: unknown, most: number): unknown {
  return shortenedAt(body, most, 0);
}

function shortenedAt(value: unknown, most: number, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) {
    const kept = value.length > most ? value.slice(0, most) : value;
    const copy = kept.map((element) => shortenedAt(element, most, depth + 1));
    return copy.length === value.length && copy.every((element, at) => element === value[at])
      ? value
      : copy;
  }
  const keys = Object.keys(value);
  const entries = keys.slice(0, most).map((key) => {
    const inner: unknown = Reflect.get(value, key);
    return { key, inner, shorter: shortenedAt(inner, most, depth + 1) };
  });
  const isWhole = keys.length <= most && entries.every(({ inner, shorter }) => inner === shorter);
  return isWhole ? value : Object.fromEntries(entries.map(({ key, shorter }) => [key, shorter]));
}

/** A value the service may send that this library does not know yet; it stays text. */
export type Unknown = string & Record<never, never>;

/** No wire format has more levels; deeper values are unknown, and stay unchanged. */
const DEEPEST_ENCODED = 32;

/** Lists and plain objects without the fields that are `undefined`; everything else unchanged. */
function withoutUndefined(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST_ENCODED) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutUndefined(inner, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, withoutUndefined(inner, depth + 1)]]
    ),
  );
}

/**
 * Encodes a record in its wire format: amounts as decimal digits, instants with their own number of
 * fractional digits, unknown fields unchanged. Fields that are `undefined` are omitted.
 *
 * @throws {InputError} If a field is missing or invalid; the error names its path.
 */
export function encode<T>(schema: z.ZodType<T>, record: T, what: string): unknown {
  const result = z.safeEncode(schema, withoutUndefined(record) as T);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new InputError(
    `Cannot write ${what}: ${formatPath(issue?.path ?? []) || "it"} must be ${issue?.message}`,
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

/** The encoder of a schema. */
export function encoderOf<T>(schema: z.ZodType<T>, what: string): Encode<T> {
  return (record) => encode(schema, record, what);
}

/** Whether a text is one of the words that the library knows; narrows it to them. */
export type Guard<Word extends string> = (value: string) => value is Word;

/** The guard of some words. */
export function guardOf<Word extends string>(words: readonly Word[]): Guard<Word> {
  const known: readonly string[] = words;
  return (value): value is Word => known.includes(value);
}
