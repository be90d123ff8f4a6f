import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { closed, jsonSchema } from "./json_schema.ts";
import type { Schema, Specification } from "./schema.ts";

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
