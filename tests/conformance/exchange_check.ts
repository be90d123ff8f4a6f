import type { Operation, Specification } from "./schema.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { Validator } from "./validator.ts";

/** An operation that a request asks for. */
export interface FoundOperation {
  /** Its method and its path, as `GET /api/v1/orders/{UID}`. */
  readonly route: string;
  /** What the document says of it. */
  readonly operation: Operation;
  /** Parameters that stand in the path, by name. */
  readonly inPath: Readonly<Record<string, string>>;
}

interface Template {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
}

/** The operations of a document, by method and path. */
export class Operations {
  readonly #templates: readonly Template[];

  /** Reads the paths; one without parameters goes before one with. */
  constructor({ paths }: Specification) {
    this.#templates = Object.entries(paths)
      .map(([path, methods]) => ({ path, pattern: patternOf(path), methods }))
      .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
  }

  /** Every operation, its method and its path. */
  get routes(): string[] {
    return this.#templates.flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    );
  }

  /** The operation at a path; `undefined` where the document has none. */
  find(method: string, pathname: string): FoundOperation | undefined {
    for (const { path, pattern, methods } of this.#templates) {
      const operation = methods[method.toLowerCase()];
      const found = pattern.exec(pathname);
      if (operation === undefined || found === null) continue;
      return { route: `${method} ${path}`, operation, inPath: { ...found.groups } };
    }
  }
}

/** Paths of a template, `/orders/{UID}` and the like, with its parameters as groups. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

/** Stands for a content type where an answer has no body. */
export const NOTHING = "nothing";

/** Checks requests and answers against an OpenAPI document. */
export class ExchangeCheck {
  readonly #operations: Operations;
  readonly #validator: Validator;

  /** Checks against `specification`. */
  constructor(specification: Specification, options?: ConstructorParameters<typeof Validator>[1]) {
    this.#operations = new Operations(specification);
    this.#validator = new Validator(specification, options);
  }

  /** What an exchange asks for, method and path template; `undefined` where the document has no such operation. */
  routeOf({ method, path }: Exchange): string | undefined {
    return this.#operations.find(method, pathnameOf(path))?.route;
  }

  /**
   * What the document forbids of an answer: its operation, its status, its content type, its body.
   *
   * A status of which the document says in words alone what it means is answered with words or
   * nothing. What is no operation of the document is answered with 404 or 405 and nothing.
   */
  answerViolations({ method, path, status, contentType, responseBody }: Exchange): string[] {
    const found = this.#operations.find(method, pathnameOf(path));
    if (found === undefined) {
      const isRefused = responseBody === "" && (status === 404 || status === 405);
      return isRefused || method === "OPTIONS" ? [] : [`${method} ${path} is no operation`];
    }
    const at = `${found.route} ${status}`;
    const answer = found.operation.responses[status];
    if (answer === undefined) return [`${at} is no answer`];
    const { content = { "text/plain": {}, [NOTHING]: {} } } = answer;
    const type = typeOf(contentType);
    const body = content[type];
    if (body === undefined) return [`${at} is not answered as ${type}`];
    return valuesIn(responseBody, type).flatMap((value) =>
      this.#validator.violationsOf(value, { schema: body.schema ?? {}, at })
    );
  }

  /** What the document forbids of a request's body. */
  requestViolations({ method, path, requestBody = "" }: Exchange): string[] {
    const asked = this.#operations.find(method, pathnameOf(path))?.operation.requestBody;
    const schema = asked?.content["application/json"]?.schema;
    if (schema === undefined) return [`${method} ${path} takes no body`];
    return this.#validator.violationsOf(JSON.parse(requestBody), { schema, at: "body" });
  }
}

/** Content type without its parameters. */
export function typeOf(contentType: string | null): string {
  return contentType?.split(";")[0] ?? NOTHING;
}

function pathnameOf(path: string): string {
  return path.split("?")[0]!;
}

/** The values that a body holds: one, or one an event. */
function valuesIn(body: string, type: string): unknown[] {
  if (type === "application/json") return [JSON.parse(body)];
  if (type !== "text/event-stream") return [body];
  return body.split("\n").filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice("data:".length)));
}
