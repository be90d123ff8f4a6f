// deno-lint-ignore-file no-console -- a task prints its result
import { parseArgs } from "node:util";

/** Arguments of a task that reads a folder of recordings. */
export interface FolderArguments {
  readonly folder: string;
  /** Time at which the bodies were sent, or an earlier time; `undefined` if not given. */
  readonly sentAt: Temporal.Instant | undefined;
}

/** Help text of these arguments. */
export const SENT_AT_USAGE =
  `--sent-at DATE  when the bodies were sent, or a day before, such as 2026-03-04: fields that responses
                have since then are missed; without it, of orders alone, by their creation dates`;

/** Runs a task on the folder that its command line names; exits with 2 for invalid arguments. */
export async function runOnFolder(
  usage: string,
  task: (args: FolderArguments) => Promise<void>,
): Promise<void> {
  const args = readFolderArguments(Deno.args);
  if (args === "help") return console.log(usage);
  if (args instanceof Error) {
    console.error(`${args.message}\n\n${usage}`);
    Deno.exit(2);
  }
  try {
    await task(args);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`Cannot read ${args.folder}: the folder does not exist`);
    Deno.exit(2);
  }
}

/**
 * Reads the arguments of a task.
 *
 * @returns `"help"` if the usage is requested; an error for invalid arguments.
 */
export function readFolderArguments(args: readonly string[]): FolderArguments | "help" | Error {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "sent-at": { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help === true) return "help";
    const [folder, ...more] = positionals;
    if (folder === undefined) return new Error("Name the folder of recordings");
    if (more.length > 0) return new Error(`Name one folder, not also ${more.join(", ")}`);
    return { folder, sentAt: readDate(values["sent-at"]) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function readDate(text: string | undefined): Temporal.Instant | undefined {
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text.includes("T") ? text : `${text}T00:00:00Z`);
  } catch {
    throw new Error(`--sent-at ${text} is no date: pass one such as 2026-03-04`);
  }
}

/** Finds a time before a body was sent: the creation date of its order; `undefined` without an order. */
export function findCreationDate(body: unknown): Temporal.Instant | undefined {
  const { creationDate, order } = Object(body);
  const text: unknown = creationDate ?? Object(order).creationDate;
  if (typeof text !== "string") return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}
