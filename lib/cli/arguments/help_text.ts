import { EXIT_MEANINGS } from "../terminal/io.ts";
import { type CommandSpec, COMMON_OPTIONS } from "./command_line.ts";

const HELP_OPTION = ["-h, --help", "print this help"] as const;

/** What the groups of commands are about. */
export const GROUPS: Readonly<Record<string, string>> = { notebook: "Make and execute notebooks" };

/** Help of the whole program. */
export function programHelp(commands: readonly CommandSpec[], width: number): string {
  const rows = commands.map((spec) => [usageOf(spec), spec.summary] as const);
  const codes = Object.values(EXIT_MEANINGS).map(([code, text]) => [`${code}`, text] as const);
  return text([
    "Usage: orderlens <command> [options]",
    "",
    "Reads the order books of batch auctions, and keeps what they answer as datasets.",
    "",
    "Commands:",
    ...listOf([...rows, ["help [command]", "Print help of a command"]], width),
    "",
    "Options:",
    ...listOf(
      [["--version", "print the version"], ["-h, --help", "print help, also of a command"]],
      width,
    ),
    "",
    "Examples:",
    "  Plan the export of a week, then export it:",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08",
    "  Try it without a network:",
    "    orderlens export try --recording market_1 --last 20",
    "",
    "Exit codes:",
    ...listOf(codes, width),
    "",
    ...wrapped(
      "Data goes to stdout, everything else to stderr. Keys are read from files and from the " +
        "environment: ORDERLENS_API_KEY, ORDERLENS_RPC_URL.",
      width,
    ),
  ]);
}

/** Help of a group of commands, such as `notebook`. */
export function groupHelp(
  group: string,
  commands: readonly CommandSpec[],
  width: number,
): string {
  return text([
    `Usage: orderlens ${group} <command> [options]`,
    "",
    `${GROUPS[group] ?? `Commands of ${group}`}.`,
    "",
    "Commands:",
    ...listOf(commands.map((spec) => [usageOf(spec), spec.summary] as const), width),
    "",
    "Options:",
    ...listOf([HELP_OPTION], width),
  ]);
}

/** Help of one command. */
export function commandHelp(spec: CommandSpec, width: number): string {
  const { summary, description, arguments: args = [], options = [], examples } = spec;
  const rows = [...options, ...COMMON_OPTIONS].map(({ flags, text }) => [flags, text] as const);
  return text([
    `Usage: orderlens ${usageOf(spec)} [options]`,
    "",
    ...wrapped(description === undefined ? `${summary}.` : `${summary}. ${description}`, width),
    ...args.length === 0 ? [] : ["", "Arguments:"],
    ...args.length === 0 ? [] : listOf(args.map(({ name, text }) => [name, text]), width),
    "",
    "Options:",
    ...listOf([...rows, HELP_OPTION], width),
    "",
    "Examples:",
    ...examples.flatMap(({ words, text }) => [`  ${text}:`, `    orderlens ${words}`]),
  ]);
}

/** The words of a command with its arguments. */
function usageOf({ name, arguments: args = [] }: CommandSpec): string {
  return [name, ...args.map((argument) => argument.name)].join(" ");
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** Lines of words that fit a width. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Terms with their texts beside them, which are wrapped below each other. */
export function listOf(
  rows: readonly (readonly [term: string, text: string])[],
  width: number,
): string[] {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const room = Math.max(20, width - termWidth - 4);
  return rows.flatMap(([term, text]) =>
    wrapped(text, room).map((line, at) => `  ${(at === 0 ? term : "").padEnd(termWidth)}  ${line}`)
  );
}
