import type { HttpRequest, HttpResponse, Transport } from "../http/mod.ts";
import type { CallOptions } from "./call_options.ts";
import { explanationOf } from "./explanation_of.ts";
import { withSignal } from "./send_for.ts";

/** A route that the live service and the interface document spell differently. */
export interface TwiceSpelled {
  /** What the choice is remembered under. */
  readonly route: "debug" | "transactionOrders";
  /** The live service's path, tried first. */
  readonly service: string;
  /** The interface document's path. */
  readonly document: string;
}

type Spelling = "service" | "document";

const chosen = new WeakMap<Transport, Map<TwiceSpelled["route"], Spelling>>();

/**
 * Sends a GET to a route with two spellings.
 *
 * The service's path comes first; where it answers 404 for the *route* (without the service's own
 * explanation), the document's is tried once. What a deployment knows is remembered with its
 * transport, so later calls send one request.
 *
 * @returns The answer with the request it belongs to, and whether neither path is known.
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
