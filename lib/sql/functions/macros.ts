import { InputError } from "../../errors/mod.ts";
import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";

/** A function that is SQL itself: the same text for every engine. */
export interface SqlMacro {
  /** Its name. */
  readonly name: string;
  /** Names of its arguments, as they stand in `body`. */
  readonly parameters: readonly string[];
  /** What it returns, for the data dictionary. */
  readonly text: string;
  /** The expression; a window of the call goes where it has the comment `OVER`, or behind it. */
  readonly body: string;
}

const LIMB_DIGITS = 18;
const LIMBS = 5;
/** Digits that limbs hold: 2^256 has 78. */
const SUMMED_DIGITS = LIMB_DIGITS * LIMBS;
/** Digits of a sort key: a product of two amounts has 155. */
const ORDERED_DIGITS = 160;
/** Characters of a wrong value that an error shows. */
const SHOWN = 100;
const WAD = "1000000000000000000";
/** Where `OVER (…)` of a call goes in a body, if not behind it. */
const WINDOW = "/* OVER */";
/** From here on doubles are whole numbers. */
const WHOLE_FROM = "4503599627370496e0";
const TWO_TO_60 = 2n ** 60n;

/** The functions that follow from the exact ones. */
export const MACROS: readonly SqlMacro[] = [
  {
    name: "u_sum",
    parameters: ["x"],
    text: "sum of x over the rows of a group, null if every x is null; at most 90 digits each",
    body: `u_join(${Array.from({ length: LIMBS }, (_, place) => limbSum(place)).join(", ")})`,
  },
  {
    name: "u_ratio",
    parameters: ["n", "d"],
    text: "n / d as the nearest double, null if d is 0",
    body: "u_quotient('1', n, d)",
  },
  {
    name: "u_bps",
    parameters: ["n", "d"],
    text: "10,000 * n / d as the nearest double, null if d is 0",
    body: "u_quotient('10000', n, d)",
  },
  {
    name: "u_is_less",
    parameters: ["a", "b"],
    text: "whether a < b, as numbers: text compares '10' as smaller than '9'",
    body: "(u_sub(a, b) LIKE '-%')",
  },
  {
    name: "u_key",
    parameters: ["x"],
    text:
      "text that sorts as x does as a number, for ORDER BY, max_by and min_by; at most 160 digits",
    body: orderKey(),
  },
  {
    name: "u_max",
    parameters: ["x"],
    text: "largest x over the rows of a group, as numbers, null if every x is null",
    body: "max_by(x, u_key(x))",
  },
  {
    name: "u_min",
    parameters: ["x"],
    text: "smallest x over the rows of a group, as numbers, null if every x is null",
    body: "min_by(x, u_key(x))",
  },
  {
    name: "u_ns",
    parameters: ["t", "ms"],
    text: "nanoseconds since 1970 of a time as RFC 3339 text in UTC, from the text and its `_ms`",
    body: "((ms - ms % 1000) * 1000000 + CAST(rpad(CASE WHEN t LIKE '%.%' " +
      "THEN replace(split_part(t, '.', 2), 'Z', '') ELSE '0' END, 9, '0') AS BIGINT))",
  },
  {
    name: "u_wad",
    parameters: ["m"],
    text: "factorToWad: a double from 0 to 10^18 in 10^-18, as the service rounds it: half to even",
    body: `(CASE WHEN m >= 0e0 AND m <= 1e18 THEN ${wadText("(m * 1e18)")} ` +
      `WHEN m IS NOT NULL THEN CAST(${
        failing("u_wad", "double from 0 to 10^18", "CAST(m AS STRING)")
      } AS STRING) END)`,
  },
  {
    name: "u_times",
    parameters: ["x", "m", "wad"],
    text: "mulFloat: x * m as the service computes it, where wad is u_wad(m); x itself if m is 1",
    body: `(CASE WHEN m = 1e0 THEN x ELSE u_muldiv(x, wad, '${WAD}') END)`,
  },
  {
    name: "u_overflows",
    parameters: ["x", "m", "wad"],
    text: "whether x, or x * wad unless m is 1, needs more than 256 bits, so that the service " +
      "computes no fee",
    body: `(m <> 0e0 AND length(x) + length(wad) > 77 AND u_sub('${LARGEST_AMOUNT}', ` +
      `u_muldiv(x, CASE WHEN m = 1e0 OR wad = '0' THEN '1' ELSE wad END, '1')) LIKE '-%')`,
  },
];

/**
 * A double of at least 0 as a whole number, rounded half to even. Casts of larger doubles differ
 * between engines, so that they go in two parts of 60 bits.
 */
function wadText(p: string): string {
  const below = `CAST(floor(${p}) AS BIGINT)`;
  const rest = `(${p} - CAST(floor(${p}) AS DOUBLE))`;
  const rounded = `${below} + CASE WHEN ${rest} > 5e-1 OR (${rest} = 5e-1 AND ${below} % 2 = 1) ` +
    `THEN 1 ELSE 0 END`;
  const high = `CAST(floor(${p} / ${TWO_TO_60}e0) AS BIGINT)`;
  const low = `CAST(${p} - CAST(${high} AS DOUBLE) * ${TWO_TO_60}e0 AS BIGINT)`;
  return `(CASE WHEN ${p} < ${WHOLE_FROM} THEN CAST(${rounded} AS STRING) ` +
    `ELSE u_add(u_muldiv(CAST(${high} AS STRING), '${TWO_TO_60}', '1'), CAST(${low} AS STRING)) END)`;
}

/**
 * Digits with zeros in front, after a sign; those of a negative number are taken from nine, so that
 * the larger one comes first.
 */
function orderKey(): string {
  const text = "CAST(x AS STRING)";
  const digits = `lpad(replace(${text}, '-', ''), ${ORDERED_DIGITS}, '0')`;
  return `(CASE WHEN ${isNoAmount(text, ORDERED_DIGITS)} THEN CAST(${
    failing("u_key", `whole number of at most ${ORDERED_DIGITS} digits`, text)
  } AS STRING) WHEN ${text} LIKE '-%' AND translate(${text}, '-0', '') <> '' ` +
    `THEN '0' || translate(${digits}, '0123456789', '9876543210') ELSE '1' || ${digits} END)`;
}

/** Whether a text has anything but digits after a minus sign, or more of them than a number. */
function isNoAmount(text: string, digits: number): string {
  return `translate(${text}, '0123456789', '') NOT IN ('', '-') OR ${text} LIKE '_%-%' ` +
    `OR length(${text}) > ${digits} OR ${text} IN ('', '-')`;
}

/** One limb, summed; the first one refuses what the five do not hold. */
function limbSum(place: number): string {
  const text = "CAST(x AS STRING)";
  const digits = `lpad(replace(${text}, '-', ''), ${SUMMED_DIGITS}, '0')`;
  const limb = `CAST(substr(${digits}, ${place * LIMB_DIGITS + 1}, ${LIMB_DIGITS}) ` +
    `AS DECIMAL(${LIMB_DIGITS}, 0))`;
  const refused = place > 0 ? "" : `WHEN ${isNoAmount(text, SUMMED_DIGITS)} ` +
    `THEN ${failing("u_sum", `whole number of at most ${SUMMED_DIGITS} digits`, text)} `;
  return `CAST(sum(CASE ${refused}WHEN ${text} LIKE '-%' THEN -${limb} ELSE ${limb} END)` +
    `${WINDOW} AS STRING)`;
}

/** A decimal that fails the query, naming the function and the value. */
function failing(name: string, expected: string, text: string): string {
  return `CAST('${name}: not a ${expected}: ' || substr(${text}, 1, ${SHOWN}) ` +
    `AS DECIMAL(${LIMB_DIGITS}, 0))`;
}

/**
 * Replaces the functions of {@linkcode MACROS} by what they stand for, for engines that cannot hold
 * an aggregate in a function: text with the exact functions alone. Calls may stand in each
 * other, in any case of letters; quoted text, quoted names and comments stay as they are.
 *
 * @throws {InputError} If a call has another number of arguments, or does not end.
 *
 * @example
 * ```ts
 * import { expandMacros } from "orderlens/sql";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   expandMacros("SELECT U_IS_LESS(a, 'u_sum(x)') FROM t"),
 *   "SELECT (u_sub((a), ('u_sum(x)')) LIKE '-%') FROM t",
 * );
 * ```
 */
export function expandMacros(sql: string): string {
  return expandCalls(sql, MACROS);
}

/**
 * Replaces calls of `u_sum` with `OVER (…)` alone, for engines that hold an aggregate in a function,
 * but no window.
 */
export function expandWindows(sql: string): string {
  if (!/\bu_sum\b[^]*\bover\b/i.test(sql)) return sql;
  const windowed = MACROS.filter(({ body }) => body.includes(WINDOW));
  return expandCalls(sql, windowed, ({ window }) => window !== "");
}

/** Replaces calls of some macros by what they stand for. */
export function expandCalls(
  sql: string,
  macros: readonly SqlMacro[],
  isReplaced: (call: Call) => boolean = () => true,
): string {
  const starts = callsOf(macros);
  const next = (sql: string) => {
    const code = codeOf(sql);
    return code.matchAll(starts).toArray().reverse().values()
      .map((found) => callAt({ sql, code }, found, macros)).find(isReplaced);
  };
  let expanded = sql;
  for (let call = next(expanded); call !== undefined; call = next(expanded)) {
    expanded = expanded.slice(0, call.start) + bodyOf(call) + expanded.slice(call.end);
  }
  return expanded;
}

/** A body with the values of a call, and its window. */
function bodyOf({ macro: { body, parameters }, values, window }: Call): string {
  const names = new RegExp(`\\b(?:${parameters.join("|")})\\b(?!')|/\\* OVER \\*/`, "g");
  return body.replace(
    names,
    (name) => name === WINDOW ? window : `(${values[parameters.indexOf(name)] ?? ""})`,
  );
}

interface Call {
  readonly macro: SqlMacro;
  readonly start: number;
  readonly end: number;
  readonly values: readonly string[];
  /** `OVER (…)` behind it, if that goes into the body; empty otherwise. */
  readonly window: string;
}

function callsOf(macros: readonly SqlMacro[]): RegExp {
  return new RegExp(`\\b(${macros.map(({ name }) => name).join("|")})\\s*\\(`, "gi");
}

/** Quoted text, quoted names and comments; one that does not end goes to the end. */
const QUOTED = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** The same text with blanks in place of what is quoted, so that what is left is code. */
function codeOf(sql: string): string {
  return sql.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

/** A call in a text, whose arguments hold none that is to be replaced: the last one. */
function callAt(
  { sql, code }: { readonly sql: string; readonly code: string },
  found: RegExpExecArray,
  macros: readonly SqlMacro[],
): Call {
  const macro = macros.find(({ name }) => name === found[1]?.toLowerCase())!;
  const values: string[] = [];
  let from = found.index + found[0].length;
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const sign = code[at]!;
    if (depth === 0 && (sign === "," || sign === ")")) {
      values.push(`${withoutComments(sql.slice(from, at)).trim()}`);
      from = at + 1;
      if (sign === ")") {
        const window = macro.body.includes(WINDOW) ? windowAt(sql, code, from) : "";
        return checked({ macro, start: found.index, end: from + window.length, values, window });
      }
    } else if ("([".includes(sign)) depth++;
    else if (")]".includes(sign)) depth--;
  }
  throw new InputError(`Cannot run the query: ${macro.name} has no closing parenthesis`, {
    remedy: `Close it: ${usageOf(macro)}`,
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
  return sql.replace(QUOTED, (quoted) => /^(?:--|\/\*)/.test(quoted) ? " " : quoted);
}

function checked(call: Call): Call {
  const { macro, values } = call;
  if (values.length === macro.parameters.length && !values.includes("")) return call;
  const given = values.filter((value) => value !== "").length;
  throw new InputError(
    `Cannot run the query: ${macro.name} has ${given} argument${given === 1 ? "" : "s"}, not ` +
      `${macro.parameters.length}`,
    { remedy: `Call it as ${usageOf(macro)}: ${macro.text}` },
  );
}

function usageOf({ name, parameters }: SqlMacro): string {
  return `${name}(${parameters.join(", ")})`;
}
