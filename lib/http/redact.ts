/** What stands in a text where a secret was. */
export const HIDDEN = "[hidden]";

/** Hides what URLs in a text would give away: `user:password@`, and secrets by name in a query. */
export function redact(text: string): string {
  if (!/\/\/|[?&]/.test(text)) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${HIDDEN}@`)
    .replaceAll(
      /([?&][^=&#\s]*(?:key|token|secret|password|auth|signature|credential)[^=&#\s]*=)[^&#\s)"]+/gi,
      `$1${HIDDEN}`,
    );
}
