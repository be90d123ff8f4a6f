import { type Route, ROUTES } from "./routes.ts";

/** The route of a request, and the variable segment of its path. */
export interface FoundRoute {
  /** The route. */
  readonly route: Route;
  /** The variable segment; empty if there is none. */
  readonly param: string;
}

/** Routes by path, fixed paths first: `orders/by_uids` is never read as a UID. */
const PATTERNS = [...Map.groupBy(ROUTES, ({ path }) => path)]
  .map(([path, routes]) => ({ segments: path.split("/"), routes }))
  .sort((a, b) => Number(a.segments.includes("*")) - Number(b.segments.includes("*")));

/**
 * Finds the route of a request; otherwise returns the methods that the path allows, none if the
 * path is unknown.
 */
export function findRoute(method: string, path: string): FoundRoute | { allow: string[] } {
  const segments = path.split("/");
  const routedMethod = method === "HEAD" ? "GET" : method;
  for (const { segments: wanted, routes } of PATTERNS) {
    const param = matchPath(segments, wanted);
    if (param === null) continue;
    const route = routes.find((one) => one.method === routedMethod);
    return route === undefined
      ? { allow: routes.flatMap(methodsOf) }
      : { route, param: decodeParam(param) };
  }
  return { allow: [] };
}

function methodsOf({ method }: Route): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The variable segment of a matching path; `null` if the path does not match. */
function matchPath(segments: readonly string[], wanted: readonly string[]): string | null {
  if (segments.length !== wanted.length) return null;
  let param = "";
  for (const [at, segment] of segments.entries()) {
    if (wanted[at] === "*" && segment !== "") param = segment;
    else if (wanted[at] !== segment) return null;
  }
  return param;
}

function decodeParam(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
