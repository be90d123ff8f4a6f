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
  "startTimestamp",
  "startBlock",
  "endTimestamp",
  "endBlock",
  "outcome",
] as const satisfies readonly (keyof SettlementAttempt)[];

/**
 * Compares the settlement attempts of a debug report with the deadline of their auction, with the
 * solver of their solution, and with what other debug reports state of them: a report has all attempts
 * of an auction, also those of solutions without its order.
 *
 * @param report The debug report.
 * @param known Auctions at hand, and attempts of earlier reports, to which those of this one are added.
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
      const subject = `settlement attempt of auction ${id}, ranking ${ranking}`;
      const source = (field: string, uid = orderUid) =>
        `${field} in the debug report of order ${uid}`;
      yield* compareFacts(
        "report_attempts",
        subject,
        [source("deadlineBlock"), BigInt(attempt.deadlineBlock)],
        [source("deadline of the auction"), BigInt(deadline)],
      );
      if (solutions !== undefined) {
        const solution = solutions.find((one) => one.ranking === ranking);
        yield* compareFacts(
          "report_attempts",
          subject,
          [source("solver"), attempt.solver],
          ["solver of the solution", solution?.solverAddress ?? "none: there is no such solution"],
        );
      }
      const key = `${id} ${ranking}`;
      const earlier = stated.get(key);
      if (earlier?.attempt.outcome == null) stated.set(key, { attempt, orderUid });
      for (const field of earlier === undefined ? [] : LASTING_FIELDS) {
        const [first, second] = [attempt[field], earlier!.attempt[field]];
        if (first == null || second == null) continue;
        yield* compareFacts(
          "report_attempts",
          subject,
          [source(field), String(first)],
          [source(field, earlier!.orderUid), String(second)],
        );
      }
    }
  }
}
