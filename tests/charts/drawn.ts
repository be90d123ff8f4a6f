import { assert, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import * as charts from "orderlens/charts";

/** A chart, called as JavaScript may call it. */
export type Draw = (rows: unknown, options?: unknown) => charts.Chart;

/** Functions of the entry point that draw nothing, or no rows; they have tests of their own. */
const NOT_DRAWN = ["bpsText", "slippageGroups", "slippageSlices", "estimate", "figure", "explore"];

/** Charts of any rows, and the columns of `solutions` that their options name here. */
export const GENERAL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  timeSeries: { x: "auction_id", y: "score_native" },
  ecdf: { x: "score_native" },
  estimates: { group: "solver", value: "score_native" },
};

/** Every function of the entry point that draws rows, whatever is added to it. */
export const DRAWN = Object.entries(charts).filter(([name]) =>
  /^[a-z]/.test(name) && !NOT_DRAWN.includes(name)
).map(([name, draw]): [string, Draw] => {
  const columns = GENERAL[name];
  const any = draw as Draw;
  const withColumns: Draw = (rows, options = {}) =>
    any(
      rows,
      typeof options === "object" && options !== null ? { ...columns, ...options } : options,
    );
  return [name, columns === undefined ? any : withColumns];
});

assert(DRAWN.length > Object.keys(GENERAL).length);

/** The table whose rows a chart takes, as its error about other rows names it. */
export function tableOf(name: string, draw: Draw): string {
  if (name in GENERAL) return "solutions";
  const { message } = assertThrows(() => draw([{}]), InputError);
  return message.match(/Pass rows of the table (\w+)/)?.[1] ?? "";
}
