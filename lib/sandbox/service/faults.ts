import { InputError } from "../../errors/mod.ts";
import { requireKnown } from "../../errors/require_known.ts";
import type { Random } from "../market/random.ts";
import type { FaultKind, FaultOptions, SandboxFault } from "./fault.ts";
import { type Operation, OPERATIONS } from "./operations.ts";

const MILLIONTHS = 1_000_000;

/** The faults that were asked for; which requests they hit follows from the seed. */
export class Faults {
  readonly #active = new Set<ActiveFault>();
  readonly #random: Random;

  /** None yet. */
  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Asks for a fault.
   *
   * @throws {InputError} If the rate, the operation or a time means nothing.
   */
  add(options: FaultOptions): SandboxFault {
    check(options);
    const fault: ActiveFault = { options, hits: 0 };
    this.#active.add(fault);
    return {
      get hits() {
        return fault.hits;
      },
      remove: () => void this.#active.delete(fault),
    };
  }

  /** The faults that hit a request. */
  draw(operation: Operation | null, url: URL): readonly FaultOptions[] {
    const hit: FaultOptions[] = [];
    for (const fault of this.#active) {
      const { options } = fault;
      const { rate = 1, times = Infinity } = options;
      if (!isMeant(options, operation) || !isPossible(options.kind, { operation, url })) continue;
      if (fault.hits >= times) continue;
      if (this.#random.below(MILLIONTHS) >= rate * MILLIONTHS) continue;
      fault.hits++;
      hit.push(options);
    }
    return hit;
  }
}

function isMeant({ operation: only }: FaultOptions, operation: Operation | null): boolean {
  if (only === undefined) return true;
  return operation !== null && namesIn(only).includes(operation);
}

function namesIn(operation: Operation | readonly Operation[]): readonly Operation[] {
  return typeof operation === "string" ? [operation] : operation;
}

/** Whether a fault means anything to a request: pages shift where there was one before. */
function isPossible(
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

/** The longest that a timer waits. */
const LONGEST_MS = 2 ** 31 - 1;

const FAULT_OPTIONS: readonly (keyof FaultOptions)[] = [
  "kind",
  "operation",
  "rate",
  "times",
  "ms",
  "retryAfterSec",
];

function check(options: FaultOptions): void {
  requireKnown(options, FAULT_OPTIONS, "Cannot make a fault");
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
  for (const one of operation === undefined ? [] : namesIn(operation)) {
    if (!OPERATIONS.includes(one)) {
      throw fail(`operation ${JSON.stringify(one)}`, `Pass one of ${OPERATIONS.join(", ")}`);
    }
  }
}
