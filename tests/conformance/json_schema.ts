import type { Schema } from "./schema.ts";

/** A schema as JSON Schema 2020-12 writes it. */
export type JsonSchema = Record<string, unknown>;

/**
 * A schema of an OpenAPI 3.0 document, in JSON Schema 2020-12.
 *
 * @param schema The schema.
 * @param document Id of the JSON Schema that its references point into.
 */
export function jsonSchema(schema: Schema, document: string): JsonSchema {
  const inner = (one: Schema) => jsonSchema(one, document);
  const closedInner = (one: Schema) => closed(one, document);
  const { $ref, nullable, maximum, exclusiveMaximum, ...same } = schema;
  const { allOf, anyOf, oneOf, properties, additionalProperties, items } = schema;
  const converted = withoutUndefined({
    ...same,
    $ref: $ref === undefined ? undefined : `${document}${$ref}`,
    [exclusiveMaximum === true ? "exclusiveMaximum" : "maximum"]: maximum,
    allOf: allOf?.map(inner),
    anyOf: anyOf?.map(inner),
    oneOf: oneOf?.map(inner),
    items: items === undefined ? undefined : closedInner(items),
    additionalProperties: additionalProperties === undefined
      ? undefined
      : closedInner(additionalProperties),
    properties: properties === undefined ? undefined : Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, closedInner(one)]),
    ),
  });
  return nullable === true ? { anyOf: [converted, { type: "null" }] } : converted;
}

/**
 * The same for a schema that nothing is added to: a property that it does not declare is one too
 * many, unless it declares none at all.
 */
export function closed(schema: Schema, document: string): JsonSchema {
  const { $ref, allOf, anyOf, oneOf, properties, additionalProperties } = schema;
  const isOpen = [$ref, allOf, anyOf, oneOf, properties, additionalProperties]
    .every((keyword) => keyword === undefined);
  const converted = jsonSchema(schema, document);
  return isOpen ? converted : { ...converted, unevaluatedProperties: false };
}

function withoutUndefined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
