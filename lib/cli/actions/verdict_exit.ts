import { EXIT, type ExitCode } from "../terminal/exit_code.ts";

/** Exit codes of `--exit-status`, by what became of the order. */
export const VERDICT_EXITS = {
  filled: 0,
  notFound: EXIT.notFound,
  open: 10,
  cancelled: 11,
  expired: 12,
  partlyFilled: 13,
} as const;

/** The exit code for a verdict. */
export function exitOfVerdict(verdict: string): ExitCode {
  if (verdict === "unknown_here") return VERDICT_EXITS.notFound;
  if (/^(filled|jit_)/.test(verdict)) return VERDICT_EXITS.filled;
  if (/(^|_)open_/.test(verdict) || PENDING.has(verdict)) return VERDICT_EXITS.open;
  if (verdict.startsWith("partly_filled_")) return VERDICT_EXITS.partlyFilled;
  if (/^(cancelled|replaced|refunded)$/.test(verdict)) return VERDICT_EXITS.cancelled;
  return VERDICT_EXITS.expired;
}

/** Verdicts of orders that are neither open nor over by their status. */
const PENDING = new Set(["presignature_missing", "not_valid_yet", "executing"]);
