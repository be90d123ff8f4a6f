import { exampleOf } from "./example_of.ts";
import type { Content, Operation, Parameter, Specification } from "./schema.ts";
import { violationsOf } from "./violations_of.ts";

interface Match {
  readonly operation: Operation;
  readonly inPath: Readonly<Record<string, string>>;
}

/**
 * A server that knows an OpenAPI document and nothing else: it refuses with 422 what the document
 * forbids, saying what, answers 404 where the document has no path, and everything else with the
 * first success of the operation, made of the document's examples.
 */
export class SpecificationServer {
  /** Ids of the operations that were asked for with success. */
  readonly answered: Set<string> = new Set<string>();
  readonly #specification: Specification;

  /** Serves `specification`. */
  constructor(specification: Specification) {
    this.#specification = specification;
  }

  /** Answers one request. */
  readonly fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const { method = "GET", body } = init ?? {};
    const { pathname, searchParams } = new URL(url);
    const match = this.#match(method, pathname);
    if (match === undefined) return Promise.resolve(new Response("", { status: 404 }));
    const violations = [
      ...this.#parameterViolations(match, searchParams),
      ...this.#bodyViolations(match.operation, body),
    ];
    if (violations.length > 0) {
      return Promise.resolve(new Response(violations.join("\n"), { status: 422 }));
    }
    this.answered.add(match.operation.operationId);
    return Promise.resolve(this.#success(match.operation));
  };

  /** The operation at a path; a path without parameters goes before one with. */
  #match(method: string, pathname: string): Match | undefined {
    const matches: Match[] = [];
    for (const [template, operations] of Object.entries(this.#specification.paths)) {
      const operation = operations[method.toLowerCase()];
      const found = pathOf(template).exec(pathname);
      if (operation === undefined || found === null) continue;
      matches.push({ operation, inPath: { ...found.groups } });
    }
    return matches.toSorted((a, b) =>
      Object.keys(a.inPath).length - Object.keys(b.inPath).length
    )[0];
  }

  #parameterViolations({ operation, inPath }: Match, query: URLSearchParams): string[] {
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
    return violationsOf(value, schema, { specification: this.#specification, at: name });
  }

  #bodyViolations({ requestBody }: Operation, body: unknown): string[] {
    if (requestBody === undefined) return body == null ? [] : ["there must be no body"];
    const { schema = {} } = requestBody.content["application/json"] ?? {};
    const value: unknown = JSON.parse(String(body));
    return violationsOf(value, schema, { specification: this.#specification, at: "body" });
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

/** Paths of a template, `/orders/{UID}` and the like, with its parameters as groups. */
function pathOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
