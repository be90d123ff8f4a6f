import {
  type Content,
  type Operation,
  type Parameter,
  resolved,
  type Schema,
  type Specification,
} from "./schema.ts";
import { type FoundOperation, Operations } from "./exchange_check.ts";
import { Validator } from "./validator.ts";

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

/**
 * A server that knows an OpenAPI document and nothing else: it rejects with 422 what the document
 * forbids, saying what, answers 404 where the document has no path, and everything else with the
 * first success of the operation, made of the document's examples.
 */
export class SpecificationServer {
  /** Operations that were asked for with success, as `GET /api/v1/version`. */
  readonly answered: Set<string> = new Set<string>();
  readonly #specification: Specification;
  readonly #operations: Operations;
  readonly #validator: Validator;

  /** Serves `specification`. */
  constructor(specification: Specification) {
    this.#specification = specification;
    this.#operations = new Operations(specification);
    this.#validator = new Validator(specification);
  }

  /** Answers one request. */
  readonly fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const { method = "GET", body } = init ?? {};
    const { pathname, searchParams } = new URL(url);
    const found = this.#operations.find(method, pathname);
    if (found === undefined) return Promise.resolve(new Response("", { status: 404 }));
    const { route, operation } = found;
    const violations = [
      ...this.#parameterViolations(found, searchParams),
      ...this.#bodyViolations(operation, body),
    ];
    if (violations.length > 0) {
      return Promise.resolve(new Response(violations.join("\n"), { status: 422 }));
    }
    this.answered.add(route);
    return Promise.resolve(this.#success(operation));
  };

  #parameterViolations({ operation, inPath }: FoundOperation, query: URLSearchParams): string[] {
    const { parameters = [] } = operation;
    const unknown = [...query.keys()].filter((name) =>
      !parameters.some((one) => one.in === "query" && one.name === name)
    );
    return [
      ...unknown.map((name) => `${name} is no parameter`),
      ...parameters.flatMap((parameter) => {
        const text = parameter.in === "path" ? inPath[parameter.name] : query.get(parameter.name);
        return this.#textViolations(parameter, text ?? undefined);
      }),
    ];
  }

  #textViolations({ name, schema, required = false }: Parameter, text?: string): string[] {
    if (text === undefined) return required ? [`${name} is missing`] : [];
    const value = schema.type === "integer" ? Number(text) : text;
    return this.#validator.violationsOf(value, { schema, at: name });
  }

  #bodyViolations({ requestBody }: Operation, body: unknown): string[] {
    if (requestBody === undefined) return body == null ? [] : ["there must be no body"];
    const { schema = {} } = requestBody.content["application/json"] ?? {};
    const value: unknown = JSON.parse(String(body));
    return this.#validator.violationsOf(value, { schema, at: "body" });
  }

  #success({ responses }: Operation): Response {
    const [status, { content = {} }] = Object.entries(responses)
      .find(([code]) => code.startsWith("2"))!;
    const [type, text] = this.#bodyOf(content);
    const headers = type === undefined ? {} : { "content-type": type };
    return new Response(text, { status: Number(status), headers });
  }

  #bodyOf(content: Content): [type: string | undefined, text: string] {
    const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? [];
    if (type === undefined) return [type, ""];
    const example = exampleOf(schema, this.#specification);
    if (type === "text/plain") return [type, String(example)];
    const json = JSON.stringify(example);
    return [type, type === "text/event-stream" ? `data: ${json}\n\n` : json];
  }
}
