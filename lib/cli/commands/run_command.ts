import {
  DamagedError,
  OrderlensError,
  type OrderlensErrorCode,
  ServiceError,
} from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { GET_LOGS, isBusy } from "../../evm/node/rpc_batches.ts";
import { formatCommand } from "../../errors/shell_words.ts";
import { escapeControls } from "../../reports/page/page_content.ts";
import { formatAdvice } from "../arguments/format_advice.ts";
import {
  Args,
  type CommandSpec,
  type Declaration,
  listOptions,
  parseDeclaration,
  unknownWordError,
  usageError,
} from "../arguments/command_line.ts";
import { EXIT, type ExitCode, type Io } from "../terminal/io.ts";
import { paint, Session, type Verbosity } from "../terminal/session.ts";
import { findNearestText } from "../../errors/orderlens_error.ts";

/** Runs the command that the words name, and prints its error. */
export async function runCommand(
  raw: readonly string[],
  io: Io,
  commands: readonly CommandSpec[],
): Promise<ExitCode> {
  let running: CommandSpec | undefined;
  try {
    const { spec, args } = parseWords(raw, commands);
    running = spec;
    return await spec.run(new Session(io, readSettings(args)), args);
  } catch (error) {
    const retryLine = running?.isResumable === true
      ? hideSecrets(`  ${formatCommand(raw)}\n`)
      : null;
    if (io.signal.aborted) {
      const advice = retryLine &&
        `; progress is saved. Run the same command to continue:\n${retryLine}`;
      io.err.write(`Interrupted${advice ?? "\n"}`);
      return EXIT.interrupted;
    }
    const code = toExitCode(error);
    const name = running?.name ?? findCommand(raw, commands)?.name;
    const hint = code === EXIT.usage ? ["orderlens", name ?? [], "--help"].flat().join(" ") : null;
    const hasRate = running !== undefined && "--rate <number>" in listOptions(running);
    showError(io, error, { isVerbose: raw.includes("--verbose"), hint, hasRate });
    const mayContinue = code === EXIT.failed || code === EXIT.comeBackLater;
    if (retryLine !== null && mayContinue && !raw.includes("--quiet")) {
      io.err.write(`To continue, run the same command:\n${retryLine}`);
    }
    return code;
  }
}

function readSettings(args: Args): { isJson: boolean; verbosity: Verbosity } {
  const [isQuiet, isVerbose] = [args.has("--quiet"), args.has("--verbose")];
  if (isQuiet && isVerbose) {
    throw args.error("with --quiet and --verbose", "Pass only one of them");
  }
  return {
    isJson: args.has("--json"),
    verbosity: isQuiet ? "quiet" : isVerbose ? "verbose" : "usual",
  };
}

/** Exit codes of the library's errors. */
const EXIT_BY_CODE: Partial<Record<OrderlensErrorCode, ExitCode>> = {
  input: EXIT.usage,
  unauthorized: EXIT.unauthorized,
  not_found: EXIT.notFound,
  not_recorded: EXIT.notFound,
  mismatch: EXIT.differs,
  rate_limited: EXIT.comeBackLater,
};

/** Exit codes by system error, where the command line names a wrong path or one in use. */
const EXIT_BY_CAUSE: Readonly<Record<string, ExitCode>> = {
  ENOENT: EXIT.notFound,
  ENOTDIR: EXIT.usage,
  EBUSY: EXIT.comeBackLater,
};

export function toExitCode(error: unknown): ExitCode {
  if (!(error instanceof OrderlensError)) return EXIT.failed;
  if (isBusyNode(error)) return EXIT.comeBackLater;
  if (error instanceof DamagedError) return EXIT.differs;
  const { code, cause } = error;
  if (code !== "input" || cause === undefined) return EXIT_BY_CODE[code] ?? EXIT.failed;
  return EXIT_BY_CAUSE[String(Object(cause).code)] ?? EXIT.failed;
}

/** Whether a node reports too many requests; for logs, the message may instead mean a range too large. */
function isBusyNode(error: OrderlensError): boolean {
  if (!(error instanceof ServiceError)) return false;
  const [, code] = /^JSON-RPC (-?\d+)$/.exec(error.errorType) ?? [];
  if (code === undefined) return false;
  return isBusy({ error: { code: Number(code), message: error.description } }, {
    method: GET_LOGS,
  });
}

const MAX_CAUSES = 10;
/** Prints an error with its facts and remedy. Secrets are hidden. */
function showError(
  io: Io,
  error: unknown,
  { isVerbose, hint, hasRate }: {
    readonly isVerbose: boolean;
    readonly hint: string | null;
    readonly hasRate: boolean;
  },
): void {
  const lines = [formatError(error, hasRate)];
  if (hint !== null) lines.push(`Help: ${hint}`);
  if (isVerbose) lines.push(...formatStacks(error));
  const text = hideSecrets(escapeControls(`${lines.join("\n")}\n`));
  io.err.write(`${paint(io, "31", "Error:")} ${text}`);
}

/** Formats an error; advice names only options that the command has. */
function formatError(error: unknown, hasRate: boolean): string {
  if (error instanceof OrderlensError) {
    return formatAdvice(error.message, { hasRate });
  }
  const message = error instanceof Error ? error.message : String(error);
  return `${message}\nFix: Pass --verbose to see where it happened`;
}

/** Formats the stack of an error, and those of its causes. */
function formatStacks(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
  const causes: string[] = [];
  let cause = error.cause;
  while (cause instanceof Error && causes.length < MAX_CAUSES) {
    causes.push(`Caused by: ${cause.stack ?? cause.message}`);
    cause = cause.cause;
  }
  return [...frames, ...causes];
}

/**
 * Parses a command line: the command, its arguments and its options.
 *
 * @throws {InputError} If a command or option is unknown, or arguments are missing or too many.
 */
export function parseWords(raw: readonly string[], commands: readonly CommandSpec[]) {
  const spec = findCommand(raw, commands);
  if (spec === undefined) throw unknownCommandError(raw, commands);
  const argv = raw.slice(spec.name.split(" ").length);
  // The other program parses them.
  if (spec.passesOn === true) {
    return { spec, args: new Args(spec.name, { words: argv, raw: argv, values: new Map() }) };
  }
  const { words, values } = readWords(spec, argv);
  requireWords(spec, words);
  return { spec, args: new Args(spec.name, { words, raw: argv, values }) };
}

function findCommand(
  raw: readonly string[],
  commands: readonly CommandSpec[],
): CommandSpec | undefined {
  const names = [raw.slice(0, 2).join(" "), raw[0]];
  return commands.find(({ name }) => names.includes(name));
}

function unknownCommandError(raw: readonly string[], commands: readonly CommandSpec[]): Error {
  // `help exprt` requests the help of an unknown command.
  const [first = "", second = ""] = raw.filter((word) => word !== "help");
  const members = commands.map(({ name }) => name.split(" "))
    .flatMap(([group, member]) => group === first && member !== undefined ? [member] : []);
  const [program, word] = members.length > 0
    ? [`orderlens ${first}`, second]
    : ["orderlens", first];
  const names = members.length > 0 ? members : commands.map(({ name }) => name.split(" ")[0]!);
  return unknownWordError(`Cannot run ${program} ${word}`, { noun: "command", word }, [
    ...new Set(names),
  ]);
}

function readWords(spec: CommandSpec, raw: readonly string[]) {
  const options = Object.keys(listOptions(spec)).map(parseDeclaration);
  const words: string[] = [];
  const values = new Map<string, string[]>();
  const queue = [...raw];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      words.push(...queue.splice(0));
    } else if (word === "-" || !word.startsWith("-")) {
      words.push(word);
    } else {
      const option = matchOption(spec, word, options);
      const value = takeValue(spec, { word, option, queue });
      const earlier = option.isRepeated ? values.get(option.name) ?? [] : [];
      values.set(option.name, value === undefined ? earlier : [...earlier, value]);
    }
  }
  return { words, values };
}

function matchOption(
  { name: command, refusedOptions = {} }: CommandSpec,
  word: string,
  options: readonly Declaration[],
) {
  const [name = word] = word.split("=");
  const option = options.find((candidate) => candidate.name === name);
  const cannot = `Cannot run ${command} with`;
  const reason = refusedOptions[name];
  if (reason !== undefined) throw usageError(`${cannot} ${name}: ${reason}`, "Leave it out");
  if (option?.value === null && word !== name) {
    throw usageError(`${cannot} ${word}: it takes no value`, `Pass ${name}`);
  }
  if (option !== undefined) return option;
  const nearest = findNearestText(name, [...options.map((candidate) => candidate.name), "--help"]);
  throw nearest === undefined
    ? usageError(`${cannot} ${name}: there is no such option`, "Leave it out")
    : usageError(`${cannot} ${name}: did you mean ${nearest}?`, `Pass ${nearest}`);
}

/** Takes the value of an option from its own word or from the next one. */
function takeValue(
  spec: CommandSpec,
  { word, option, queue }: {
    readonly word: string;
    readonly option: Declaration;
    readonly queue: string[];
  },
): string | undefined {
  const { name, value, isOptional } = option;
  if (word !== name) return word.slice(name.length + 1);
  if (value === null || isOptional && (queue[0] ?? "-").startsWith("-")) return undefined;
  const next = queue.shift();
  if (next !== undefined) return next;
  throw usageError(`Cannot run ${spec.name} with ${name} and no value`, `Pass ${name} <${value}>`);
}

/** Rejects missing, excess or empty arguments; an unset variable makes an empty one. */
function requireWords(spec: CommandSpec, words: readonly string[]): void {
  const names = Object.keys(spec.arguments ?? {});
  const cannot = `Cannot run ${spec.name}`;
  const missingName = names[words.length];
  if (missingName?.startsWith("<")) {
    throw usageError(
      `${cannot} without its ${missingName.replace("...", "")}`,
      `Pass it, as in orderlens ${spec.name} ${names.join(" ")} [options]`,
    );
  }
  const excess = words[names.length];
  if (excess !== undefined && !names.some((name) => parseDeclaration(name).isRepeated)) {
    throw usageError(`${cannot} with ${excess}: too many arguments`, "Leave it out");
  }
  if (!words.includes("")) return;
  throw usageError(`${cannot} with an empty argument`, "Pass a path or a name instead");
}
