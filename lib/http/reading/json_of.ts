import { HttpStatusError } from "../../errors/mod.ts";
import { requestLine } from "../requests/request_line.ts";
import type { HttpRequest, HttpResponse } from "../requests/transport.ts";

/** Content types of JSON: `application/json` and types that end in `+json`. */
const JSON_TYPE = /^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses an answer's body as JSON.
 *
 * A body with another content type is rejected even if it parses, since a proxy's error page may
 * parse too; a body without a content type is accepted.
 *
 * @param response An answer of any status.
 * @param request The request that it answers; used in errors only.
 * @throws {HttpStatusError} If the content type is not JSON, or the text is not.
 * @example
 * ```ts
 * import { HttpStatusError } from "orderlens";
 * import { jsonOf } from "orderlens/http";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const headers = new Headers();
 * const request = { method: "GET", path: "/api/v1/orders/0x00" } as const;
 * const page = { status: 200, contentType: "text/html", headers, body: "<html>" };
 *
 * assertEquals(jsonOf({ ...page, contentType: "application/json", body: "[1]" }, request), [1]);
 * assertThrows(() => jsonOf(page, request), HttpStatusError, "text/html instead of JSON");
 * ```
 */
export function jsonOf(
  response: HttpResponse,
  request: Pick<HttpRequest, "method" | "path">,
): unknown {
  const { contentType, body } = response;
  if (contentType !== null && !JSON_TYPE.test(contentType.trim())) {
    throw notJson(response, request, { fault: `is ${contentType} instead of JSON` });
  }
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw notJson(response, request, { fault: "is not JSON", cause });
  }
}

function notJson(
  { status, body }: HttpResponse,
  request: Pick<HttpRequest, "method" | "path">,
  { fault, cause }: { fault: string; cause?: unknown },
): HttpStatusError {
  const line = requestLine(request);
  return new HttpStatusError(`Cannot read the answer to ${line}: it ${fault}`, {
    request: line,
    status,
    body,
    remedy: "Check that the address is an order book's, and that no proxy answers for it",
    cause,
  });
}
