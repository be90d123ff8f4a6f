import { html, raw } from "hono/html";

export { html, raw };

/** Markup in which every text is escaped. */
export type Markup = ReturnType<typeof html>;
