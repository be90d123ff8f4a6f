import { type HttpRequest, jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import type { DecodeOptions } from "../../schemas/mod.ts";
import type { CallOptions } from "./call_options.ts";
import type { Purpose } from "./purpose.ts";
import { sendFor, withSignal } from "./send_for.ts";

/** A body as parsed JSON, and its source. */
export interface JsonAnswer extends Required<DecodeOptions> {
  /** The parsed body, not decoded yet. */
  readonly json: unknown;
}

/**
 * Requests JSON.
 *
 * @throws {HttpError} If the answer is not a success, or not JSON.
 */
export async function getJson(
  transport: Transport,
  { path, isImmutable, ...purpose }: Purpose & Pick<HttpRequest, "path" | "isImmutable">,
  options: CallOptions,
): Promise<JsonAnswer> {
  const request = withSignal(
    { method: "GET", path, ...(isImmutable === undefined ? {} : { isImmutable }) },
    options,
  );
  const response = await sendFor(purpose, transport, request);
  return { json: jsonOf(response, request), source: requestLine(request) };
}
