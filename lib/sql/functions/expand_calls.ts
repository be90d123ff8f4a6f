import { InputError } from "../../errors/mod.ts";
import { duckdbAmount, FUNCTIONS, type SqlFunction, WINDOW } from "./functions.ts";

/**
 * Replaces calls of the functions on amounts by what they stand for on Spark, which cannot hold an
 * aggregate in a function. Calls may stand in each other, in any case of letters; quoted text, quoted
 * names and comments stay as they are.
 *
 * @throws {InputError} If a call has another number of arguments, or does not end.
 */
export function expandForSpark(sql: string): string {
  return expandCalls(sql, FUNCTIONS, ({ spark }) => spark);
}

/** Replaces `u_sum` with `OVER (…)` alone by the sum of DuckDB, whose macros take no window. */
export function expandWindows(sql: string): string {
  if (!/\bu_sum\b[^]*\bover\b/i.test(sql)) return sql;
  const windowed = FUNCTIONS.filter(({ name }) => name === "u_sum");
  return expandCalls(
    sql,
    windowed,
    () => `sum(${duckdbAmount("CAST(x AS VARCHAR)")})${WINDOW}`,
    ({ window }) => window !== "",
  );
}

interface Call {
  readonly called: SqlFunction;
  readonly start: number;
  readonly end: number;
  readonly values: readonly string[];
  /** `OVER (…)` behind it, if that goes into the body; empty otherwise. */
  readonly window: string;
}

function expandCalls(
  sql: string,
  functions: readonly SqlFunction[],
  bodyOf: (called: SqlFunction) => string,
  isReplaced: (call: Call) => boolean = () => true,
): string {
  const starts = new RegExp(`\\b(${functions.map(({ name }) => name).join("|")})\\s*\\(`, "gi");
  const next = (sql: string) => {
    const code = codeOf(sql);
    return code.matchAll(starts).toArray().reverse().values()
      .map((found) => callAt({ sql, code }, found, functions)).find(isReplaced);
  };
  let expanded = sql;
  for (let call = next(expanded); call !== undefined; call = next(expanded)) {
    const { called: { parameters }, values, window, start, end } = call;
    const names = new RegExp(`\\b(?:${parameters.join("|")})\\b(?!')|/\\* OVER \\*/`, "g");
    const body = bodyOf(call.called).replace(
      names,
      (name) => name === WINDOW ? window : `(${values[parameters.indexOf(name)] ?? ""})`,
    );
    expanded = expanded.slice(0, start) + body + expanded.slice(end);
  }
  return expanded;
}

/** Quoted text, quoted names and comments; one that does not end goes to the end. */
const QUOTED = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** The same text with blanks in place of what is quoted, so that what is left is code. */
function codeOf(sql: string): string {
  return sql.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

/** A query without the semicolon and comments at its end. */
export function withoutEnd(query: string): string {
  const marked = query.replace(QUOTED, (one) => (isComment(one) ? " " : "x").repeat(one.length));
  const text = query.slice(0, marked.replace(/[;\s]+$/, "").length);
  if (text !== "") return text;
  throw new InputError("Cannot run the query: it is empty", { remedy: "Pass one SELECT" });
}

function isComment(quoted: string): boolean {
  return /^(?:--|\/\*)/.test(quoted);
}

/** A call in a text, whose arguments hold none that is to be replaced: the last one. */
function callAt(
  { sql, code }: { readonly sql: string; readonly code: string },
  found: RegExpExecArray,
  functions: readonly SqlFunction[],
): Call {
  const called = functions.find(({ name }) => name === found[1]?.toLowerCase())!;
  const values: string[] = [];
  let from = found.index + found[0].length;
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const sign = code[at]!;
    if (depth === 0 && (sign === "," || sign === ")")) {
      values.push(withoutComments(sql.slice(from, at)).trim());
      from = at + 1;
      if (sign === ")") {
        const window = called.name === "u_sum" ? windowAt(sql, code, from) : "";
        return checked({ called, start: found.index, end: from + window.length, values, window });
      }
    } else if ("([".includes(sign)) depth++;
    else if (")]".includes(sign)) depth--;
  }
  throw new InputError(`Cannot run the query: ${called.name} has no closing parenthesis`, {
    remedy: `Close it: ${usageOf(called)}`,
  });
}

/** A name, after blanks and comments. */
const NAME = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:\w+|"[^"]*")/;

/** `OVER (…)` or `OVER name` at a place; empty if there is none. */
function windowAt(sql: string, code: string, at: number): string {
  const [over] = /^\s*over\b/i.exec(code.slice(at)) ?? [];
  if (over === undefined) return "";
  const from = at + over.length;
  const [name] = NAME.exec(sql.slice(from)) ?? [];
  if (name !== undefined) return sql.slice(at, from + name.length);
  let depth = 0;
  for (let place = from; place < code.length; place++) {
    if (code[place] === "(") depth++;
    if (code[place] === ")" && --depth === 0) return sql.slice(at, place + 1);
  }
  return "";
}

/** A line of comment would also hide what comes behind the argument. */
function withoutComments(sql: string): string {
  return sql.replace(QUOTED, (quoted) => isComment(quoted) ? " " : quoted);
}

function checked(call: Call): Call {
  const { called, values } = call;
  if (values.length === called.parameters.length && !values.includes("")) return call;
  const given = values.filter((value) => value !== "").length;
  throw new InputError(
    `Cannot run the query: ${called.name} has ${given} argument${given === 1 ? "" : "s"}, not ` +
      `${called.parameters.length}`,
    { remedy: `Call it as ${usageOf(called)}: ${called.text}` },
  );
}

function usageOf({ name, parameters }: SqlFunction): string {
  return `${name}(${parameters.join(", ")})`;
}
