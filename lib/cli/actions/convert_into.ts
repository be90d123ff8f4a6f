import { type Conversion, convertDataset } from "../../datasets/mod.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import type { Format } from "../words/formats.ts";

/** How a dataset is converted. */
export interface Converting {
  /** The format. */
  readonly format: Format;
  /** Where to: beside the dataset, if it is left out. */
  readonly output?: string | undefined;
  /** Names of the tables; all if they are left out. */
  readonly tables?: readonly string[] | undefined;
}

/** Converts a dataset, and says how far it is. */
export async function convertInto(
  session: Session,
  folder: string,
  { format, output = besideOf(folder, format), tables }: Converting,
): Promise<Conversion> {
  using line = new ProgressLine(session);
  return await convertDataset(folder, output, {
    format,
    tables,
    signal: session.signal,
    onProgress: ({ table, rows, total }) => line.updateWork(`Rows, in ${table}`, rows, total),
  });
}

/** `set.sqlite` or `set-csv` beside `set`. */
function besideOf(folder: string, format: Format): string {
  const name = folder.replace(/[/\\]+$/, "");
  return format === "sqlite" ? `${name}.sqlite` : `${name}-${format}`;
}
