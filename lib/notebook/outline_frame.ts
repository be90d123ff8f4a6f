import { leaf } from "./leaf.ts";
import type { Leaf, TableOutline } from "./outline.ts";
import { outlineText } from "./outline_text.ts";
import { outlineValue } from "./outline_value.ts";

/** Rows and columns as frames describe themselves to notebooks (frictionless tabular data). */
export interface FrameData {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly schema: { readonly fields: readonly { readonly name: string; readonly type: string }[] };
}

/** Whether `value` is such a description. */
export function isFrameData(value: unknown): value is FrameData {
  if (typeof value !== "object" || value === null) return false;
  if (!("data" in value) || !("schema" in value)) return false;
  const { data, schema } = value;
  return Array.isArray(data) && typeof schema === "object" && schema !== null &&
    "fields" in schema && Array.isArray(schema.fields);
}

/** The table of a frame with `height` rows, of which `frame` has the first ones. */
export function outlineFrame(frame: FrameData, height: number): TableOutline {
  const { data, schema } = frame;
  const rows = data.map((record) => schema.fields.map(({ name }) => cell(record[name])));
  return {
    kind: "table",
    columns: schema.fields.map(({ name, type }, column) => ({
      name,
      numeric: isNumeric(type, rows.map((row) => row[column])),
    })),
    rows,
    hidden: height - data.length,
  };
}

function cell(value: unknown): Leaf {
  const line = leaf(value);
  if (line !== undefined) return line;
  const text = outlineText(outlineValue(value, { rows: 5, entries: 20 }));
  return { kind: "leaf", text: text.replaceAll(/\s*\n\s*/g, ", ") };
}

/** Amounts are decimal text in frames, and still numbers to a reader. */
function isNumeric(type: string, cells: readonly (Leaf | undefined)[]): boolean {
  if (type === "integer" || type === "number") return true;
  const present = cells.filter((one) => one !== undefined && one.faint !== true);
  return present.length > 0 && present.every((one) => one?.numeric === true);
}
