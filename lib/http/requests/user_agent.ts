/** Version of the library, as in `deno.json`. */
export const VERSION = "0.1.0";

/** Default `user-agent` of requests; the caller's headers may replace it. */
export const USER_AGENT: string = `orderlens/${VERSION}`;

/**
 * Whether requests may set `user-agent`. A browser sends its own, and CORS of the service does not
 * allow a page to set another.
 */
export function mayNameSender(): boolean {
  return typeof Deno !== "undefined" || typeof process !== "undefined";
}
