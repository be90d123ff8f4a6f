/** The kinds of checks, in the order of the table's columns. */
export const CHECKS = [
  "answers",
  "filter",
  "winners",
  "ranking",
  "reference",
  "scores",
  "score bounds",
  "fees/trade",
  "fees/report",
  "executedFee",
  "statuses",
  "outcomes",
  "prices",
  "verdicts",
  "verdicts/public",
  "verdicts/deep",
] as const;

/** One kind of check. */
export type Check = typeof CHECKS[number];

/** Counts of one kind of check in a scenario. */
export interface Count {
  /** Number of checks. */
  made: number;
  /** Number of failures. */
  failed: number;
  /** Number of checks with missing inputs. */
  skipped: number;
}

/** The checks of one scenario. */
export class Tally {
  /** Name of the scenario. */
  readonly scenario: string;
  /** Counts by check. */
  readonly counts: ReadonlyMap<Check, Count>;
  /** Differences, one line each. */
  readonly failures: string[] = [];
  /** Number of reports by public responses whose sentence does not show why. */
  unexplained = 0;
  /** Notes below the table: what was inferred or skipped. */
  readonly remarks: string[] = [];

  /** Starts without checks. */
  constructor(scenario: string) {
    this.scenario = scenario;
    this.counts = new Map(CHECKS.map((check) => [check, { made: 0, failed: 0, skipped: 0 }]));
  }

  /** Counts one check; `difference` describes it, or is `null`. */
  check(check: Check, difference: string | null): void {
    const count = this.counts.get(check)!;
    count.made++;
    if (difference === null) return;
    count.failed++;
    this.failures.push(`${this.scenario}: ${check}: ${difference}`);
  }

  /** Counts a check with missing inputs. */
  skip(check: Check): void {
    this.counts.get(check)!.skipped++;
  }
}

/** `null` if both are equal, otherwise what was found and expected. */
export function compare(where: string, actual: unknown, expected: unknown): string | null {
  return actual === expected ? null : `${where}: found ${actual}, but ${expected} was stored`;
}
