import { OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import type { Io } from "./io.ts";
import { painted } from "./session.ts";

/** How an error is shown. */
export interface ErrorDisplay {
  /** Whether the stack is shown, and those of its causes. */
  readonly isVerbose: boolean;
  /** The command, for a hint to its help where its words were wrong. */
  readonly hint?: string | undefined;
}

/** Writes an error: what failed, why, and what to do. Secrets are hidden. */
export function showError(io: Io, error: unknown, { isVerbose, hint }: ErrorDisplay): void {
  const lines = [`${painted(io, "31", "Error:")} ${textOf(error)}`];
  if (hint !== undefined) lines.push(`Help: ${hint} --help`);
  if (isVerbose) lines.push(...stacksOf(error));
  io.err.write(hideSecrets(`${lines.join("\n")}\n`));
}

function textOf(error: unknown): string {
  if (error instanceof OrderlensError) return error.message;
  const what = error instanceof Error ? error.message : String(error);
  return `${what}\nFix: Pass --verbose to see where it happened`;
}

function stacksOf(error: unknown): string[] {
  const stacks: string[] = [];
  let at = error;
  while (at instanceof Error && stacks.length < 10) {
    stacks.push(`${stacks.length === 0 ? "" : "Caused by: "}${at.stack ?? at.message}`);
    at = at.cause;
  }
  return stacks;
}
