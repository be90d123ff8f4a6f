import { Argument, Command, type Option } from "commander";
import {
  DamagedError,
  OrderlensError,
  type OrderlensErrorCode,
  ServiceError,
} from "../../errors/mod.ts";
import { nearestText } from "../../errors/orderlens_error.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { GET_LOGS, isBusy } from "../../evm/node/rpc_batches.ts";
import { visibleText } from "../../reports/page/page_content.ts";
import {
  Args,
  commandLine,
  type CommandSpec,
  COMMON_OPTIONS,
  usageError,
} from "../arguments/command_line.ts";
import { EXIT, type ExitCode, type Io } from "../terminal/io.ts";
import { painted, Session, type Verbosity } from "../terminal/session.ts";

/** Runs the command that the words name, and shows its error. */
export async function runCommand(
  args: readonly string[],
  io: Io,
  commands: readonly CommandSpec[],
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  let running: CommandSpec | undefined;
  const program = buildProgram({ commands, raw: args }, async (spec, args) => {
    running = spec;
    code = await spec.run(new Session(io, settingsOf(args)), args);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (io.signal.aborted) {
      showInterruption(io, running, args);
      return EXIT.interrupted;
    }
    const exitCode = exitCodeOf(error);
    const name = running?.name ?? commandIn(args, commands);
    showError(io, error, {
      isVerbose: args.includes("--verbose"),
      hint: exitCode === EXIT.usage ? `orderlens${name === "" ? "" : ` ${name}`}` : undefined,
    });
    const mayGoOn = exitCode === EXIT.failed || exitCode === EXIT.comeBackLater;
    if (running?.isResumable === true && mayGoOn && !args.includes("--quiet")) {
      io.err.write(hideSecrets(`To go on: the same command\n  ${commandLine(args)}\n`));
    }
    return exitCode;
  }
}

function showInterruption(
  { err }: Io,
  running: CommandSpec | undefined,
  args: readonly string[],
): void {
  const how = running?.isResumable === true
    ? `Interrupted; everything is kept. The same command goes on:\n  ${commandLine(args)}\n`
    : "Interrupted\n";
  err.write(hideSecrets(how));
}

function settingsOf(args: Args): { isJson: boolean; verbosity: Verbosity } {
  const [isQuiet, isVerbose] = [args.has("--quiet"), args.has("--verbose")];
  if (isQuiet && isVerbose) {
    throw usageError(`${args.cannot} with --quiet and --verbose`, "Pass one of them");
  }
  return {
    isJson: args.has("--json"),
    verbosity: isQuiet ? "quiet" : isVerbose ? "verbose" : "usual",
  };
}

/** The command that the words begin with; empty if there is none. */
function commandIn(args: readonly string[], commands: readonly CommandSpec[]): string {
  const known = commands.map(({ name }) => name);
  return [args.slice(0, 2).join(" "), args[0] ?? ""].find((words) => known.includes(words)) ?? "";
}

/** Errors of the library that have an exit code of their own. */
const BY_CODE: Partial<Record<OrderlensErrorCode, ExitCode>> = {
  input: EXIT.usage,
  unauthorized: EXIT.unauthorized,
  not_found: EXIT.notFound,
  not_recorded: EXIT.notFound,
  mismatch: EXIT.differs,
  rate_limited: EXIT.comeBackLater,
};

/** What the system refused that is no failure: the words name the wrong thing, or it is in use. */
const BY_CAUSE: Readonly<Record<string, ExitCode>> = {
  ENOENT: EXIT.notFound,
  ENOTDIR: EXIT.usage,
  EBUSY: EXIT.comeBackLater,
};

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof OrderlensError)) return EXIT.failed;
  if (isBusyNode(error)) return EXIT.comeBackLater;
  if (error instanceof DamagedError) return EXIT.differs;
  const { code, cause } = error;
  if (code !== "input" || cause === undefined) return BY_CODE[code] ?? EXIT.failed;
  return BY_CAUSE[String(Object(cause).code)] ?? EXIT.failed;
}

/** Whether a node says that it is asked too often; a query for logs may be too large for ever. */
function isBusyNode(error: OrderlensError): boolean {
  if (!(error instanceof ServiceError)) return false;
  const [, code] = /^JSON-RPC (-?\d+)$/.exec(error.errorType) ?? [];
  if (code === undefined) return false;
  return isBusy({ error: { code: Number(code), message: error.description } }, {
    method: GET_LOGS,
  });
}

/** How an error is shown. */
export interface ErrorDisplay {
  /** Whether the stack is shown, and those of its causes. */
  readonly isVerbose: boolean;
  /** The command, for a hint to its help where its words were wrong. */
  readonly hint?: string | undefined;
}

const MOST_CAUSES = 10;
/** What remedies of the library name, and how the same is written on a command line. */
const IN_WORDS = [
  ["Pass a partner's key in the option `headers`", "Set ORDERLENS_API_KEY to a partner's key"],
  ["pass keys in the option `headers`", "set ORDERLENS_API_KEY"],
  [" or in the option `headers`", ""],
  [", or lower the options `rateLimit` and `concurrency`", ", or pass another node"],
  ["the option `rateLimit`", "--rate"],
  ["`follow`", "--follow"],
  [", and run it with `--allow-read --allow-write`", ""],
] as const;

/** Writes an error: what failed, why, and what to do. Secrets are hidden. */
function showError(io: Io, error: unknown, { isVerbose, hint }: ErrorDisplay): void {
  const lines = [textOf(error)];
  if (hint !== undefined) lines.push(`Help: ${hint} --help`);
  if (isVerbose) lines.push(...stacksOf(error));
  const text = hideSecrets(visibleText(`${lines.join("\n")}\n`));
  io.err.write(`${painted(io, "31", "Error:")} ${text}`);
}

function textOf(error: unknown): string {
  if (error instanceof OrderlensError) {
    return IN_WORDS.reduce((text, [code, words]) => text.replaceAll(code, words), error.message);
  }
  const what = error instanceof Error ? error.message : String(error);
  return `${what}\nFix: Pass --verbose to see where it happened`;
}

/** Where an error was thrown, and its causes with their own texts. */
function stacksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const places = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
  const causes: string[] = [];
  let at = error.cause;
  while (at instanceof Error && causes.length < MOST_CAUSES) {
    causes.push(`Caused by: ${at.stack ?? at.message}`);
    at = at.cause;
  }
  return [...places, ...causes];
}

/** Called with what was written for a command. */
export type Call = (spec: CommandSpec, args: Args) => Promise<void>;

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
      return call(spec, new Args(spec.name, parsed));
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

/**
 * A command of the parser whose errors say what, why and what to do. The parser calls these methods
 * of its own for words that it cannot take.
 */
class WordsCommand extends Command {
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
