import { type Route, ROUTES } from "./routes.ts";

/** A route that fits a request, and the variable part of its path. */
export interface FoundRoute {
  /** The route. */
  readonly route: Route;
  /** The variable part; empty where there is none. */
  readonly param: string;
}

/** Routes by their path, fixed paths first: `orders/by_uids` is no UID, whatever the method. */
const PATTERNS = [...Map.groupBy(ROUTES, ({ path }) => path)]
  .map(([path, routes]) => ({ segments: path.split("/"), routes }))
  .sort((a, b) => Number(a.segments.includes("*")) - Number(b.segments.includes("*")));

/**
 * The route of a request; or the methods that its path does have, none where there is no such path.
 */
export function findRoute(method: string, path: string): FoundRoute | { allow: string[] } {
  const segments = path.split("/");
  const asked = method === "HEAD" ? "GET" : method;
  for (const { segments: wanted, routes } of PATTERNS) {
    const param = matched(segments, wanted);
    if (param === null) continue;
    const route = routes.find((one) => one.method === asked);
    return route === undefined
      ? { allow: routes.flatMap(methodsOf) }
      : { route, param: decoded(param) };
  }
  return { allow: [] };
}

function methodsOf({ method }: Route): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The variable part of a path that fits; `null` where it does not. */
function matched(segments: readonly string[], wanted: readonly string[]): string | null {
  if (segments.length !== wanted.length) return null;
  let param = "";
  for (const [at, segment] of segments.entries()) {
    if (wanted[at] === "*" && segment !== "") param = segment;
    else if (wanted[at] !== segment) return null;
  }
  return param;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
