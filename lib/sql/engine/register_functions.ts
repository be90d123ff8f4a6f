import { DOUBLE, type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import { amountOf, EXACT_FUNCTIONS, type ExactFunction } from "../functions/exact_functions.ts";
import { MACROS } from "../functions/macros.ts";
import { printable } from "../functions/printable.ts";

/** Between arguments. */
const BETWEEN = ",";
/** How much of a call an error shows: all digits of two amounts' product, and of a few amounts. */
const SHOWN_DIGITS = 160;
const MOST_SHOWN = 10;

/**
 * Registers the exact functions and the macros.
 *
 * A macro joins the arguments of an exact function to one text, since every text of a vector crosses
 * into JavaScript on its own, which costs more than the arithmetic; null stays null by `||`.
 */
export async function registerFunctions(connection: DuckDBConnection): Promise<void> {
  for (const one of EXACT_FUNCTIONS) {
    connection.registerScalarFunction(scalarFunction(one));
    const joined = one.parameters.map((name) => `CAST(${name} AS VARCHAR)`)
      .join(` || '${BETWEEN}' || `);
    await connection.run(
      `CREATE MACRO ${one.name}(${one.parameters.join(", ")}) AS ${nameOf(one)}(${joined})`,
    );
  }
  for (const { name, parameters, body } of MACROS) {
    await connection.run(`CREATE MACRO ${name}(${parameters.join(", ")}) AS ${body}`);
  }
}

function nameOf({ name }: ExactFunction): string {
  return `${name}_of_text`;
}

function scalarFunction(one: ExactFunction): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: nameOf(one),
    parameterTypes: [VARCHAR],
    returnType: one.returns === "double" ? DOUBLE : VARCHAR,
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

function valueOf({ compute, parameters }: ExactFunction, text: string): string | number | null {
  const amounts = text.split(BETWEEN);
  if (amounts.length !== parameters.length) {
    throw new RangeError("an argument is not a whole number in decimal digits");
  }
  const value = compute(...amounts.map(amountOf));
  return typeof value === "bigint" ? String(value) : value;
}
