import { hideSecrets } from "../../errors/secrets.ts";
import { redact } from "./redact.ts";
import type { HttpRequest } from "./transport.ts";

/**
 * A request as errors and logs show it: method and path, without query values that look like
 * secrets, and without the secrets passed to a transport.
 *
 * @example
 * ```ts
 * import { requestLine } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const path = "/api/v2/trades?limit=5&api_key=0123456789";
 *
 * assertEquals(requestLine({ method: "GET", path }), "GET /api/v2/trades?limit=5&api_key=[hidden]");
 * ```
 */
export function requestLine(request: Pick<HttpRequest, "method" | "path">): string {
  return `${request.method} ${hideSecrets(redact(request.path))}`;
}
