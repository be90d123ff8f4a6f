import { OrderlensError, type OrderlensErrorCode } from "../../errors/mod.ts";
import { isMissing } from "../../http/reading/local_files.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";

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
