import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import type { CallOptions } from "./call_options.ts";
import type { Purpose } from "./purpose.ts";
import { refusalOf } from "./refusal_of.ts";

/** The request with the caller's signal, if any. */
export function withSignal(request: HttpRequest, { signal }: CallOptions): HttpRequest {
  return signal === undefined ? request : { ...request, signal };
}

/** Whether an answer is successful. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * Sends a request and returns its answer if it is successful.
 *
 * @throws {HttpError} Otherwise; see {@linkcode refusalOf}.
 */
export async function sendFor(
  purpose: Purpose,
  transport: Transport,
  request: HttpRequest,
): Promise<HttpResponse> {
  const response = await transport.send(request);
  if (isSuccess(response)) return response;
  throw refusalOf(response, request, purpose);
}
