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

/** A change to a document. */
export interface Amendment {
  /** Places that change, each the keys on the way to it with points between them. */
  readonly at: readonly string[];
  /** What stands there afterwards, of what did before: an empty schema where nothing did. */
  readonly becomes: (said: Schema) => object;
}

/** A document with amendments made, one after the other; the document itself stays as it is. */
export function amended(
  document: Specification,
  amendments: readonly Amendment[],
): Specification {
  const copy = structuredClone(document);
  for (const { at, becomes } of amendments) {
    for (const place of at) change(copy, place.split("."), becomes);
  }
  return copy;
}

/** Changes what stands at a place; what is missing on the way is made. */
function change(root: object, keys: readonly string[], becomes: Amendment["becomes"]): void {
  let node = root as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) {
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  const last = keys.at(-1)!;
  node[last] = becomes(node[last] ?? {});
}

/** An object that says why a request is rejected. */
export function rejectedWith(...errorTypes: string[]): Schema {
  return {
    type: "object",
    properties: {
      errorType: { type: "string", enum: errorTypes },
      description: { type: "string" },
    },
    required: ["errorType", "description"],
  };
}

/** A response with a JSON body. */
export function bodyOf(schema: Schema): DeclaredAnswer {
  return { content: { "application/json": { schema } } };
}

/** What a document declares that operations answer. */
interface DeclaredAnswers {
  /** `GET /api/v1/version 200 text/plain`; without a content type if it is described in prose only. */
  readonly kinds: readonly string[];
  /** `POST /api/v1/quote NoLiquidity`. */
  readonly errors: readonly string[];
}

/** Lists all that a document declares, each once. */
export function declaredAnswers(specification: Specification): DeclaredAnswers {
  const kinds = new Set<string>();
  const errors = new Set<string>();
  for (const [path, methods] of Object.entries(specification.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`;
      for (const [status, { content }] of Object.entries(responses)) {
        if (content === undefined) kinds.add(`${route} ${status}`);
        for (const [type, { schema = {} }] of Object.entries(content ?? {})) {
          kinds.add(`${route} ${status} ${type}`);
          for (const error of errorTypesOf(schema, specification)) errors.add(`${route} ${error}`);
        }
      }
    }
  }
  return { kinds: [...kinds], errors: [...errors] };
}

function errorTypesOf(reference: Schema, specification: Specification): unknown[] {
  const { anyOf = [], properties } = resolved(reference, specification);
  return [
    ...properties?.errorType?.enum ?? [],
    ...anyOf.flatMap((schema) => errorTypesOf(schema, specification)),
  ];
}
