import { Argument } from "commander";
import { type CommandSpec, COMMON_OPTIONS } from "../words/command_spec.ts";
import { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { WordsCommand } from "./words_program.ts";

/** Called with what was written for a command. */
export type Call = (spec: CommandSpec, given: Given) => Promise<void>;

/** What a parser is for. */
export interface ProgramOptions {
  /** The commands. */
  readonly commands: readonly CommandSpec[];
  /** The words that will be parsed. */
  readonly raw: readonly string[];
}

/** The parser of a list of commands. It throws what it cannot take, and prints nothing. */
export function buildProgram({ commands, raw }: ProgramOptions, call: Call): WordsCommand {
  const program = new WordsCommand("orderlens");
  program.helpOption(false).helpCommand(false).exitOverride();
  for (const spec of commands) {
    const words = spec.name.split(" ");
    const parent = words.length === 1 ? program : groupOf(program, words[0] ?? "");
    const command = parent.command(words.at(-1) ?? "");
    declare(command, spec);
    command.action(() => {
      const parsed = {
        words: [...command.args],
        raw: raw.slice(words.length),
        values: command.opts(),
      };
      requireWords(spec, command.args);
      return call(spec, new Given(spec.name, parsed));
    });
  }
  return program;
}

/** A variable that is not set makes an empty word. */
function requireWords({ name, passesOn }: CommandSpec, words: readonly string[]): void {
  if (passesOn === true || !words.includes("")) return;
  throw usageError(`Cannot run ${name} with an empty word`, "Pass a path or a name in its place");
}

function declare(command: WordsCommand, spec: CommandSpec): void {
  command.helpOption(false);
  for (const { name, text } of spec.arguments ?? []) {
    command.addArgument(new Argument(name, text));
  }
  for (const { flags, text, isRepeated } of [...spec.options ?? [], ...COMMON_OPTIONS]) {
    if (isRepeated) {
      command.option(flags, text, (one: string, all: string[] = []) => [...all, one]);
    } else command.option(flags, text);
  }
  command.passesOn = spec.passesOn ?? false;
  command.allowExcessArguments(false);
}

function groupOf(program: WordsCommand, name: string): WordsCommand {
  const found = program.commands.find((command) => command.name() === name);
  if (found instanceof WordsCommand) return found;
  const group = program.command(name);
  group.helpOption(false).helpCommand(false);
  return group;
}
