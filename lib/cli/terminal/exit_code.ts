import { OrderlensError, type OrderlensErrorCode } from "../../errors/mod.ts";
import { isMissing } from "../../http/reading/local_files.ts";

/** How a command ended, as the system gets it. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  gaps: 3,
  unauthorized: 4,
  notFound: 5,
  differs: 6,
  comeBackLater: 75,
  interrupted: 130,
} as const;

/** An exit code of the command line. */
export type ExitCode = number;

/** What each exit code means, for `--help`. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  failed: "failed",
  usage: "the command line is wrong",
  gaps: "finished, with gaps",
  unauthorized: "the service needs a key, or refuses it",
  notFound: "not found",
  differs: "does not verify",
  comeBackLater: "come back later: the service asks to wait",
  interrupted: "interrupted, everything kept",
};

/** Errors of the library that have an exit code of their own. */
const BY_CODE: Partial<Record<OrderlensErrorCode, ExitCode>> = {
  input: EXIT.usage,
  unauthorized: EXIT.unauthorized,
  not_found: EXIT.notFound,
  not_recorded: EXIT.notFound,
  mismatch: EXIT.differs,
  rate_limited: EXIT.comeBackLater,
};

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof OrderlensError)) return EXIT.failed;
  // What the system refused is no mistake in the words, unless they name what is not there.
  if (error.code === "input" && error.cause !== undefined) {
    return isMissing(error.cause) ? EXIT.notFound : EXIT.failed;
  }
  return BY_CODE[error.code] ?? EXIT.failed;
}
