/** Version of the library, as `deno.json` has it. */
export const VERSION = "0.1.0";

/** What requests name as their sender unless the caller's headers say otherwise. */
export const USER_AGENT: string = `orderlens/${VERSION}`;
