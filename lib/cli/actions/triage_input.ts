import { isMissing } from "../../http/reading/local_files.ts";
import { InputError } from "../../errors/mod.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";

const PARQUET_MAGIC = "PAR1";

/**
 * The text of a file or of stdin, in pieces. A Parquet file, which is known by its first bytes, is the
 * texts in its columns, row by row.
 *
 * @throws {InputError} If the file cannot be read.
 */
export async function* textPieces(
  session: Session,
  given: Given,
  file: string,
): AsyncGenerator<string, void, undefined> {
  if (file === "-") return yield* session.io.readPieces();
  try {
    if (await isParquet(file)) return yield* await parquetTexts(file);
    const open = await Deno.open(file, { read: true });
    const decoded = open.readable.pipeThrough(new TextDecoderStream());
    for await (const piece of decoded) yield piece;
  } catch (cause) {
    if (cause instanceof InputError || session.signal.aborted) throw cause;
    throw new InputError(`${given.cannot}: ${file} cannot be read`, {
      facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
      remedy: isMissing(cause)
        ? "Pass the path of a file, or - for stdin"
        : "Pass a file that can be read; Parquet needs a name that ends with .parquet",
      cause,
    });
  }
}

async function isParquet(file: string): Promise<boolean> {
  using open = await Deno.open(file, { read: true });
  const bytes = new Uint8Array(PARQUET_MAGIC.length);
  const size = await open.read(bytes);
  return size === bytes.length && new TextDecoder().decode(bytes) === PARQUET_MAGIC;
}

async function parquetTexts(file: string): Promise<Generator<string>> {
  const { readParquet } = await import("../../tables/columns/frame_files.ts");
  const frame = readParquet(file);
  return (function* () {
    for (const record of frame.toRecords()) yield `${JSON.stringify(Object.values(record))}\n`;
  })();
}
