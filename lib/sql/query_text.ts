import { InputError } from "../errors/mod.ts";

/** Quoted text, quoted names and comments; an unterminated one extends to the end. */
const QUOTED = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** Creates the error for a query that is not run. */
export function createQueryError(
  problem: string,
  remedy: string,
  more: { readonly facts?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
): InputError {
  return new InputError(`Cannot run the query: ${problem}`, { remedy, ...more });
}

/** Strips the semicolon and comments from the end of a query. */
export function stripQueryEnd(query: string): string {
  if (typeof query !== "string") {
    throw createQueryError(
      `it is ${query === null ? null : typeof query}, not text`,
      "Pass one SELECT as text",
    );
  }
  const masked = query.replace(
    QUOTED,
    (quoted) => (/^(?:--|\/\*)/.test(quoted) ? " " : "x").repeat(quoted.length),
  );
  const text = query.slice(0, masked.replace(/[;\s]+$/, "").length);
  if (text !== "") return text;
  throw createQueryError("it is empty", "Pass one SELECT");
}
