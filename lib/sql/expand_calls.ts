import { InputError } from "../errors/mod.ts";

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

/** A function on amounts, as each engine has it. */
export interface SqlFunction {
  /** Its name. */
  readonly name: string;
  /** Names of its arguments, as they stand in its bodies. */
  readonly parameters: readonly string[];
  /** What it returns, for the data dictionary. */
  readonly text: string;
  /** Its body in DuckDB by the type of its argument, where that matters. */
  readonly duckdb: string | Readonly<Record<"BIGNUM" | "VARCHAR" | "HUGEINT" | "BIGINT", string>>;
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
const EXPECTED = `a whole number of at most ${DIGITS} digits`;

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
    spark: sparkKey("x"),
  },
  {
    name: "u_compare",
    parameters: ["one", "other"],
    text: "-1 if one < other as numbers, 0 if they are equal, 1 if one > other",
    duckdb: compared(duckdbAmount("CAST(one AS VARCHAR)"), duckdbAmount("CAST(other AS VARCHAR)")),
    spark: compared(sparkKey("one"), sparkKey("other")),
  },
  {
    name: "u_format",
    parameters: ["x", "decimals"],
    text: "x / 10^decimals as decimal text with every digit, and no zeros at its end",
    duckdb: pointed(`CAST(${duckdbAmount("CAST(x AS VARCHAR)")} AS VARCHAR)`),
    spark: pointed(sparkAmount("u_format", "x")),
  },
];

/** A text as an amount in DuckDB, which reads `'1.6'` as 1 if it is not checked. */
export function duckdbAmount(text: string): string {
  return `CASE WHEN NOT regexp_matches(${text}, '[^0-9]') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN regexp_full_match(${text}, '-[0-9]+') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN ${text} IS NOT NULL THEN error('"' || ${text} || '" is not a whole number in decimal digits') END`;
}

function byType(body: (amount: string) => string) {
  const whole = body("CAST(x AS BIGNUM)");
  return { BIGNUM: body("x"), VARCHAR: body(duckdbAmount("x")), HUGEINT: whole, BIGINT: whole };
}

function compared(a: string, b: string): string {
  return `CASE WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 WHEN ${a} = ${b} THEN 0 END`;
}

/** Digits with their point, of an amount as text that is checked. */
function pointed(text: string): string {
  const digits = `replace(${text}, '-', '')`;
  const padded = `lpad(${digits}, CAST(greatest(length(${digits}), decimals + 1) AS INT), '0')`;
  const whole = `substr(${padded}, 1, length(${padded}) - decimals)`;
  const fraction = `substr(${padded}, length(${padded}) - decimals + 1)`;
  return `(CASE WHEN ${text} LIKE '-%' THEN '-' ELSE '' END || ` +
    `regexp_replace(${whole} || '.' || ${fraction}, '[.]?0*$', ''))`;
}

/** A text that is an amount, checked, in Spark. */
function sparkAmount(name: string, value: string): string {
  const text = `CAST(${value} AS STRING)`;
  return `CASE WHEN ${text} RLIKE '^-?[0-9]{1,${DIGITS}}$' THEN ${text} ` +
    `WHEN ${text} IS NOT NULL THEN raise_error('${name}: not ${EXPECTED}: ' || left(${text}, 100)) END`;
}

/** Digits with zeros in front, after a sign; those of a negative number are taken from nine. */
function sparkKey(value: string): string {
  const text = sparkAmount("u_key", value);
  const digits = `lpad(replace(${text}, '-', ''), ${DIGITS}, '0')`;
  return `(CASE WHEN ${text} LIKE '-%' AND translate(${text}, '-0', '') <> '' ` +
    `THEN '0' || translate(${digits}, '0123456789', '9876543210') ELSE '1' || ${digits} END)`;
}

/** Sums of limbs, the least first, carried into each other: sums of whole numbers alone. */
function sparkSum(): string {
  const text = "CAST(x AS STRING)";
  const limbs = Array.from({ length: LIMBS }, (_, place) => {
    const from = place === 0 ? sparkAmount("u_sum", "x") : text;
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
