import type { Competition, DebugReport, SettlementAttempt } from "../../schemas/mod.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";

/** An attempt, and the order whose debug report states it. */
interface StatedAttempt {
  readonly attempt: SettlementAttempt;
  readonly orderUid: string;
}

/** Attempts that debug reports stated so far, by auction and solution. */
export type StatedAttempts = Map<string, StatedAttempt>;

/** Facts of an attempt that never change once they are there. */
const LASTING_FIELDS = [
  "solver",
  "deadlineBlock",
  "startTimestamp",
  "startBlock",
  "endTimestamp",
  "endBlock",
  "outcome",
] as const satisfies readonly (keyof SettlementAttempt)[];

/**
 * Compares the settlement attempts of a debug report with the deadline of their auction, with the
 * solver of their solution, and with the statements of other debug reports: a report has all attempts
 * of an auction, also those of solutions without its order.
 *
 * @param report The debug report.
 * @param known Available auctions, and attempts of earlier reports, to which those of this one are added.
 */
export function* compareAttempts(
  { auctions, orderUid }: DebugReport,
  { competitions, stated }: {
    readonly competitions: ReadonlyMap<number, Competition>;
    readonly stated: StatedAttempts;
  },
): Generator<Contradiction> {
  for (const { id, deadline, settlementAttempts } of auctions) {
    const solutions = competitions.get(id)?.solutions;
    for (const attempt of settlementAttempts) {
      // A ranking counts from 1, the id of a solution from 0.
      const ranking = attempt.solutionUid + 1;
      const key = `${id} ${ranking}`;
      const earlier = stated.get(key);
      if (earlier?.attempt.outcome == null) stated.set(key, { attempt, orderUid });
      const facts = solutions === undefined ? { deadlineBlock: deadline } : {
        deadlineBlock: deadline,
        solver: solutions.find((solution) => solution.ranking === ranking)?.solverAddress ?? "none",
      };
      yield* compareFields(attempt, facts, { id, orderUid, source: "the auction" });
      if (earlier === undefined) continue;
      const source = `the debug report of order ${earlier.orderUid}`;
      yield* compareFields(attempt, earlier.attempt, { id, orderUid, source });
    }
  }
}

/** Compares fields that both have. Hundreds of reports repeat an attempt: texts are made for differences. */
function* compareFields(
  attempt: SettlementAttempt,
  facts: Partial<SettlementAttempt>,
  { id, orderUid, source }: {
    readonly id: number;
    readonly orderUid: string;
    readonly source: string;
  },
): Generator<Contradiction> {
  for (const field of LASTING_FIELDS) {
    const [first, second] = [attempt[field], facts[field]];
    if (first == null || second == null || first === second) continue;
    if (first instanceof Temporal.Instant && first.equals(Object(second))) continue;
    yield* compareFacts(
      "report_attempts",
      `settlement attempt of auction ${id}, ranking ${attempt.solutionUid + 1}`,
      [`${field} in the debug report of order ${orderUid}`, toFact(first)],
      [`${field} of ${source}`, toFact(second)],
    );
  }
}

function toFact(value: unknown): bigint | string {
  return typeof value === "number" ? BigInt(value) : String(value);
}
