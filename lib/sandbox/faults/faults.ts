import type { Random } from "../market/state/random.ts";
import { checkFault } from "./check_fault.ts";
import type { FaultOptions, SandboxFault } from "./fault.ts";
import type { Operation } from "../wire/operations.ts";

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
