import { HttpStatusError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { requestLine, type Transport } from "../../http/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { sendFor, withSignal } from "../call/send_for.ts";

/**
 * Gets the version of the service that a deployment runs.
 *
 * Calls `GET /api/v1/version`.
 *
 * @param transport Transport that sends the request.
 * @returns The version text of the service, such as a release tag and a commit.
 * @throws {HttpStatusError} If the answer is an HTML page instead of plain text.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getVersion } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await getVersion(await replay("market_1")), "unknown@unknown");
 * ```
 */
export async function getVersion(
  transport: Transport,
  options: CallOptions = {},
): Promise<string> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the version");
  const request = withSignal({ method: "GET", path: "/api/v1/version" }, options);
  const wanted = "get the version of the service";
  const response = await sendFor({ wanted }, transport, request);
  const { status, contentType, body } = response;
  if (!/^\s*text\/html\b/i.test(contentType ?? "") && !/^\s*</.test(body)) return body;
  throw new HttpStatusError(`Cannot ${wanted}: the answer is an HTML page, not plain text`, {
    request: requestLine(request),
    status,
    body,
    remedy: "Check that the address is an order book's, and that no proxy answers for it",
  });
}
