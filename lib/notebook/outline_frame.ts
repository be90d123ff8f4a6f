import { leaf } from "./leaf.ts";
import type { Leaf, TableOutline } from "./outline.ts";
import { outlineText } from "./outline_text.ts";
import { outlineValue } from "./outline_value.ts";

/** The used part of a polars frame, declared without polars. */
export interface Frame {
  /** How many rows it has. */
  readonly height: number;
  /** Its first rows. */
  head(rows: number): Frame;
  /** Its rows and columns in the form that notebooks exchange (frictionless tabular data). */
  toDataResource(): {
    readonly data: readonly Readonly<Record<string, unknown>>[];
    readonly schema: {
      readonly fields: readonly { readonly name: string; readonly type: string }[];
    };
  };
}

/** Whether `value` is a frame; they are proxies that deny `"height" in frame`. */
export function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null &&
    typeof Reflect.get(value, "height") === "number" &&
    typeof Reflect.get(value, "head") === "function" &&
    typeof Reflect.get(value, "toDataResource") === "function";
}

/**
 * The table of a frame's first rows. polars' own output is silently cut at 50 rows, is not aligned,
 * and contains `bigint`s that cannot be sent.
 */
export function outlineFrame(frame: Frame, limit: number): TableOutline {
  const { data, schema } = frame.head(limit).toDataResource();
  const rows = data.map((record) => schema.fields.map(({ name }) => cell(record[name])));
  return {
    kind: "table",
    columns: schema.fields.map(({ name, type }, column) => ({
      name,
      numeric: isNumeric(type, rows.map((row) => row[column])),
    })),
    rows,
    hidden: frame.height - data.length,
  };
}

function cell(value: unknown): Leaf {
  const line = leaf(value);
  if (line !== undefined) return line;
  const text = outlineText(outlineValue(value, { rows: 5, entries: 20 }));
  return { kind: "leaf", text: text.replaceAll(/\s*\n\s*/g, ", ") };
}

/** Amounts are decimal text in frames, but readers expect numbers. */
function isNumeric(type: string, cells: readonly (Leaf | undefined)[]): boolean {
  if (type === "integer" || type === "number") return true;
  const present = cells.filter((one) => one !== undefined && one.faint !== true);
  return present.length > 0 && present.every((one) => one?.numeric === true);
}
