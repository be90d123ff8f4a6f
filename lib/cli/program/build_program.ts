import { Argument, Help } from "commander";
import { VERSION } from "../../http/requests/user_agent.ts";
import { EXIT, EXIT_MEANINGS } from "../terminal/exit_code.ts";
import type { Io } from "../terminal/io.ts";
import { type CommandSpec, COMMON_OPTIONS } from "../words/command_spec.ts";
import { Given } from "../words/given.ts";
import { WordsCommand } from "./words_program.ts";

/** Called with what was written for a command. */
export type Call = (spec: CommandSpec, given: Given) => Promise<void>;

const GROUPS: Readonly<Record<string, string>> = {
  notebook: "Make and execute notebooks",
};

const ABOUT = "Reads the order books of batch auctions, and keeps what they answer as datasets.";
const WIDEST = 100;

/** The parser of a list of commands. It prints help to `io.out`, and throws what it cannot take. */
export function buildProgram(
  { commands, raw, io }: {
    readonly commands: readonly CommandSpec[];
    readonly raw: readonly string[];
    readonly io: Io;
  },
  call: Call,
): WordsCommand {
  const program = new WordsCommand("orderlens");
  program
    .description(ABOUT)
    .usage("<command> [options]")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print help, also of a command")
    .helpCommand("help [command]", "Print help of a command")
    .addHelpText("after", endOfHelp());
  program.exitOverride().configureOutput({
    writeOut: (text) => io.out.write(text),
    writeErr: (text) => io.err.write(text),
    getOutHelpWidth: () => helpWidth(io),
    getErrHelpWidth: () => helpWidth(io),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  program.configureHelp({ showGlobalOptions: false, subcommandTerm: termOf });
  for (const spec of commands) addCommand(program, spec, { raw, call });
  return program;
}

function addCommand(
  program: WordsCommand,
  spec: CommandSpec,
  { raw, call }: { readonly raw: readonly string[]; readonly call: Call },
): void {
  const words = spec.name.split(" ");
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? "");
  const command = parent.command(words.at(-1) ?? "").summary(spec.summary);
  command.description(
    spec.description === undefined ? `${spec.summary}.` : `${spec.summary}. ${spec.description}`,
  );
  command.helpOption("-h, --help", "print this help");
  for (const { name, text } of spec.arguments ?? []) {
    command.addArgument(new Argument(name, text));
  }
  for (const { flags, text } of [...spec.options ?? [], ...COMMON_OPTIONS]) {
    command.option(flags, text);
  }
  if (spec.passesOn) command.allowUnknownOption();
  const hasMany = spec.arguments?.some(({ name }) => name.includes("...")) ?? false;
  command.allowExcessArguments(hasMany);
  const lines = spec.examples.map(({ words, text }) => `  ${text}:\n    orderlens ${words}`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
  command.action(() => {
    const parsed = {
      words: [...command.args],
      raw: raw.slice(words.length),
      values: command.opts(),
    };
    return call(spec, new Given(spec.name, parsed));
  });
}

function groupOf(program: WordsCommand, name: string): WordsCommand {
  const found = program.commands.find((command) => command.name() === name);
  if (found instanceof WordsCommand) return found;
  const group = program.createCommand(name);
  group.copyInheritedSettings(program);
  group.summary(GROUPS[name] ?? name).description(`${GROUPS[name] ?? name}.`)
    .usage("<command> [options]").helpCommand(false).helpOption("-h, --help", "print this help");
  program.addCommand(group);
  return group;
}

/** A command in the list of commands: its words and arguments, without `[options]`. */
function termOf(command: WordsCommand["commands"][number]): string {
  return new Help().subcommandTerm(command).replace(" [options]", "");
}

function helpWidth({ out }: Io): number {
  return out.isTerminal ? Math.min(WIDEST, Math.max(40, out.columns)) : WIDEST;
}

function endOfHelp(): string {
  const codes = Object.entries(EXIT).map(([name, code]) =>
    `  ${`${code}`.padEnd(5)}${EXIT_MEANINGS[name as keyof typeof EXIT]}`
  );
  return `\nExamples:
  Plan the export of a week, then export it:
    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run
    orderlens export week --network mainnet --from 2026-11-01 --to 2026-11-08
  Try it without a network:
    orderlens export try --recording market_1 --last 20

Exit codes:
${codes.join("\n")}

Keys are read from files and from the environment: ORDERLENS_API_KEY, ORDERLENS_RPC_URL.
Data goes to stdout, everything else to stderr.`;
}
