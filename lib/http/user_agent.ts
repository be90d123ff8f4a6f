/** Version of the library, as `deno.json` has it. */
export const VERSION = "0.1.0";

/** What requests name as their sender unless the caller's headers say otherwise. */
export const USER_AGENT: string = `orderlens/${VERSION}`;

/**
 * Whether requests may name a sender of their own. A browser names itself, and a page that names
 * another needs the consent of the service, which gives none.
 */
export function mayNameSender(): boolean {
  return typeof Deno !== "undefined" || typeof process !== "undefined";
}
