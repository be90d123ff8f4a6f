import { HIDDEN } from "../../errors/secrets.ts";

/**
 * Hides the secrets of URLs in a text: `user:password@`, and query parameters with a secret's name.
 */
export function redact(text: string): string {
  if (!/\/\/|[?&]/.test(text)) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${HIDDEN}@`)
    .replaceAll(SECRET_IN_QUERY, `$1${HIDDEN}`);
}

/** The query values that {@linkcode redact} hides. */
export function secretsInQuery(path: string): string[] {
  return [...path.matchAll(SECRET_IN_QUERY)].flatMap(([, , value]) => value ?? []);
}

const SECRET_IN_QUERY =
  /([?&][^=&#\s]*(?:key|token|secret|password|auth|signature|credential)[^=&#\s]*=)([^&#\s)"]+)/gi;
