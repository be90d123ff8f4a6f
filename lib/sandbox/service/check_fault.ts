import { InputError } from "../../errors/mod.ts";
import { requireKnown } from "../../errors/require_known.ts";
import type { FaultKind, FaultOptions } from "./fault.ts";
import { OPERATIONS } from "./operations.ts";

const KINDS: readonly FaultKind[] = [
  "latency",
  "rateLimited",
  "serverError",
  "reset",
  "truncated",
  "html",
  "slowBody",
  "duplicateRows",
  "shiftedRows",
  "missingCompetition",
  "unknownFields",
  "unknownValues",
];

/** The longest that a timer waits. */
const LONGEST_MS = 2 ** 31 - 1;

const OPTIONS: readonly (keyof FaultOptions)[] = [
  "kind",
  "operation",
  "rate",
  "times",
  "ms",
  "retryAfterSec",
];

/**
 * Checks what is asked for.
 *
 * @throws {InputError} If an option means nothing, or there is no such option.
 */
export function checkFault(options: FaultOptions): void {
  requireKnown(options, OPTIONS, "Cannot make a fault");
  const { kind, operation, rate = 1, ms = 0, times = 1, retryAfterSec = 0 } = options;
  const fail = (what: string, remedy: string) =>
    new InputError(`Cannot make a fault with ${what}`, { remedy });
  if (!KINDS.includes(kind)) {
    throw fail(`kind ${JSON.stringify(kind)}`, `Pass one of ${KINDS.join(", ")}`);
  }
  if (!(rate >= 0 && rate <= 1)) throw fail(`rate ${rate}`, "Pass a share from 0 to 1");
  if (!(ms >= 0 && ms <= LONGEST_MS)) {
    throw fail(`ms ${ms}`, `Pass milliseconds from 0 to ${LONGEST_MS}`);
  }
  if (!(Number.isSafeInteger(times) && times >= 0)) {
    throw fail(`times ${times}`, "Pass a whole number, 0 or more");
  }
  if (!(Number.isSafeInteger(retryAfterSec) && retryAfterSec >= 0)) {
    throw fail(`retryAfterSec ${retryAfterSec}`, "Pass whole seconds, 0 or more");
  }
  for (const one of [operation ?? []].flat()) {
    if (!OPERATIONS.includes(one)) {
      throw fail(`operation ${JSON.stringify(one)}`, `Pass one of ${OPERATIONS.join(", ")}`);
    }
  }
}
