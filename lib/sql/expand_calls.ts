import { InputError } from "../errors/mod.ts";

/**
 * Replaces calls of the functions on amounts by what they stand for on Spark, which cannot hold an
 * aggregate in a function. Calls may stand in each other, in any case of letters; quoted text, quoted
 * names and comments stay as they are.
 *
 * @throws {InputError} If a call has another number of arguments, or does not end.
 */
export function expandForSpark(sql: string): string {
  return expandCalls(sql, ({ spark }) => spark);
}

/** Replaces `u_sum` with `OVER (…)` alone by the sum of DuckDB, whose macros take no window. */
export function expandWindows(sql: string): string {
  if (!/\bu_sum\b[^]*\bover\b/i.test(sql)) return sql;
  return expandCalls(sql, (_, window) => window && `sum(u_key(x))${WINDOW}`);
}

/**
 * Replaces calls, the last one first: its arguments hold none.
 *
 * @param bodyOf The body of a function, by `OVER (…)` behind the call; empty if the call stays.
 */
function expandCalls(sql: string, bodyOf: (called: SqlFunction, window: string) => string): string {
  const names = FUNCTIONS.map(({ name }) => name).join("|");
  const code = codeOf(sql);
  for (const found of [...code.matchAll(new RegExp(`\\b(${names})\\s*\\(`, "gi"))].reverse()) {
    const called = FUNCTIONS.find(({ name }) => name === found[1]?.toLowerCase())!;
    const [values, end] = argumentsAt(sql, code, found.index + found[0].length, called);
    const window = called.name === "u_sum" ? windowAt(sql, code, end) : "";
    const body = bodyOf(called, window);
    if (body === "") continue;
    const parts: Readonly<Record<string, string>> = {
      ...Object.fromEntries(called.parameters.map((name, at) => [name, `(${values[at]})`])),
      [WINDOW]: window,
    };
    const expanded = body.replace(/\b(?:x|decimals)\b|\/\* OVER \*\//g, (place) => parts[place]!);
    const rest = sql.slice(end + window.length);
    return expandCalls(sql.slice(0, found.index) + expanded + rest, bodyOf);
  }
  return sql;
}

/** Quoted text, quoted names and comments; one that does not end goes to the end. */
const QUOTED = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** The same text with blanks in place of what is quoted, so that what is left is code. */
function codeOf(sql: string): string {
  return sql.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

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
  const marked = query.replace(QUOTED, (one) => (isComment(one) ? " " : "x").repeat(one.length));
  const text = query.slice(0, marked.replace(/[;\s]+$/, "").length);
  if (text !== "") return text;
  throw refusedQuery("it is empty", "Pass one SELECT");
}

function isComment(quoted: string): boolean {
  return /^(?:--|\/\*)/.test(quoted);
}

/** The arguments of a call from a place on, and where the call ends. */
function argumentsAt(
  sql: string,
  code: string,
  from: number,
  { name, parameters, text }: SqlFunction,
): [values: readonly string[], end: number] {
  const usage = `${name}(${parameters.join(", ")})`;
  const ends = endsOf(code, from);
  if (ends === null) throw refusedQuery(`${name} has no closing parenthesis`, `Close it: ${usage}`);
  const values = ends.map((end, place) =>
    sql.slice(place === 0 ? from : ends[place - 1]! + 1, end)
      // A line of comment would also hide what comes behind the argument.
      .replace(QUOTED, (quoted) => isComment(quoted) ? " " : quoted).trim()
  );
  const given = values.filter((value) => value !== "").length;
  if (given === parameters.length && values.length === given) return [values, ends.at(-1)! + 1];
  const found = `${given} argument${given === 1 ? "" : "s"}, not ${parameters.length}`;
  throw refusedQuery(`${name} has ${found}`, `Call it as ${usage}: ${text}`);
}

/** Places of the commas between arguments, and of the parenthesis behind them; `null` without one. */
function endsOf(code: string, from: number): number[] | null {
  const ends: number[] = [];
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const sign = code[at]!;
    if (depth === 0 && ",)".includes(sign)) ends.push(at);
    if ("([".includes(sign)) depth++;
    if (")]".includes(sign) && --depth < 0) return ends;
  }
  return null;
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
  const end = endsOf(code, code.indexOf("(", from) + 1)?.at(-1);
  return end === undefined ? "" : sql.slice(at, end + 1);
}

/** A function on amounts, as each engine has it. */
export interface SqlFunction {
  /** Its name. */
  readonly name: string;
  /** Its arguments: an amount `x`, and `decimals`. */
  readonly parameters: readonly ("x" | "decimals")[];
  /** What it returns of them, for the data dictionary. */
  readonly text: string;
  /** Its body in DuckDB, by the type of `x`; for one of any type, the type is empty. */
  readonly duckdb: Readonly<Record<string, string>>;
  /** Its body in Spark; a window of the call goes where it has the comment `OVER`. */
  readonly spark: string;
}

/** The type of an exact amount on Spark: text that no other text is, so that a plan shows where it is. */
export const AMOUNT_COLLATION = "UTF8_BINARY_RTRIM";
/** Where `OVER (…)` of a call goes in a body, if not behind it. */
const WINDOW = "/* OVER */";

/** Digits of a limb: sums of nine billion of them fit into 64 bits. */
const LIMB_DIGITS = 9;
const LIMBS = 10;
/** Digits of an amount: 2^256 has 78. */
const DIGITS = LIMB_DIGITS * LIMBS;

/** The functions that queries may call in either engine. */
export const FUNCTIONS: readonly SqlFunction[] = [
  {
    name: "u_sum",
    parameters: ["x"],
    text: "exact sum of x over the rows of a group, null if every x is null",
    duckdb: byType((amount) => `sum(${amount})`),
    spark: sparkSum(),
  },
  {
    name: "u_key",
    parameters: ["x"],
    text: "what sorts as x does as a number, for ORDER BY, max_by and min_by",
    duckdb: byType((amount) => amount),
    spark: sparkKey(),
  },
  {
    name: "u_format",
    parameters: ["x", "decimals"],
    text: "x / 10^decimals as decimal text with every digit, and no zeros at its end",
    duckdb: { "": pointed(`CAST(${duckdbAmount("CAST(x AS VARCHAR)")} AS VARCHAR)`) },
    spark: pointed(sparkAmount("u_format")),
  },
];

/** A text as an amount in DuckDB, which reads `'1.6'` as 1 if it is not checked. */
export function duckdbAmount(text: string): string {
  return `CASE WHEN NOT regexp_matches(${text}, '[^0-9]') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN regexp_full_match(${text}, '-[0-9]+') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN ${text} IS NOT NULL THEN error('"' || ${text} || '" is not a whole number in decimal digits') END`;
}

function byType(body: (amount: string) => string): SqlFunction["duckdb"] {
  const whole = body("CAST(x AS BIGNUM)");
  return { BIGNUM: body("x"), VARCHAR: body(duckdbAmount("x")), HUGEINT: whole, BIGINT: whole };
}

/** Digits with their point, of an amount as text that is checked. */
function pointed(text: string): string {
  const digits = `replace(${text}, '-', '')`;
  const padded = `lpad(${digits}, CAST(greatest(length(${digits}), decimals + 1) AS INT), '0')`;
  const point = `length(${padded}) - decimals`;
  const parts = `substr(${padded}, 1, ${point}) || '.' || substr(${padded}, ${point} + 1)`;
  return `(CASE WHEN ${text} LIKE '-%' THEN '-' ELSE '' END || ` +
    `regexp_replace(${parts}, '[.]?0*$', ''))`;
}

/** A text that is an amount, checked, in Spark. */
function sparkAmount(name: string): string {
  const text = "CAST(x AS STRING)";
  return `CASE WHEN ${text} RLIKE '^-?[0-9]{1,${DIGITS}}$' THEN ${text} ` +
    `WHEN ${text} IS NOT NULL THEN raise_error('${name}: not a whole number of at most ${DIGITS} digits: ' || left(${text}, 100)) END`;
}

/** Digits with zeros in front, after a sign; those of a negative number are taken from nine. */
function sparkKey(): string {
  const text = sparkAmount("u_key");
  const digits = `lpad(replace(${text}, '-', ''), ${DIGITS}, '0')`;
  return `(CASE WHEN ${text} LIKE '-%' AND translate(${text}, '-0', '') <> '' ` +
    `THEN '0' || translate(${digits}, '0123456789', '9876543210') ELSE '1' || ${digits} END)`;
}

/** Sums of limbs, the least first, carried into each other: sums of whole numbers alone. */
function sparkSum(): string {
  const text = "CAST(x AS STRING)";
  const limbs = Array.from({ length: LIMBS }, (_, place) => {
    const from = place === 0 ? sparkAmount("u_sum") : text;
    const limb = `substr(replace(${from}, '-', ''), -${LIMB_DIGITS * (place + 1)}, ${LIMB_DIGITS})`;
    return `sum(CASE WHEN ${text} LIKE '-%' THEN -1 ELSE 1 END * CAST('0' || ${limb} AS BIGINT))${WINDOW}`;
  });
  const base = 10 ** LIMB_DIGITS;
  const carried = "f.c + v";
  const folded = (limbs: string, end: string) =>
    `aggregate(${limbs}, named_struct('c', CAST(0 AS BIGINT), 'd', ''), (f, v) -> named_struct(` +
    `'c', (${carried} - pmod(${carried}, ${base})) div ${base}, ` +
    `'d', lpad(CAST(pmod(${carried}, ${base}) AS STRING), ${LIMB_DIGITS}, '0') || f.d), f -> ${end})`;
  const digits = "regexp_replace(CAST(f.c AS STRING) || f.d, '^0+(?=[0-9])', '')";
  return `collate(transform(array(array(${limbs.join(", ")})), t -> CASE ` +
    `WHEN ${folded("t", "f.c < 0")} THEN '-' || ${folded("transform(t, v -> -v)", digits)} ` +
    `ELSE ${folded("t", digits)} END)[0], '${AMOUNT_COLLATION}')`;
}
