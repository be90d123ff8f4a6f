import type { OptionRules } from "../../errors/option_rules.ts";
import { buildFrame, type Frame, type Table } from "./frame.ts";
import {
  type FillOptions,
  type KnownFill,
  knownFills,
  type OrderRecords,
} from "./order_records.ts";
import { FILL_OPTIONS, readRecords, RECORDS_KIND } from "./table_input.ts";

/** Arguments of a table of fills. */
interface FillsCall {
  /** Name of the function that builds it. */
  readonly table: string;
  /** Orders with their fills. */
  readonly records: Iterable<OrderRecords>;
  /** What else is known about the fills. */
  readonly options: FillOptions;
  /** Allowed values of options that other tables of fills do not have. @default {none} */
  readonly rules?: OptionRules<object>;
}

/**
 * Builds a frame with any number of rows per fill: orders as given, their fills by block.
 *
 * @throws {InputError} If an option is unknown or has an invalid value, or the records are
 *   of another kind.
 */
export function fillsFrame<Facts extends KnownFill>(
  declared: Table<Facts>,
  { table, records, options, rules }: FillsCall,
  rowsOf: (fill: KnownFill) => readonly Facts[],
): Frame {
  const input = { table, records: RECORDS_KIND, options: { ...FILL_OPTIONS, ...rules } };
  const fills = knownFills(readRecords(records, options, input), options);
  return buildFrame(declared, fills.flatMap(rowsOf), options);
}
