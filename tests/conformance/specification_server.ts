import { exampleOf } from "./example_of.ts";
import { type FoundOperation, Operations } from "./operations.ts";
import type { Content, Operation, Parameter, Specification } from "./schema.ts";
import { Validator } from "./validator.ts";

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
