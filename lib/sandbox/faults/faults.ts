import type { Random } from "../market/state/random.ts";
import type { FaultKind, FaultOptions, SandboxFault } from "./fault.ts";
import { type Operation, OPERATIONS } from "../wire/operations.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  numberFrom,
  oneOf,
  type OptionRules,
  rule,
  wholeFrom,
} from "../../errors/option_rules.ts";

const MILLIONTHS = 1_000_000;

/** The injected faults; the seed determines which requests they affect. */
export class Faults {
  readonly #active = new Set<ActiveFault>();
  readonly #random: Random;

  /** Starts without faults. */
  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Injects a fault.
   *
   * @throws {InputError} If the rate, the operation or a duration is invalid.
   */
  add(options: FaultOptions): SandboxFault {
    checkFault(options);
    const fault: ActiveFault = { options, hits: 0 };
    this.#active.add(fault);
    return {
      get hits() {
        return fault.hits;
      },
      remove: () => void this.#active.delete(fault),
    };
  }

  /** The faults that affect a request. */
  draw(operation: Operation | null, url: URL): readonly FaultOptions[] {
    const drawn: FaultOptions[] = [];
    for (const fault of this.#active) {
      const { options } = fault;
      const { rate = 1, times = Infinity } = options;
      if (!isTargeted(options, operation) || !isApplicable(options.kind, { operation, url })) {
        continue;
      }
      if (fault.hits >= times) continue;
      if (this.#random.below(MILLIONTHS) >= rate * MILLIONTHS) continue;
      fault.hits++;
      drawn.push(options);
    }
    return drawn;
  }
}

function isTargeted({ operation: only }: FaultOptions, operation: Operation | null): boolean {
  if (only === undefined) return true;
  return operation !== null && [only].flat().includes(operation);
}

/** Whether a fault applies to a request: pages can shift only after the first one. */
function isApplicable(
  kind: FaultOptions["kind"],
  { operation, url }: { operation: Operation | null; url: URL },
): boolean {
  if (kind === "missingCompetition") return operation === "competition";
  if (kind !== "duplicateRows" && kind !== "shiftedRows") return true;
  const isPaged = operation === "accountOrders" || operation === "trades";
  return isPaged && Number(url.searchParams.get("offset")) >= 1;
}

interface ActiveFault {
  readonly options: FaultOptions;
  hits: number;
}

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
function checkFault(options: FaultOptions): void {
  checkOptions(options, OPTIONS, "Cannot inject a fault");
  if (options.kind !== undefined) return;
  throw new InputError("Cannot inject a fault without a kind", {
    remedy: `Pass one of ${KINDS.join(", ")} as kind`,
  });
}
