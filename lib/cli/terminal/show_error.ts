import { OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { visibleText } from "../../reports/page/safe_text.ts";
import type { Io } from "./io.ts";
import { painted } from "./session.ts";

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
export function showError(io: Io, error: unknown, { isVerbose, hint }: ErrorDisplay): void {
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
