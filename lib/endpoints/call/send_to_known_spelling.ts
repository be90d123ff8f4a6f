import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import type { CallOptions } from "./call_options.ts";
import { explanationOf } from "./explanation_of.ts";
import { withSignal } from "./send_for.ts";

/** A route with different paths in the live service and in the API specification. */
export interface TwiceSpelled {
  /** Key under which the choice is remembered. */
  readonly route: "debug" | "transactionOrders";
  /** Path of the live service, tried first. */
  readonly service: string;
  /** Path in the API specification. */
  readonly document: string;
}

type Spelling = "service" | "document";

const chosen = new WeakMap<Transport, Map<TwiceSpelled["route"], Spelling>>();

/**
 * Sends a GET to a route with two paths.
 *
 * The service's path comes first; if the *route* answers 404 (without the service's own
 * explanation), the specification's path is tried once. The choice is remembered per transport, so
 * later calls send one request.
 *
 * @returns The answer with the request it belongs to, and whether neither path exists.
 */
export async function sendToKnownSpelling(
  transport: Transport,
  paths: TwiceSpelled,
  options: CallOptions,
): Promise<{ response: HttpResponse; request: HttpRequest; isRouteUnknown: boolean }> {
  const choices = chosen.get(transport) ?? new Map<TwiceSpelled["route"], Spelling>();
  const first = choices.get(paths.route) ?? "service";
  const second = first === "service" ? "document" : "service";
  let last: { response: HttpResponse; request: HttpRequest } | undefined;
  for (const spelling of [first, second] as const) {
    const request = withSignal({ method: "GET", path: paths[spelling] }, options);
    const response = await transport.send(request);
    last ??= { response, request };
    if (isRouteUnknown(response)) continue;
    choices.set(paths.route, spelling);
    chosen.set(transport, choices);
    return { response, request, isRouteUnknown: false };
  }
  return { ...last!, isRouteUnknown: true };
}

function isRouteUnknown(response: HttpResponse): boolean {
  return response.status === 404 && explanationOf(response) === undefined;
}
