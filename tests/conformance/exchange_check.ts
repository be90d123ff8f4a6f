import type { Exchange } from "../../lib/recordings/request_key.ts";
import { Operations } from "./operations.ts";
import type { Specification } from "./schema.ts";
import { Validator } from "./validator.ts";

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
