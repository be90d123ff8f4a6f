import { type CommandSpec, COMMON_OPTIONS, type Values } from "./command_line.ts";
import { GROUPS } from "./help_text.ts";

/** What may be written for a value: words, and whether paths are offered too. */
export interface Offered {
  /** Words. */
  readonly words: readonly string[];
  /** Paths that are offered beside the words. */
  readonly paths: "none" | "files" | "folders";
}

/** An option, for completions. */
export interface CompletedOption {
  /** Its long name: `--network`. */
  readonly name: string;
  /** What it does. */
  readonly text: string;
  /** Its value; `null` if it takes none. */
  readonly value: Offered | null;
}

/** A command, for completions. */
export interface CompletedCommand {
  /** Its words: `notebook new`. */
  readonly name: string;
  /** What it does. */
  readonly text: string;
  /** Its options. */
  readonly options: readonly CompletedOption[];
  /** What may be written for its arguments. */
  readonly argument: Offered;
}

/** All that completions offer. */
export interface CompletionTree {
  /** First words: commands, and groups of them. */
  readonly firstWords: readonly { readonly name: string; readonly text: string }[];
  /** The second words of the groups. */
  readonly groups: ReadonlyMap<string, readonly CompletedCommand[]>;
  /** All commands. */
  readonly commands: readonly CompletedCommand[];
}

const NOTHING: Offered = { words: [], paths: "none" };
const HELP = { name: "--help", text: "print this help", value: null };

/** Reads what completions offer from the commands themselves. */
export async function completionTree(specs: readonly CommandSpec[]): Promise<CompletionTree> {
  const commands: CompletedCommand[] = [];
  for (const spec of specs) commands.push(await commandOf(spec));
  const groups = new Map<string, CompletedCommand[]>();
  const firstWords: { name: string; text: string }[] = [];
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    if (second === undefined) firstWords.push({ name: first, text: command.text });
    else if (groups.has(first)) groups.get(first)?.push(command);
    else {
      groups.set(first, [command]);
      firstWords.push({ name: first, text: GROUPS[first] ?? `Commands of ${first}` });
    }
  }
  firstWords.push({ name: "help", text: "Print help of a command" });
  return { firstWords, groups, commands };
}

async function commandOf(spec: CommandSpec): Promise<CompletedCommand> {
  const options: CompletedOption[] = [];
  for (const { flags, text, values } of [...spec.options ?? [], ...COMMON_OPTIONS]) {
    const [name = "", value] = flags.split(" ");
    options.push({ name, text, value: value === undefined ? null : await offered(values) });
  }
  const argument = await offered(spec.arguments?.[0]?.values);
  return { name: spec.name, text: spec.summary, options: [...options, HELP], argument };
}

async function offered(values: Values | undefined): Promise<Offered> {
  switch (values) {
    case undefined:
      return NOTHING;
    case "file":
      return { words: [], paths: "files" };
    case "folder":
      return { words: [], paths: "folders" };
    case "network": {
      const { NETWORKS } = await import("../../networks/networks.ts");
      return { words: Object.keys(NETWORKS), paths: "none" };
    }
    case "recording": {
      const { shippedRecordings } = await import("../../recordings/shipped_recordings.ts");
      return { words: await shippedRecordings(), paths: "files" };
    }
    case "table": {
      const { TABLE_NAMES } = await import("./options.ts");
      return { words: TABLE_NAMES, paths: "none" };
    }
    default:
      return { words: values, paths: "none" };
  }
}
