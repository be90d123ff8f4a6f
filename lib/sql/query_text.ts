import { InputError } from "../errors/mod.ts";

/** Quoted text, quoted names and comments; one that does not end goes to the end. */
const QUOTED = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** The error for a query that is not run. */
export function refusedQuery(
  what: string,
  remedy: string,
  more: { readonly facts?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
): InputError {
  return new InputError(`Cannot run the query: ${what}`, { remedy, ...more });
}

/** A query without the semicolon and comments at its end. */
export function withoutEnd(query: string): string {
  if (typeof query !== "string") {
    throw refusedQuery(`it is ${query === null ? null : typeof query}`, "Pass one SELECT as text");
  }
  const marked = query.replace(
    QUOTED,
    (quoted) => (/^(?:--|\/\*)/.test(quoted) ? " " : "x").repeat(quoted.length),
  );
  const text = query.slice(0, marked.replace(/[;\s]+$/, "").length);
  if (text !== "") return text;
  throw refusedQuery("it is empty", "Pass one SELECT");
}
