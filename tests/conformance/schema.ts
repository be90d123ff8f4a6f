/** A schema of an OpenAPI 3.0 document, as far as the order book's uses them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "object" | "array";
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** One parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: Schema;
}

/** Bodies by content type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** What an operation answers with one status; without content the document tells it in words alone. */
export interface DeclaredAnswer {
  readonly content?: Content;
}

/** One operation. */
export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DeclaredAnswer>>;
}

/** An OpenAPI 3.0 document. */
export interface Specification {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The schema that a schema refers to, or itself. */
export function resolved(schema: Schema, { components }: Specification): Schema {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  const found = components.schemas[$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`There is no ${$ref}`);
  return found;
}
