import {
  checkOptions,
  defineRule,
  numberFrom,
  oneOf,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { MAX_TIMER_MS } from "../../http/transport.ts";
import type { Random } from "../market/ledger.ts";
import { type Operation, ROUTES } from "./routes.ts";

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
    checkOptions(options, OPTIONS, "Cannot inject a fault");
    const fault: ActiveFault = { options, hits: 0 };
    this.#active.add(fault);
    return {
      get hits() {
        return fault.hits;
      },
      remove: () => void this.#active.delete(fault),
    };
  }

  /** Draws the faults that affect a request. */
  draw(operation: Operation | null, url: URL): readonly FaultOptions[] {
    const faults: FaultOptions[] = [];
    for (const fault of this.#active) {
      const { options } = fault;
      const { rate = 1, times = Infinity } = options;
      if (!isTargeted(options, operation) || !isApplicable(options.kind, { operation, url })) {
        continue;
      }
      if (fault.hits >= times) continue;
      if (this.#random.below(MILLIONTHS) >= rate * MILLIONTHS) continue;
      fault.hits++;
      faults.push(options);
    }
    return faults;
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

const OPERATIONS: readonly unknown[] = [...new Set(ROUTES.map(({ operation }) => operation))]
  .sort();

const OPTIONS: OptionRules<FaultOptions> = {
  kind: required(oneOf(...KINDS)),
  operation: defineRule(
    `one or an array of ${OPERATIONS.join(", ")}`,
    (value) => [value].flat().every((operation) => OPERATIONS.includes(operation)),
  ),
  rate: defineRule(
    "a share from 0 to 1",
    (rate) => typeof rate === "number" && rate >= 0 && rate <= 1,
  ),
  times: wholeNumber(0),
  ms: numberFrom(0, MAX_TIMER_MS, "milliseconds"),
  retryAfterSec: wholeNumber(0),
};

/** The kinds of faults that can be injected. */
export type FaultKind =
  /** The response takes `ms` longer. */
  | "latency"
  /** 429, with `Retry-After` where `retryAfterSec` is given. */
  | "rateLimited"
  /** 500 with the service's body. */
  | "serverError"
  /** The connection closes without a response. */
  | "reset"
  /** The body is cut off. */
  | "truncated"
  /** 503 with an HTML page. */
  | "html"
  /** The body arrives in chunks over `ms`. */
  | "slowBody"
  /** A page starts one row early, so a row is repeated. */
  | "duplicateRows"
  /** A page starts one row late, so a row is missing. */
  | "shiftedRows"
  /** 404 for an auction that was held. */
  | "missingCompetition"
  /** Objects have unknown fields. */
  | "unknownFields"
  /** Statuses, labels and classes have unknown values. */
  | "unknownValues";

/** A fault to inject. */
export interface FaultOptions {
  /** Kind of the fault. */
  readonly kind: FaultKind;
  /** Operations that it affects. @default {all} */
  readonly operation?: Operation | readonly Operation[];
  /** Share of requests that it affects, from 0 to 1. @default {1} */
  readonly rate?: number;
  /** Maximum number of requests that it affects. @default {no limit} */
  readonly times?: number;
  /** Duration of `latency` and `slowBody`, in milliseconds. @default {100} */
  readonly ms?: number;
  /** `Retry-After` of `rateLimited`, in seconds. @default {no header} */
  readonly retryAfterSec?: number;
}

/** An injected fault. */
export interface SandboxFault {
  /** Number of requests affected so far. */
  readonly hits: number;
  /** Removes the fault: later requests are not affected. */
  remove(): void;
}
