import { NotRecordedError } from "../errors/mod.ts";
import type { HttpRequest } from "../http/mod.ts";
import { pathKey, routeOf } from "./request_key.ts";
import { type KeyedExchange, otherSpelling, type Tape } from "./tape.ts";

const variable = /(0x[0-9a-f]+|(?<=\/)\d+$)/;
const nearestShown = 3;
const routesShown = 12;

/** Creates the error for a request that was not recorded, with similar recorded requests. */
export function notRecorded(
  tape: Tape,
  request: HttpRequest,
  context: { readonly recording: string; readonly near?: Readonly<Record<string, string>> },
): NotRecordedError {
  const { method, path, body } = request;
  const key = pathKey(path);
  const other = otherSpelling(key);
  const wanted = other === undefined || onRoute(tape, method, key).length > 0 ? key : other;
  const recorded = onRoute(tape, method, wanted);
  const count = recorded.length === 0 ? "none" : recorded.length;
  return new NotRecordedError(`Cannot replay ${method} ${path}: it was never recorded`, {
    facts: {
      recording: context.recording,
      ...(body === undefined || body === "" ? {} : { body: truncated(body, 120) }),
      route: `${method} ${routeOf(wanted)}, ${count} recorded`,
      ...(context.near ??
        (recorded.length === 0
          ? { "recorded routes": routesOf(tape) }
          : method === "GET"
          ? nearestNames(wanted, recorded)
          : nearestBody(body, recorded))),
    },
    isRouteRecorded: recorded.length > 0,
    remedy:
      "Request only what the replay's `recorded` lists, or record this request with `record(transport, folder)` and replay that folder",
  });
}

function onRoute(tape: Tape, method: string, key: string): KeyedExchange[] {
  const route = routeOf(key);
  return tape.keyed.filter((each) =>
    each.exchange.method === method && routeOf(each.key) === route
  );
}

function nearestNames(
  wanted: string,
  sameRoute: readonly KeyedExchange[],
): Record<string, string> {
  const keys = [...new Set(sameRoute.map(({ key }) => key))];
  const nearest = nearestKeys(keys, wanted).map((key) => shortName(key, wanted));
  return { nearest: nearest.join(", ") };
}

/** The nearest keys: by number if the key ends in one, otherwise by the longest common prefix. */
function nearestKeys(keys: readonly string[], wanted: string): string[] {
  const number = numberOf(wanted);
  const distance = number === undefined
    ? (key: string) => -commonLength(key, wanted)
    : (key: string) => Math.abs((numberOf(key) ?? Infinity) - number);
  return keys
    .map((key) => ({ key, distance: distance(key) }))
    .sort((a, b) => a.distance - b.distance || byText(a.key, b.key))
    .slice(0, nearestShown)
    .map(({ key }) => key)
    .sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0) || byText(a, b));
}

function nearestBody(
  body: string | undefined,
  sameRoute: readonly KeyedExchange[],
): Record<string, string> {
  const wanted = fieldsOf(body);
  const best = sameRoute
    .map(({ exchange }) => differingFields(wanted, fieldsOf(exchange.requestBody)))
    .filter((fields) => fields.length > 0)
    .sort((a, b) => a.length - b.length)[0];
  return best === undefined ? {} : { nearest: `a body that differs in ${best.join(", ")}` };
}

function fieldsOf(body: string | undefined): Map<string, string> {
  try {
    const value: unknown = JSON.parse(body ?? "");
    if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value).map(([key, field]) => [key, JSON.stringify(field)]));
  } catch {
    return new Map();
  }
}

function differingFields(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

function routesOf(tape: Tape): string {
  const counts = countRoutes(tape).entries().toArray().sort((a, b) => b[1] - a[1]);
  const shown = counts.slice(0, routesShown).map(([route, count]) => `${route} (${count})`);
  const more = counts.length - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** Number of exchanges per route, such as `GET /api/v1/orders/{uid}`. */
export function countRoutes(tape: Tape): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, exchange } of tape.keyed) {
    const route = `${exchange.method} ${routeOf(key)}`;
    counts.set(route, (counts.get(route) ?? 0) + 1);
  }
  return counts;
}

/** The part in which a key differs from the wanted one, if there is just one such part. */
function shortName(key: string, wanted: string): string {
  const parts = key.split(variable);
  const wantedParts = wanted.split(variable);
  const different = parts.filter((part, at) => part !== wantedParts[at]);
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : key;
}

function numberOf(key: string): number | undefined {
  const digits = /\/(\d+)$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function truncated(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
