import type { Output } from "../terminal/io.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { commandHelp, groupHelp, programHelp } from "./help_text.ts";

const WIDEST = 100;
const NARROWEST = 40;

/**
 * The help that words ask for with `help`, `--help` or `-h`; `null` if they ask for none, or for that
 * of a command that does not exist.
 */
export function helpFor(
  args: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const words = own[0] === "help" ? own.slice(1) : own;
  const isAsked = own[0] === "help" || own.includes("--help") || own.includes("-h");
  return isAsked ? helpOf(words.filter((word) => !word.startsWith("-")), commands, out) : null;
}

/** Help of the program or of what the words name; `null` if they name nothing. */
export function helpOf(
  words: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const width = out.isTerminal ? Math.min(WIDEST, Math.max(NARROWEST, out.columns)) : WIDEST;
  const [first, second] = words;
  if (first === undefined) return programHelp(commands, width);
  const spec = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (spec !== undefined) return commandHelp(spec, width);
  const members = commands.filter(({ name }) => name.startsWith(`${first} `));
  return members.length > 0 && second === undefined ? groupHelp(first, members, width) : null;
}
