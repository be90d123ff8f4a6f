import { type Route, ROUTES } from "./routes.ts";

/** A route that fits a request, and the variable part of its path. */
export interface FoundRoute {
  /** The route. */
  readonly route: Route;
  /** The variable part; empty where there is none. */
  readonly param: string;
}

interface Pattern {
  readonly segments: readonly string[];
  readonly route: Route;
}

const PATTERNS: readonly Pattern[] = ROUTES
  .map((route) => ({ segments: route.path.split("/"), route }))
  // Fixed paths first: `orders/by_uids` is no UID.
  .sort((a, b) => Number(a.route.path.includes("*")) - Number(b.route.path.includes("*")));

/**
 * The route of a request; or the methods that its path does have, none where there is no such path.
 */
export function findRoute(method: string, path: string): FoundRoute | { allow: string[] } {
  const segments = path.split("/");
  const allow = new Set<string>();
  const asked = method === "HEAD" ? "GET" : method;
  for (const { segments: wanted, route } of PATTERNS) {
    const param = matched(segments, wanted);
    if (param === null) continue;
    if (route.method === asked) return { route, param: decoded(param) };
    allow.add(route.method);
    if (route.method === "GET") allow.add("HEAD");
  }
  return { allow: [...allow] };
}

/** The variable part of a path that fits; `null` where it does not. */
function matched(segments: readonly string[], wanted: readonly string[]): string | null {
  if (segments.length !== wanted.length) return null;
  let param = "";
  for (const [at, segment] of segments.entries()) {
    if (wanted[at] === "*") param = segment;
    else if (wanted[at] !== segment) return null;
    if (wanted[at] === "*" && segment === "") return null;
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
