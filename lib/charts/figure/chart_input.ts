import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { CHART_OPTIONS, type ChartOptions, widthOf } from "./chart_options.ts";
import { type RowKind, type Rows, rowsOf } from "../rows/row_kind.ts";

/** What a chart takes, declared once beside its options. */
export interface ChartInput<Row, Options> {
  /** Name of the function that draws. */
  readonly chart: string;
  /** What its rows are. */
  readonly rows: RowKind<Row>;
  /** What each of its options may be, beside those of every chart. */
  readonly options: OptionRules<Omit<Options, keyof ChartOptions>>;
  /**
   * Columns that the question is about, where rows may come without them: a frame that has them not
   * at all is of another kind. @default {none}
   */
  readonly asks?: (options: Options) => readonly (keyof Row & string)[];
}

/**
 * The rows of a chart as objects and the width of its figure, both checked with all options.
 *
 * @throws {InputError} If an option is unknown or has an invalid value, or the rows are none
 *   of the chart's.
 */
export function readInput<Row extends object, Options extends ChartOptions>(
  given: Rows<Row>,
  options: Options,
  { chart, rows, options: own, asks }: ChartInput<Row, Options>,
): { rows: readonly Row[]; width: number } {
  const action = `Cannot draw ${chart}`;
  const rules = { ...CHART_OPTIONS, ...own } as unknown as OptionRules<Options>;
  checkOptions(options, rules, action);
  return { rows: rowsOf(given, rows, { action, asked: asks?.(options) }), width: widthOf(options) };
}
