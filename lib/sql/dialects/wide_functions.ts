import { MACROS, type SqlMacro } from "../functions/macros.ts";

/** How an engine writes what the exact functions need. */
export interface WideEngine {
  /** Its widest unsigned whole number. */
  readonly type: string;
  /** Digits of which all numbers, and twice as much, fit into `type`. */
  readonly digits: number;
  /** Division that rounds down, of numbers that are not negative. */
  readonly divide: string;
  /** The function that tells whether a text matches a pattern. */
  readonly matches: string;
  /** Number of parts of a text between commas. */
  readonly parts: (text: string) => string;
  /** An expression of the text `v`, which is computed once, and null if it is null. */
  readonly bind: (text: string, expression: string) => string;
}

/**
 * Dune: `UINT256` has 77 whole digits. What it does beyond them is documented nowhere, so that
 * nothing here ever gets there.
 */
export const DUNE: WideEngine = {
  type: "UINT256",
  digits: 76,
  divide: "/",
  matches: "regexp_like",
  parts: (text) => `cardinality(split(${text}, ','))`,
  // A list of one text: no semicolon is left to split it at.
  bind: (text, expression) =>
    `element_at(transform(split(replace(${text}, ';', 'x'), ';'), v -> ${expression}), 1)`,
};

/**
 * The functions of the views as expressions, for engines where one cannot register functions: exact,
 * or an error that names the function and its values, where a number or a product of two needs more
 * digits than the engine has. Ratios are quotients of the nearest doubles.
 */
export function wideMacros(engine: WideEngine): SqlMacro[] {
  const replaced: SqlMacro[] = [
    multiplied("u_muldiv", engine, ["+ C - 1", ""]),
    multiplied("u_muldiv_up", engine, ["", "+ C - 1"]),
    added("u_add", engine, isBelow(2)),
    added("u_sub", engine, `NOT ${isBelow(2)}`),
    joined(engine),
    { name: "u_ratio", parameters: ["n", "d"], text: "", body: quotient("CAST(n AS DOUBLE)") },
    { name: "u_bps", parameters: ["n", "d"], text: "", body: quotient("1e4 * CAST(n AS DOUBLE)") },
  ];
  const names = new Set(replaced.map(({ name }) => name));
  return [...MACROS.filter(({ name }) => !names.has(name)), ...replaced];
}

function quotient(numerator: string): string {
  return `(${numerator} / nullif(CAST(d AS DOUBLE), 0e0))`;
}

/** A product and its quotient, of magnitudes; `ups` is what rounds up: below zero, and above it. */
function multiplied(
  name: string,
  engine: WideEngine,
  [below, above]: readonly [string, string],
): SqlMacro {
  const { type, digits, divide } = engine;
  const [a, b, c] = [1, 2, 3].map(magnitude);
  const rounded = (up: string) => {
    const top = `CAST(${a} AS ${type}) * CAST(${b} AS ${type}) ` +
      up.replace("C - 1", `(CAST(${c} AS ${type}) - CAST('1' AS ${type}))`);
    return `CAST((${top}) ${divide} CAST(${c} AS ${type}) AS VARCHAR)`;
  };
  const isNegative = `(${isBelow(1)} <> ${isBelow(2)}) <> ${isBelow(3)}`;
  const isTooWide = `length(${a}) + length(${b}) > ${digits} OR length(${c}) > ${digits}`;
  return {
    name,
    parameters: ["a", "b", "c"],
    text: "",
    body: engine.bind(
      "a || ',' || b || ',' || c",
      `CASE ${refusing(name, engine, 3)} WHEN ${isZero(3)} ` +
        `THEN ${failing(`${name}: division by zero`)} ` +
        `WHEN ${isTooWide} THEN ${failing(`${name}: more than ${digits} digits`)} ` +
        `WHEN ${isNegative} THEN ${withSign(`'-' || ${rounded(below)}`)} ELSE ${
          rounded(above)
        } END`,
    ),
  };
}

/** A sum by magnitudes and signs; `isNegative` tells the sign that the second one counts with. */
function added(name: string, engine: WideEngine, isNegative: string): SqlMacro {
  const { type, digits } = engine;
  const [a, b] = [1, 2].map((place) => `CAST(${magnitude(place)} AS ${type})`);
  const text = (sum: string) => `CAST(${sum} AS VARCHAR)`;
  const sign = (condition: string) => `CASE WHEN ${condition} THEN '-' ELSE '' END`;
  const sum = `CASE WHEN ${isBelow(1)} = (${isNegative}) ` +
    `THEN ${sign(isBelow(1))} || ${text(`${a} + ${b}`)} ` +
    `WHEN ${a} >= ${b} THEN ${sign(isBelow(1))} || ${text(`${a} - ${b}`)} ` +
    `ELSE ${sign(isNegative)} || ${text(`${b} - ${a}`)} END`;
  const isTooWide = `length(${magnitude(1)}) > ${digits} OR length(${magnitude(2)}) > ${digits}`;
  return {
    name,
    parameters: ["a", "b"],
    text: "",
    body: engine.bind(
      "a || ',' || b",
      `CASE ${refusing(name, engine, 2)} ` +
        `WHEN ${isTooWide} THEN ${failing(`${name}: more than ${digits} digits`)} ` +
        `ELSE ${withSign(sum)} END`,
    ),
  };
}

/** The number with limbs of 18 digits, from those that are positive and those that are negative. */
function joined(engine: WideEngine): SqlMacro {
  const { type, digits } = engine;
  const places = [1, 2, 3, 4, 5];
  const total = (isOther: string) =>
    places.map((place) =>
      `CASE WHEN ${isBelow(place)} ${isOther} OR ${isZero(place)} THEN CAST('0' AS ${type}) ` +
      `ELSE CAST(${magnitude(place)} || '${zerosOf(place)}' AS ${type}) END`
    ).join(" + ");
  const [above, below] = [total("= TRUE"), total("= FALSE")];
  const isTooWide = places.map((place) =>
    `length(${magnitude(place)}) + ${zerosOf(place).length} > ${digits} ` +
    `AND NOT ${isZero(place)}`
  ).join(" OR ");
  return {
    name: "u_join",
    parameters: ["a", "b", "c", "d", "e"],
    text: "",
    body: engine.bind(
      "a || ',' || b || ',' || c || ',' || d || ',' || e",
      `CASE ${refusing("u_join", engine, 5)} ` +
        `WHEN ${isTooWide} THEN ${failing(`u_join: more than ${digits} digits`)} ` +
        `WHEN ${above} >= ${below} THEN CAST((${above}) - (${below}) AS VARCHAR) ` +
        `ELSE '-' || CAST((${below}) - (${above}) AS VARCHAR) END`,
    ),
  };
}

/** Zeros behind a limb; a limb that is 0 needs none. */
function zerosOf(place: number): string {
  return "0".repeat(18 * (5 - place));
}

/** One of the values in `v`. */
function value(place: number): string {
  return `split_part(v, ',', ${place})`;
}

/** Whether one of the values is below zero. */
function isBelow(place: number): string {
  return `(${value(place)} LIKE '-%')`;
}

/** Whether one of the values is zero. */
function isZero(place: number): string {
  return `(translate(${value(place)}, '-0', '') = '')`;
}

/** Digits without their sign. */
function magnitude(place: number): string {
  return `replace(${value(place)}, '-', '')`;
}

/** No zero has a sign. */
function withSign(text: string): string {
  return `regexp_replace(${text}, '^-0+$', '0')`;
}

/** An error for any other text than digits. */
function refusing(name: string, { matches, parts }: WideEngine, count: number): string {
  const all = `^-?[0-9]+(,-?[0-9]+){${count - 1}}$`;
  return `WHEN ${parts("v")} <> ${count} OR NOT ${matches}(v, '${all}') ` +
    `THEN ${failing(`${name}: no whole number in decimal digits`)}`;
}

/** A cast that fails, with the reason and the values in the error. */
function failing(reason: string): string {
  return `CAST(CAST('${reason}: ' || substr(v, 1, 400) AS BIGINT) AS VARCHAR)`;
}
