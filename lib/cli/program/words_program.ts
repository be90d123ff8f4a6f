import { Command, type Option } from "commander";
import { nearestText } from "../../errors/nearest_text.ts";
import { usageError } from "../words/usage_error.ts";

/**
 * A command of the parser whose errors say what, why and what to do. The parser calls these methods
 * of its own for words that it cannot take.
 */
export class WordsCommand extends Command {
  /** Whether options that it does not have are words like others. */
  passesOn = false;

  /** Makes the commands below it of the same class. */
  override createCommand(name?: string): WordsCommand {
    return new WordsCommand(name);
  }

  /** Ends with what the parser has no method for. */
  override error(message: string): never {
    throw usageError(
      `Cannot run ${this.words}: ${message.replace(/^error: /, "")}`,
      "See the help",
    );
  }

  /** All its words: `notebook new`. */
  get words(): string {
    const parent = this.parent instanceof WordsCommand ? this.parent.words : "";
    return parent === "" || this.parent?.parent == null ? this.name() : `${parent} ${this.name()}`;
  }

  /** For an option that it does not have. */
  unknownOption(flag: string): void {
    if (this.passesOn) return;
    const name = flag.split("=")[0] ?? flag;
    const known = [...this.options.map(({ long }) => long ?? ""), "--help"];
    if (name !== flag && known.includes(name)) {
      throw usageError(`Cannot run ${this.words} with ${flag}: it takes no value`, `Pass ${name}`);
    }
    const nearest = nearestText(name, known);
    throw usageError(
      `Cannot run ${this.words} with ${name}: ${why(nearest, "option")}`,
      nearest === undefined ? "Leave it out" : `Pass ${nearest}`,
    );
  }

  /** For a word that is no command. */
  unknownCommand(): never {
    const known = this.commands.map((command) => command.name());
    // `help exprt` asks for the help of a command that there is not.
    const word = this.args.find((each) => each !== "help") ?? "";
    const from = this.parent === null ? this.name() : `${this.parent.name()} ${this.name()}`;
    throw usageError(
      `Cannot run ${from} ${word}: ${why(nearestText(word, known), "command")}`,
      `Pass one of ${known.join(", ")}`,
    );
  }

  /** For words that are too many; the parser's own method is named so. */
  _excessArguments(words: readonly string[]): void {
    const excess = words[this.registeredArguments.length];
    if (excess === undefined || this.registeredArguments.some(({ variadic }) => variadic)) return;
    throw usageError(
      `Cannot run ${this.words} with ${excess}: it takes fewer words`,
      "Leave it out",
    );
  }

  /** For an argument that is not there. */
  missingArgument(name: string): never {
    throw usageError(
      `Cannot run ${this.words} without its <${name}>`,
      `Pass it, as in ${usageOf(this)}`,
    );
  }

  /** For an option without its value. */
  optionMissingArgument({ flags }: Option): never {
    throw usageError(
      `Cannot run ${this.words} with ${flags.split(" ")[0]} and no value`,
      `Pass ${flags.split(/, /).at(-1)}`,
    );
  }
}

function why(nearest: string | undefined, noun: string): string {
  return nearest === undefined ? `there is no such ${noun}` : `did you mean ${nearest}?`;
}

function usageOf(command: WordsCommand): string {
  const names = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
  );
  return ["orderlens", command.words, ...names, "[options]"].join(" ");
}
