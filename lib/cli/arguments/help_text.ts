import { wrapText } from "../../reports/page/text_page.ts";
import { EXIT_MEANINGS } from "../terminal/io.ts";
import { type CommandSpec, listOptions, type Texts } from "./command_line.ts";

const HELP_OPTION = { "-h, --help": "print this help" };

/** Summaries of the groups of commands. */
export const GROUPS: Texts = { notebook: "Create and execute notebooks", report: "Write reports" };

/** Formats the help of the program. */
export function formatProgramHelp(commands: readonly CommandSpec[], width: number): string {
  return joinLines([
    "Usage: orderlens <command> [options]",
    "",
    "Explains the order books of batch auctions, and exports them as datasets.",
    "",
    "Commands:",
    ...formatList(
      [...listSummaries(commands), ["help [command]", "Print help for a command"]],
      width,
    ),
    "",
    "Options:",
    ...formatTexts({ "--version": "print the version", "-h, --help": "print help" }, width),
    "",
    "Examples:",
    "  Plan the export of a week, then export it:",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08",
    "  Try it without a network:",
    "    orderlens export try --recording market_1 --last 20",
    "",
    "Exit codes:",
    ...formatTexts(EXIT_MEANINGS, width),
    "",
    wrapText(
      "Data goes to stdout, everything else to stderr. Keys are read from files or environment " +
        "variables: ORDERLENS_API_KEY, ORDERLENS_RPC_URL.",
      width,
    ),
  ]);
}

/** Formats the help of a group of commands, such as `notebook`. */
export function formatGroupHelp(
  group: string,
  commands: readonly CommandSpec[],
  width: number,
): string {
  return joinLines([
    `Usage: orderlens ${group} <command> [options]`,
    "",
    `${GROUPS[group]}.`,
    "",
    "Commands:",
    ...formatList(listSummaries(commands), width),
    "",
    "Options:",
    ...formatTexts(HELP_OPTION, width),
  ]);
}

/** Formats the help of a command. */
export function formatCommandHelp(spec: CommandSpec, width: number): string {
  const { summary, description, arguments: args, examples } = spec;
  return joinLines([
    `Usage: orderlens ${formatUsage(spec)} [options]`,
    "",
    wrapText(description === undefined ? `${summary}.` : `${summary}. ${description}`, width),
    ...args === undefined ? [] : ["", "Arguments:", ...formatTexts(args, width)],
    "",
    "Options:",
    ...formatTexts({ ...listOptions(spec), ...HELP_OPTION }, width),
    "",
    "Examples:",
    ...Object.entries(examples).flatMap((
      [words, text],
    ) => [`  ${text}:`, `    orderlens ${words}`]),
  ]);
}

function formatUsage({ name, arguments: args = {} }: CommandSpec): string {
  return [name, ...Object.keys(args)].join(" ");
}

function listSummaries(commands: readonly CommandSpec[]) {
  return commands.map((spec) => [formatUsage(spec), spec.summary] as const);
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** Formats names with their texts beside them. */
export function formatTexts(texts: Texts, width: number): string[] {
  return formatList(Object.entries(texts), width);
}

/** Formats terms with their texts beside them, wrapped. */
function formatList(
  rows: readonly (readonly [term: string, text: string])[],
  width: number,
): string[] {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const indent = " ".repeat(termWidth + 4);
  return rows.map(([term, text]) =>
    `  ${term.padEnd(termWidth)}  ${wrapText(text, width, indent).trimStart()}`
  );
}
