import { wrapped } from "../../reports/page/text_page.ts";
import { EXIT_MEANINGS } from "../terminal/io.ts";
import { type CommandSpec, optionsOf, type Texts } from "./command_line.ts";

const HELP_OPTION = { "-h, --help": "print this help" };

/** What the groups of commands are about. */
export const GROUPS: Texts = { notebook: "Create and execute notebooks" };

/** Help of the whole program. */
export function programHelp(commands: readonly CommandSpec[], width: number): string {
  return text([
    "Usage: orderlens <command> [options]",
    "",
    "Explains the order books of batch auctions, and exports them as datasets.",
    "",
    "Commands:",
    ...listOf([...summaries(commands), ["help [command]", "Print help for a command"]], width),
    "",
    "Options:",
    ...textLines({ "--version": "print the version", "-h, --help": "print help" }, width),
    "",
    "Examples:",
    "  Plan the export of a week, then export it:",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run",
    "    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08",
    "  Try it without a network:",
    "    orderlens export try --recording market_1 --last 20",
    "",
    "Exit codes:",
    ...textLines(EXIT_MEANINGS, width),
    "",
    wrapped(
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
    ...listOf(summaries(commands), width),
    "",
    "Options:",
    ...textLines(HELP_OPTION, width),
  ]);
}

/** Help of one command. */
export function commandHelp(spec: CommandSpec, width: number): string {
  const { summary, description, arguments: args, examples } = spec;
  return text([
    `Usage: orderlens ${usageOf(spec)} [options]`,
    "",
    wrapped(description === undefined ? `${summary}.` : `${summary}. ${description}`, width),
    ...args === undefined ? [] : ["", "Arguments:", ...textLines(args, width)],
    "",
    "Options:",
    ...textLines({ ...optionsOf(spec), ...HELP_OPTION }, width),
    "",
    "Examples:",
    ...Object.entries(examples).flatMap((
      [words, text],
    ) => [`  ${text}:`, `    orderlens ${words}`]),
  ]);
}

/** The words of a command with its arguments. */
function usageOf({ name, arguments: args = {} }: CommandSpec): string {
  return [name, ...Object.keys(args)].join(" ");
}

function summaries(commands: readonly CommandSpec[]) {
  return commands.map((spec) => [usageOf(spec), spec.summary] as const);
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** Names with their texts beside them. */
export function textLines(texts: Texts, width: number): string[] {
  return listOf(Object.entries(texts), width);
}

/** Terms with their texts beside them, which are wrapped below each other. */
function listOf(
  rows: readonly (readonly [term: string, text: string])[],
  width: number,
): string[] {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const indent = " ".repeat(termWidth + 4);
  return rows.map(([term, text]) =>
    `  ${term.padEnd(termWidth)}  ${wrapped(text, width, indent).trimStart()}`
  );
}
