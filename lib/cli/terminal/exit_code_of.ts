import {
  DamagedError,
  OrderlensError,
  type OrderlensErrorCode,
  ServiceError,
} from "../../errors/mod.ts";
import { GET_LOGS } from "../../evm/node/log_calls.ts";
import { isBusy } from "../../evm/node/rpc_busy.ts";
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
