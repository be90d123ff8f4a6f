import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  numberFrom,
  oneOf,
  type OptionRules,
  rule,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { FaultKind, FaultOptions } from "./fault.ts";
import { OPERATIONS } from "../wire/operations.ts";

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

/** Maximum delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const OPTIONS: OptionRules<FaultOptions> = {
  kind: oneOf(...KINDS),
  operation: rule(
    `one or an array of ${OPERATIONS.join(", ")}`,
    (value) => [value].flat().every((one) => (OPERATIONS as readonly unknown[]).includes(one)),
  ),
  rate: rule("a share from 0 to 1", (rate) => typeof rate === "number" && rate >= 0 && rate <= 1),
  times: wholeFrom(0),
  ms: numberFrom(0, MAX_TIMER_MS, "milliseconds"),
  retryAfterSec: wholeFrom(0),
};

/**
 * Checks the options of a fault.
 *
 * @throws {InputError} If an option is invalid or unknown.
 */
export function checkFault(options: FaultOptions): void {
  checkOptions(options, OPTIONS, "Cannot inject a fault");
  if (options.kind !== undefined) return;
  throw new InputError("Cannot inject a fault without a kind", {
    remedy: `Pass one of ${KINDS.join(", ")} as kind`,
  });
}
