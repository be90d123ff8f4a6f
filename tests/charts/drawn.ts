import { assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import * as charts from "orderlens/charts";

/** A chart, called as JavaScript may call it. */
export type Draw = (rows: unknown, options?: unknown) => charts.Chart;

/** Functions of the entry point that draw nothing; they have tests of their own. */
const NOT_DRAWN = ["bpsText", "slippageGroups", "slippageSlices"];

/** Every function of the entry point that draws, whatever is added to it. */
export const DRAWN = Object.entries(charts).filter(([name]) =>
  /^[a-z]/.test(name) && !NOT_DRAWN.includes(name)
) as [string, Draw][];

/** The function whose table's rows a chart takes, as its error about other rows names it. */
export function tableOf(draw: Draw): string {
  const { message } = assertThrows(() => draw([{}]), InputError);
  return message.match(/Pass rows of (\w+Table)/)?.[1] ?? "";
}
