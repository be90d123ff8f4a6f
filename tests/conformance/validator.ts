import addFormats from "ajv-formats";
import type { Schema, Specification } from "./schema.ts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";

/** A schema as JSON Schema 2020-12 writes it. */
type JsonSchema = Record<string, unknown>;

/**
 * A schema of an OpenAPI 3.0 document, in JSON Schema 2020-12.
 *
 * @param schema The schema.
 * @param document Id of the JSON Schema that its references point into.
 */
function jsonSchema(schema: Schema, document: string): JsonSchema {
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
function closed(schema: Schema, document: string): JsonSchema {
  const { $ref, allOf, anyOf, oneOf, properties, additionalProperties } = schema;
  const isOpen = [$ref, allOf, anyOf, oneOf, properties, additionalProperties]
    .every((keyword) => keyword === undefined);
  const converted = jsonSchema(schema, document);
  return isOpen ? converted : { ...converted, unevaluatedProperties: false };
}

function withoutUndefined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const DOCUMENT = "openapi";

/** Checks values against the schemas of an OpenAPI document; each schema is compiled once. */
export class Validator {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<Schema, ValidateFunction>();

  /**
   * Takes the document's schemas in.
   *
   * @param options Whether they are checked themselves, which takes longer than most answers.
   */
  constructor(
    { components }: Specification,
    { validateSchema = true }: { readonly validateSchema?: boolean } = {},
  ) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema });
    addFormats.default(this.#ajv);
    const schemas = Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [
        name,
        jsonSchema(schema, DOCUMENT),
      ]),
    );
    this.#ajv.addSchema({ $id: DOCUMENT, components: { schemas } });
  }

  /**
   * What a schema forbids of a value, properties that it does not declare included; empty where the
   * value is allowed.
   */
  violationsOf(
    value: unknown,
    { schema, at }: { readonly schema: Schema; readonly at: string },
  ): string[] {
    let isAllowed = this.#compiled.get(schema);
    if (isAllowed === undefined) {
      isAllowed = this.#ajv.compile(closed(schema, DOCUMENT));
      this.#compiled.set(schema, isAllowed);
    }
    if (isAllowed(value)) return [];
    return [...new Set((isAllowed.errors ?? []).map((error) => inWords(error, at)))];
  }
}

function inWords({ instancePath, message, params }: ErrorObject, at: string): string {
  const { unevaluatedProperty, allowedValues } = params;
  const detail = unevaluatedProperty ?? allowedValues;
  const where = `${at}${instancePath.replaceAll("/", ".")}`;
  return `${where} ${message}${detail === undefined ? "" : `: ${detail}`}`;
}
