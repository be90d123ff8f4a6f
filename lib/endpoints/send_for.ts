import type { HttpRequest, HttpResponse, Transport } from "../http/mod.ts";
import type { CallOptions } from "./call_options.ts";
import type { Purpose } from "./purpose.ts";
import { refusalOf } from "./refusal_of.ts";

/** The request, ended by the caller's signal where there is one. */
export function withSignal(request: HttpRequest, { signal }: CallOptions): HttpRequest {
  return signal === undefined ? request : { ...request, signal };
}

/** Whether an answer is a success. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * Sends a request and gives its answer if it is a success.
 *
 * @throws {HttpError} If it is none, as {@linkcode refusalOf} says.
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
