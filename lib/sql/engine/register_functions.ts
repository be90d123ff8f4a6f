import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBScalarFunction,
  type DuckDBType,
  VARCHAR,
} from "@duckdb/node-api";
import { ratioToNumber } from "../../units/ratio_to_number.ts";
import { amountOf, EXACT_FUNCTIONS } from "../functions/exact_functions.ts";
import { MACROS } from "../functions/macros.ts";
import { printable } from "../functions/printable.ts";

/** Between arguments. */
const BETWEEN = ",";
/** How much of a call an error shows: all digits of two amounts' product, and of a few amounts. */
const SHOWN_DIGITS = 160;
const MOST_SHOWN = 10;

/** A function on amounts whose arguments come as one text. */
interface JoinedFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: DuckDBType;
  readonly compute: (...amounts: bigint[]) => string | number | null;
}

/** Quotients, which take a third of the time of the text that their macros stand for. */
const QUOTIENTS: readonly JoinedFunction[] = [
  { name: "u_ratio", factor: 1n },
  { name: "u_bps", factor: 10_000n },
].map(({ name, factor }) => ({
  name,
  parameters: ["n", "d"],
  returns: DOUBLE,
  compute: (n, d) => quotientOf(n! * factor, d!),
}));

const FUNCTIONS: readonly JoinedFunction[] = [
  ...EXACT_FUNCTIONS.map((one) => ({
    ...one,
    returns: VARCHAR,
    compute: (...amounts: bigint[]) => String(one.compute(...amounts)),
  })),
  ...QUOTIENTS,
];

/**
 * Registers the exact functions and the macros.
 *
 * A macro joins the arguments of a function to one text, since every text of a vector crosses into
 * JavaScript on its own, which costs more than the arithmetic; null stays null by `||`.
 */
export async function registerFunctions(connection: DuckDBConnection): Promise<void> {
  for (const one of FUNCTIONS) {
    connection.registerScalarFunction(scalarFunction(one));
    const joined = one.parameters.map((name) => `CAST(${name} AS VARCHAR)`)
      .join(` || '${BETWEEN}' || `);
    await connection.run(
      `CREATE MACRO ${one.name}(${one.parameters.join(", ")}) AS ${nameOf(one)}(${joined})`,
    );
  }
  for (const { name, parameters, body } of MACROS) {
    if (FUNCTIONS.some((one) => one.name === name)) continue;
    await connection.run(`CREATE MACRO ${name}(${parameters.join(", ")}) AS ${body}`);
  }
}

function nameOf({ name }: JoinedFunction): string {
  return `${name}_of_text`;
}

/** The nearest double of a quotient; null if the divisor is 0. */
function quotientOf(numerator: bigint, denominator: bigint): number | null {
  if (denominator === 0n) return null;
  return ratioToNumber(
    denominator < 0n
      ? { numerator: -numerator, denominator: -denominator }
      : { numerator, denominator },
  );
}

function scalarFunction(one: JoinedFunction): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: nameOf(one),
    parameterTypes: [VARCHAR],
    returnType: one.returns,
    mainFunction: (info, input, output) => {
      const texts = input.getColumnVector(0);
      const rows = input.rowCount;
      let text: unknown = null;
      try {
        for (let row = 0; row < rows; row++) {
          text = texts.getItem(row);
          output.setItem(row, text === null ? null : valueOf(one, String(text)));
        }
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        info.setError(`${one.name}(${shown(String(text))}): ${cause.message}`);
        return;
      }
      output.flush();
    },
  });
}

/** The arguments of a call, short and in characters that print. */
function shown(text: string): string {
  const values = text.split(BETWEEN).map((value) => value.slice(0, SHOWN_DIGITS));
  return printable(values.slice(0, MOST_SHOWN).join(", "));
}

function valueOf({ compute, parameters }: JoinedFunction, text: string): string | number | null {
  const amounts = text.split(BETWEEN);
  if (amounts.length !== parameters.length) {
    throw new RangeError("an argument is not a whole number in decimal digits");
  }
  return compute(...amounts.map(amountOf));
}
