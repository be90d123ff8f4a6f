import type { Random } from "../market/state/random.ts";
import { checkFault } from "./check_fault.ts";
import type { FaultOptions, SandboxFault } from "./fault.ts";
import type { Operation } from "../wire/operations.ts";

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
  return operation !== null && [only].flat().includes(operation);
}

/** Whether a fault applies to a request: pages can shift only after the first one. */
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
