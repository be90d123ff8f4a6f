import { HIDDEN } from "../errors/secrets.ts";

/** Hides what URLs in a text would give away: `user:password@`, and secrets by name in a query. */
export function redact(text: string): string {
  if (!/\/\/|[?&]/.test(text)) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${HIDDEN}@`)
    .replaceAll(SECRET_IN_QUERY, `$1${HIDDEN}`);
}

/** The values of a query that {@linkcode redact} hides. */
export function secretsInQuery(path: string): string[] {
  return [...path.matchAll(SECRET_IN_QUERY)].flatMap(([, , value]) => value ?? []);
}

const SECRET_IN_QUERY =
  /([?&][^=&#\s]*(?:key|token|secret|password|auth|signature|credential)[^=&#\s]*=)([^&#\s)"]+)/gi;
