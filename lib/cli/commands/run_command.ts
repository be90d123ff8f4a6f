import {
  DamagedError,
  OrderlensError,
  type OrderlensErrorCode,
  ServiceError,
} from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { GET_LOGS, isBusy } from "../../evm/node/rpc_batches.ts";
import { visibleText } from "../../reports/page/page_content.ts";
import { type Args, commandLine, type CommandSpec } from "../arguments/command_line.ts";
import { commandIn, parseWords } from "../arguments/parse_words.ts";
import { EXIT, type ExitCode, type Io } from "../terminal/io.ts";
import { painted, Session, type Verbosity } from "../terminal/session.ts";

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
    const again = running?.isResumable === true ? hideSecrets(`  ${commandLine(raw)}\n`) : null;
    if (io.signal.aborted) {
      const how = again && `; everything is kept. Run the same command to continue:\n${again}`;
      io.err.write(`Interrupted${how ?? "\n"}`);
      return EXIT.interrupted;
    }
    const code = exitCodeOf(error);
    const name = running?.name ?? commandIn(raw, commands)?.name;
    const hint = code === EXIT.usage ? ["orderlens", name ?? [], "--help"].flat().join(" ") : null;
    showError(io, error, { isVerbose: raw.includes("--verbose"), hint });
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
/** What remedies of the library name, and how the same is written on a command line. */
const IN_WORDS = [
  ["Pass a partner's key in the option `headers`", "Set ORDERLENS_API_KEY to a partner's key"],
  ["pass keys in the option `headers`", "set ORDERLENS_API_KEY"],
  [" or in the option `headers`", ""],
  [", or lower the options `rateLimit` and `concurrency`", ", or pass another node"],
  ["the option `rateLimit`", "--rate"],
  ["`follow`", "--follow"],
  ["Run it in Deno", "Run it with `npx -y deno run -A npm:@orderlens/orderlens`"],
  [", or connect to the sandbox directly, which answers in-process", ""],
  [", or use openSql", ", or leave out --engine"],
  [", and run it with `--allow-read --allow-write`", ""],
] as const;

/** Writes an error: what failed, why, and what to do. Secrets are hidden. */
function showError(
  io: Io,
  error: unknown,
  { isVerbose, hint }: { readonly isVerbose: boolean; readonly hint: string | null },
): void {
  const lines = [textOf(error)];
  if (hint !== null) lines.push(`Help: ${hint}`);
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
