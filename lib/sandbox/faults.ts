import { InputError } from "../errors/mod.ts";
import type { Random } from "./random.ts";
import type { FaultOptions, SandboxFault } from "./fault.ts";
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
  draw(operation: Operation | null): readonly FaultOptions[] {
    const hit: FaultOptions[] = [];
    for (const fault of this.#active) {
      const { operation: only, rate = 1, times = Infinity } = fault.options;
      const isMeant = only === undefined ||
        (operation !== null && (typeof only === "string" ? [only] : only).includes(operation));
      if (!isMeant || fault.hits >= times) continue;
      if (this.#random.below(MILLIONTHS) >= rate * MILLIONTHS) continue;
      fault.hits++;
      hit.push(fault.options);
    }
    return hit;
  }
}

interface ActiveFault {
  readonly options: FaultOptions;
  hits: number;
}

const KINDS: readonly string[] = [
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

function check({ kind, operation, rate = 1, ms = 0, times = 1 }: FaultOptions): void {
  const fail = (what: string, remedy: string) =>
    new InputError(`Cannot make a fault with ${what}`, { remedy });
  if (!KINDS.includes(kind)) {
    throw fail(`kind ${JSON.stringify(kind)}`, `Pass one of ${KINDS.join(", ")}`);
  }
  if (!(rate >= 0 && rate <= 1)) throw fail(`rate ${rate}`, "Pass a share from 0 to 1");
  if (!(ms >= 0)) throw fail(`ms ${ms}`, "Pass milliseconds, 0 or more");
  if (!(times >= 0)) throw fail(`times ${times}`, "Pass a count, 0 or more");
  const named = operation === undefined
    ? []
    : typeof operation === "string"
    ? [operation]
    : operation;
  for (const one of named) {
    if (!OPERATIONS.includes(one)) {
      throw fail(`operation ${JSON.stringify(one)}`, `Pass one of ${OPERATIONS.join(", ")}`);
    }
  }
}
