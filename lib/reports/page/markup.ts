import { html, raw } from "hono/html";

// For rooms that put a report into a page of their own.
export { html, raw };
