/**
 * The first part of a manifest that is not what it has to be, by its path; `null` if there is none.
 * Numbers above 2^53 - 1 and paths that lead out of the folder are none.
 */
export function manifestFault(value: unknown): string | null {
  return faultOf(value, MANIFEST, "manifest");
}

/** What a part of a manifest has to be: a test, a list of something, a record, or named fields. */
type Shape =
  | ((value: unknown) => boolean)
  | { readonly each: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

/** The first part of a value that is not of its shape, by its path; `null` if all are. */
function faultOf(value: unknown, shape: Shape, path: string): string | null {
  if (typeof shape === "function") return shape(value) ? null : `${path} is ${shown(value)}`;
  if (typeof value !== "object" || value === null) return `${path} is ${shown(value)}`;
  if ("each" in shape) return firstFault(Object.entries(value), () => shape.each, path);
  const fields = Object.entries(shape.fields);
  return firstFault(
    fields.map(([name]) => [name, Reflect.get(value, name)]),
    (name) => shape.fields[name]!,
    path,
  );
}

function firstFault(
  entries: readonly (readonly [string, unknown])[],
  shapeOf: (name: string) => Shape,
  path: string,
): string | null {
  for (const [name, value] of entries) {
    const fault = faultOf(value, shapeOf(name), `${path}.${name}`);
    if (fault !== null) return fault;
  }
  return null;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : (JSON.stringify(value) ?? String(value)).slice(0, 80);
}

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const orNull = (test: (value: unknown) => boolean) => (value: unknown) =>
  value === null || test(value);
/** A path in the folder, which leads nowhere else. */
const isPath = (value: unknown) =>
  isText(value) && /^[\w.=-]+(?:\/[\w.=-]+)+$/.test(value as string) &&
  !/(?:^|\/)\.\.?(?:\/|$)/.test(value as string);
const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1];
const isSum = (value: unknown) => isText(value) && /^[0-9a-f]{64}$/.test(value as string);
const isKey = orNull((value) =>
  Array.isArray(value) && value.every((part) => part === null || /^(?:str|num)/.test(typeof part))
);
const RANGES: Shape = { each: isRange };

const MANIFEST: Shape = {
  fields: {
    library: isText,
    source: {
      fields: {
        network: orNull(isText),
        environment: orNull(isText),
        chainId: (value) => isCount(value) && value !== 0,
        settlementContract: (value) => isText(value) && /^0x[0-9a-f]{40}$/i.test(value as string),
      },
    },
    request: { fields: { tables: { each: isText } } },
    range: orNull((value) => isCount(Object(value).from) && isCount(Object(value).to)),
    ids: {
      fields: {
        present: RANGES,
        absent: RANGES,
        hidden: RANGES,
        beforeHistory: RANGES,
        failed: RANGES,
      },
    },
    items: { each: { each: isCount } },
    isComplete: (value) => typeof value === "boolean",
    failures: { each: { fields: { kind: isText, key: isText, reason: isText } } },
    files: {
      each: {
        fields: {
          path: isPath,
          sha256: isSum,
          bytes: isCount,
          rows: isCount,
          leastKey: isKey,
          greatestKey: isKey,
        },
      },
    },
    answers: { each: isCount },
    drift: {
      fields: {
        unknownFields: { each: { fields: { count: isCount } } },
        unknownValues: { each: { fields: { count: isCount } } },
      },
    },
  },
};
