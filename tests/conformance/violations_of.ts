import { resolved, type Schema, type Specification } from "./schema.ts";

const IS_OF_TYPE: Readonly<Record<NonNullable<Schema["type"]>, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/**
 * What a schema forbids of a value; empty where it is allowed.
 *
 * Of `oneOf` any one will do: the document's alternatives are texts, or objects without required
 * properties, which cannot be told from each other.
 */
export function violationsOf(
  value: unknown,
  reference: Schema,
  { specification, at }: { readonly specification: Specification; readonly at: string },
): string[] {
  const schema = resolved(reference, specification);
  const inner = (one: unknown, of: Schema, where: string): string[] =>
    violationsOf(one, of, { specification, at: where });
  if (value === null && schema.nullable === true) return [];
  if (schema.type !== undefined && !IS_OF_TYPE[schema.type](value)) {
    return [`${at} must be of type ${schema.type}`];
  }
  const violations = (schema.allOf ?? []).flatMap((part) => inner(value, part, at));
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    violations.push(`${at} must be one of ${schema.enum.join(", ")}`);
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined && !choices.some((choice) => inner(value, choice, at).length === 0)) {
    violations.push(`${at} must be one of ${choices.length} alternatives`);
  }
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMaximum = false } = schema;
    if (value < minimum || value > maximum || (exclusiveMaximum && value === maximum)) {
      violations.push(`${at} must be from ${minimum} to ${maximum}`);
    }
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return [...violations, ...value.flatMap((one, index) => inner(one, items, `${at}[${index}]`))];
  }
  if (typeof value !== "object" || value === null) return violations;
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) violations.push(`${at}.${name} is missing`);
  }
  for (const [name, one] of Object.entries(value)) {
    const declared = schema.properties?.[name] ?? schema.additionalProperties;
    if (declared !== undefined) violations.push(...inner(one, declared, `${at}.${name}`));
  }
  return violations;
}
