import { z } from "zod";
import { InputError } from "../errors/input_error.ts";
import { compiledDecoder } from "./compile.ts";
import { formatPath } from "./decode.ts";
import { leafOf, REFUSED } from "./leaf.ts";

type Path = readonly PropertyKey[];

class Refusal extends Error {
  constructor(readonly path: Path, readonly expected: string) {
    super(expected);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function encodeEntries(
  value: unknown,
  path: Path,
  schemaOf: (key: string) => z.core.$ZodType | undefined,
): Record<string, unknown> {
  if (!isObject(value)) throw new Refusal(path, "an object");
  const encoded: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const schema = schemaOf(key);
    encoded[key] = schema === undefined ? inner : encodeNode(schema, inner, [...path, key]);
  }
  return encoded;
}

function encodeObject(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: unknown,
  path: Path,
): unknown {
  const encoded = encodeEntries(
    value,
    path,
    (key) => Object.hasOwn(shape, key) ? shape[key] : undefined,
  );
  for (const [key, schema] of Object.entries(shape)) {
    if (schema._zod.def.type !== "optional" && !Object.hasOwn(encoded, key)) {
      throw new Refusal([...path, key], leafOf(schema)?.expected ?? "present");
    }
  }
  return encoded;
}

function encodeNode(schema: z.core.$ZodType, value: unknown, path: Path): unknown {
  const leaf = leafOf(schema);
  if (leaf !== undefined) {
    const encoded = leaf.write === undefined ? leaf.read(value) : leaf.write(value);
    if (encoded === REFUSED) throw new Refusal(path, leaf.expected);
    return encoded;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
      return encodeNode(def.innerType, value, path);
    case "nullable":
      return value === null ? null : encodeNode(def.innerType, value, path);
    case "array":
      if (!Array.isArray(value)) throw new Refusal(path, "a list");
      return value.map((one, index) => encodeNode(def.element, one, [...path, index]));
    case "record":
      return encodeEntries(value, path, () => def.valueType);
    case "object":
      return encodeObject(def.shape, value, path);
    case "union":
      return encodeUnion(def.options, value, path);
    default:
      return value;
  }
}

/** The first option whose encoding decodes again is the one the value came from. */
function encodeUnion(
  options: readonly z.core.$ZodType[],
  value: unknown,
  path: Path,
): unknown {
  let refusal: Refusal | undefined;
  for (const option of options) {
    try {
      const encoded = encodeNode(option, value, path);
      if (compiledDecoder(option)(encoded) !== REFUSED) return encoded;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (refusal === undefined || error.path.length > refusal.path.length) refusal = error;
    }
  }
  throw refusal ?? new Refusal(path, "one of the known forms");
}

/**
 * Writes a record as the wire has it: amounts as decimal digits, instants with their own number of
 * fractional digits, unknown fields as they came. Fields that are `undefined` are left out.
 *
 * @throws {InputError} If a field is missing or cannot be written; the error names its path.
 */
export function encode<T>(schema: z.ZodType<T>, record: T, what: string): unknown {
  let encoded: unknown;
  try {
    encoded = encodeNode(schema, record, []);
    const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
    if ((def.checks?.length ?? 0) > 0) {
      const result = z.safeParse(schema, encoded);
      if (!result.success) {
        const issue = result.error.issues[0]!;
        throw new Refusal(issue.path, issue.message);
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new InputError(
      `Cannot write ${what}: ${formatPath(error.path) || "it"} must be ${error.expected}`,
      {
        remedy:
          "Give the field a value of that kind; amounts are bigint, timestamps Temporal.Instant",
      },
    );
  }
  return encoded;
}
