import { DecodeError } from "../errors/mod.ts";
import type { HttpResponse } from "../http/mod.ts";
import { decodeErrorBody, type ServiceErrorBody } from "../schemas/mod.ts";

/** A backtrace of the service, which some of its descriptions end in; `n` is how newlines are written. */
const BACKTRACE = /\s*Stack backtrace:[\s\S]*$/;
const ESCAPED_BACKTRACE = /(?:\\n)*Stack backtrace:(?:[^"\\]|\\.)*/;

/**
 * The service's own explanation of a refusal, or `undefined` where the body is none: empty, plain
 * text, HTML, or the JSON of something before the service.
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

/** A body without the service's backtrace, which helps nobody outside. */
export function withoutBacktrace(body: string): string {
  return body.replace(ESCAPED_BACKTRACE, "");
}
