import {
  openSpark,
  type ResultFormat,
  type ResultManifest,
  type SparkOptions,
  type SparkSession,
} from "../../sql/mod.ts";
import { usageError } from "../arguments/command_line.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { printParts, type RowFormat } from "./sql_action.ts";

/** What is asked of Spark. */
export interface SparkAsked {
  /** Folders of the datasets. */
  readonly folders: readonly string[];
  /** The query. */
  readonly query: string;
  /** The cluster. */
  readonly master: string | undefined;
  /** Settings, written as `key=value`. */
  readonly conf: readonly string[];
}

/** Runs a query on Spark, and prints its rows as they are found. */
export async function printSparkRows(
  session: Session,
  asked: SparkAsked,
  format: RowFormat,
): Promise<void> {
  await withSpark(session, asked, async (spark, onProgress) => {
    const { signal } = session;
    const { query } = asked;
    const columns = await spark.columns(query);
    await printParts(
      session,
      { columns, parts: spark.parts(query, { signal, onProgress }), warnings: spark.warnings },
      format,
    );
  });
}

/** Runs a query on Spark into a folder. */
export async function writeSparkRows(
  session: Session,
  asked: SparkAsked,
  { output, format }: { readonly output: string; readonly format?: ResultFormat },
): Promise<ResultManifest> {
  const { signal } = session;
  return await withSpark(
    session,
    asked,
    (spark, onProgress) => spark.write(asked.query, output, { format, signal, onProgress }),
  );
}

async function withSpark<Result>(
  session: Session,
  { folders, master, conf }: SparkAsked,
  use: (
    spark: SparkSession,
    onProgress: (done: number, total: number) => void,
  ) => Promise<Result>,
): Promise<Result> {
  const options: SparkOptions = {
    master,
    conf: Object.fromEntries(conf.map(settingOf)),
    signal: session.signal,
    onStep: (text) => session.say(text),
  };
  await using spark = await openSpark(folders, options);
  for (const line of spark.warnings) session.warn(line);
  using line = new ProgressLine(session);
  return await use(spark, (done, total) => line.updateWork("Query, tasks", done, total));
}

/** The value may be secret: an error does not show it. */
function settingOf(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    "Cannot run sql with a --conf that is no name=value",
    "Pass it as in --conf spark.executor.memory=4g",
  );
}
