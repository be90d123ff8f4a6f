import { DecodeError } from "../../errors/mod.ts";
import type { HttpResponse } from "../../http/mod.ts";
import { decodeErrorBody, type ServiceErrorBody } from "../../schemas/mod.ts";

/** A backtrace at the end of some of the service's descriptions; `n` stands for a newline. */
const BACKTRACE = /\s*Stack backtrace:[\s\S]*$/;
const ESCAPED_BACKTRACE = /(?:\\n)*Stack backtrace:(?:[^"\\]|\\.)*/;

/**
 * The service's own explanation of a rejection, or `undefined` if the body is none: empty, plain
 * text, HTML, or the JSON of a proxy.
 */
export function explanationOf({ body }: HttpResponse): ServiceErrorBody | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const explained = decodeErrorBody(JSON.parse(body));
    if (typeof explained === "string") return undefined;
    return { ...explained, description: explained.description.replace(BACKTRACE, "") };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** A body without the service's backtrace, which is of no use to a client. */
export function withoutBacktrace(body: string): string {
  return body.replace(ESCAPED_BACKTRACE, "");
}
