import {
  DamagedError,
  OrderlensError,
  type OrderlensErrorCode,
  ServiceError,
} from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { GET_LOGS, isBusy } from "../../evm/node/rpc_batches.ts";
import { formatCommand } from "../../errors/shell_words.ts";
import { visibleText } from "../../reports/page/page_content.ts";
import { formatAdvice } from "../arguments/format_advice.ts";
import {
  Args,
  type CommandSpec,
  type Declared,
  declared,
  optionsOf,
  unknownWord,
  usageError,
} from "../arguments/command_line.ts";
import { EXIT, type ExitCode, type Io } from "../terminal/io.ts";
import { painted, Session, type Verbosity } from "../terminal/session.ts";
import { findNearestText } from "../../errors/orderlens_error.ts";

/** Runs the command that the words name, and shows its error. */
export async function runCommand(
  raw: readonly string[],
  io: Io,
  commands: readonly CommandSpec[],
): Promise<ExitCode> {
  let running: CommandSpec | undefined;
  try {
    const { spec, args } = parseWords(raw, commands);
    running = spec;
    return await spec.run(new Session(io, settingsOf(args)), args);
  } catch (error) {
    const again = running?.isResumable === true ? hideSecrets(`  ${formatCommand(raw)}\n`) : null;
    if (io.signal.aborted) {
      const how = again && `; everything is kept. Run the same command to continue:\n${again}`;
      io.err.write(`Interrupted${how ?? "\n"}`);
      return EXIT.interrupted;
    }
    const code = exitCodeOf(error);
    const name = running?.name ?? commandIn(raw, commands)?.name;
    const hint = code === EXIT.usage ? ["orderlens", name ?? [], "--help"].flat().join(" ") : null;
    const hasRate = running !== undefined && "--rate <number>" in optionsOf(running);
    showError(io, error, { isVerbose: raw.includes("--verbose"), hint, hasRate });
    const mayGoOn = code === EXIT.failed || code === EXIT.comeBackLater;
    if (again !== null && mayGoOn && !raw.includes("--quiet")) {
      io.err.write(`To continue, run the same command:\n${again}`);
    }
    return code;
  }
}

function settingsOf(args: Args): { isJson: boolean; verbosity: Verbosity } {
  const [isQuiet, isVerbose] = [args.has("--quiet"), args.has("--verbose")];
  if (isQuiet && isVerbose) {
    throw args.error("with --quiet and --verbose", "Pass one of them");
  }
  return {
    isJson: args.has("--json"),
    verbosity: isQuiet ? "quiet" : isVerbose ? "verbose" : "usual",
  };
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

const MOST_CAUSES = 10;
/** Writes an error: what failed, why, and what to do. Secrets are hidden. */
function showError(
  io: Io,
  error: unknown,
  { isVerbose, hint, hasRate }: {
    readonly isVerbose: boolean;
    readonly hint: string | null;
    readonly hasRate: boolean;
  },
): void {
  const lines = [textOf(error, hasRate)];
  if (hint !== null) lines.push(`Help: ${hint}`);
  if (isVerbose) lines.push(...stacksOf(error));
  const text = hideSecrets(visibleText(`${lines.join("\n")}\n`));
  io.err.write(`${painted(io, "31", "Error:")} ${text}`);
}

/** The text of an error, which names no option that the command lacks. */
function textOf(error: unknown, hasRate: boolean): string {
  if (error instanceof OrderlensError) {
    return formatAdvice(error.message, { hasRate });
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

/**
 * Finds the command that the words name, and reads its arguments and options.
 *
 * @throws {InputError} If there is no such command or option, or a word is missing or one too many.
 */
export function parseWords(raw: readonly string[], commands: readonly CommandSpec[]) {
  const spec = commandIn(raw, commands);
  if (spec === undefined) throw unknownCommand(raw, commands);
  const own = raw.slice(spec.name.split(" ").length);
  // They go to another program as they are.
  if (spec.passesOn === true) return { spec, args: new Args(spec.name, noneOf(own)) };
  const { words, values } = readWords(spec, own);
  requireWords(spec, words);
  return { spec, args: new Args(spec.name, { words, raw: own, values }) };
}

/** The command that the words begin with. */
function commandIn(
  raw: readonly string[],
  commands: readonly CommandSpec[],
): CommandSpec | undefined {
  const names = [raw.slice(0, 2).join(" "), raw[0]];
  return commands.find(({ name }) => names.includes(name));
}

function unknownCommand(raw: readonly string[], commands: readonly CommandSpec[]): Error {
  // `help exprt` asks for the help of a command that there is not.
  const [first = "", second = ""] = raw.filter((word) => word !== "help");
  const members = commands.map(({ name }) => name.split(" "))
    .flatMap(([group, member]) => group === first && member !== undefined ? [member] : []);
  const [what, word] = members.length > 0 ? [`orderlens ${first}`, second] : ["orderlens", first];
  const known = members.length > 0 ? members : commands.map(({ name }) => name.split(" ")[0]!);
  return unknownWord(`Cannot run ${what} ${word}`, { noun: "command", word }, [...new Set(known)]);
}

function noneOf(raw: readonly string[]) {
  return { words: raw, raw, values: new Map<string, string[]>() };
}

function readWords(spec: CommandSpec, raw: readonly string[]) {
  const known = Object.keys(optionsOf(spec)).map(declared);
  const words: string[] = [];
  const values = new Map<string, string[]>();
  const left = [...raw];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      words.push(...left.splice(0));
    } else if (word === "-" || !word.startsWith("-")) {
      words.push(word);
    } else {
      const option = optionOf(spec, word, known);
      const own = valueOf(spec, { word, option, left });
      const before = option.isRepeated ? values.get(option.name) ?? [] : [];
      values.set(option.name, own === undefined ? before : [...before, own]);
    }
  }
  return { words, values };
}

function optionOf(
  { name: command, refusedOptions = {} }: CommandSpec,
  word: string,
  known: readonly Declared[],
) {
  const [name = word] = word.split("=");
  const option = known.find((one) => one.name === name);
  const cannot = `Cannot run ${command} with`;
  const reason = refusedOptions[name];
  if (reason !== undefined) throw usageError(`${cannot} ${name}: ${reason}`, "Leave it out");
  if (option?.value === null && word !== name) {
    throw usageError(`${cannot} ${word}: it takes no value`, `Pass ${name}`);
  }
  if (option !== undefined) return option;
  const nearest = findNearestText(name, [...known.map((one) => one.name), "--help"]);
  throw nearest === undefined
    ? usageError(`${cannot} ${name}: there is no such option`, "Leave it out")
    : usageError(`${cannot} ${name}: did you mean ${nearest}?`, `Pass ${nearest}`);
}

/** The value in a word or in the next one, which it is taken from. */
function valueOf(
  spec: CommandSpec,
  { word, option, left }: {
    readonly word: string;
    readonly option: Declared;
    readonly left: string[];
  },
): string | undefined {
  const { name, value, isOptional } = option;
  if (word !== name) return word.slice(name.length + 1);
  if (value === null || isOptional && (left[0] ?? "-").startsWith("-")) return undefined;
  const own = left.shift();
  if (own !== undefined) return own;
  throw usageError(
    `Cannot run ${spec.name} with ${name} and no value`,
    `Pass ${name} <${value}>`,
  );
}

/** Refuses words that are missing, too many, or empty, as a variable that is not set makes them. */
function requireWords(spec: CommandSpec, words: readonly string[]): void {
  const names = Object.keys(spec.arguments ?? {});
  const cannot = `Cannot run ${spec.name}`;
  const missing = names[words.length];
  if (missing?.startsWith("<")) {
    throw usageError(
      `${cannot} without its ${missing.replace("...", "")}`,
      `Pass it, as in orderlens ${spec.name} ${names.join(" ")} [options]`,
    );
  }
  const excess = words[names.length];
  if (excess !== undefined && !names.some((name) => declared(name).isRepeated)) {
    throw usageError(`${cannot} with ${excess}: it takes fewer words`, "Leave it out");
  }
  if (!words.includes("")) return;
  throw usageError(`${cannot} with an empty word`, "Pass a path or a name in its place");
}
