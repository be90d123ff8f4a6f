/** What is checked, in the order of the table's columns. */
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
] as const;

/** One kind of check. */
export type Check = typeof CHECKS[number];

/** How often a check was made in a scenario, and how often it failed or could not be made. */
export interface Count {
  /** How often it was made. */
  made: number;
  /** How often it failed. */
  failed: number;
  /** How often something was missing to make it. */
  skipped: number;
}

/** The checks of one scenario. */
export class Tally {
  /** Name of the scenario. */
  readonly scenario: string;
  /** Counts by check. */
  readonly counts: ReadonlyMap<Check, Count>;
  /** Disagreements, a line each. */
  readonly failures: string[] = [];
  /** Remarks under the table: what was inferred or could not be done. */
  readonly remarks: string[] = [];

  /** Begins with nothing checked. */
  constructor(scenario: string) {
    this.scenario = scenario;
    this.counts = new Map(CHECKS.map((check) => [check, { made: 0, failed: 0, skipped: 0 }]));
  }

  /** Counts one check; `found` says what disagrees, or is `null`. */
  check(check: Check, found: string | null): void {
    const count = this.counts.get(check)!;
    count.made++;
    if (found === null) return;
    count.failed++;
    this.failures.push(`${this.scenario}: ${check}: ${found}`);
  }

  /** Counts a check that could not be made. */
  skip(check: Check): void {
    this.counts.get(check)!.skipped++;
  }
}

/** `null` when both are the same, else what was found and expected. */
export function compared(where: string, found: unknown, expected: unknown): string | null {
  return found === expected ? null : `${where}: found ${found}, stored is ${expected}`;
}
