import { resolved, type Schema, type Specification } from "./schema.ts";

/** A key for objects of which the document names no key: all of them are keyed by address. */
const SOME_ADDRESS = "0x6810e776880c02933d47db1b9fc05908e5386b96";

/**
 * A value that a schema allows: its example, its default, its first word, or else one put together
 * from the examples inside, with every property it names.
 */
export function exampleOf(reference: Schema, specification: Specification): unknown {
  const schema = resolved(reference, specification);
  const of = (inner: Schema): unknown => exampleOf(inner, specification);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return of(first);
  if (schema.allOf !== undefined) return merged(schema.allOf.map(of));
  switch (schema.type) {
    case "array":
      return schema.items === undefined ? [] : [of(schema.items)];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      return schema.format === "date-time" ? "2026-11-21T15:00:14.021729Z" : "text";
    case "object":
      return {
        ...Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, of(inner)]),
        ),
        ...(schema.additionalProperties === undefined
          ? {}
          : { [SOME_ADDRESS]: of(schema.additionalProperties) }),
      };
    default:
      return undefined;
  }
}

/** All parts of an object; of anything else the first part that says anything. */
function merged(parts: readonly unknown[]): unknown {
  const said = parts.filter((part) => part !== undefined);
  return said.every((part) => typeof part === "object" && part !== null && !Array.isArray(part))
    ? Object.assign({}, ...said)
    : said[0];
}
