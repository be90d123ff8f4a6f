import type { AccountingPeriod, OpenInterval } from "../../metrics/mod.ts";
import type { RewardRules } from "../../networks/mod.ts";
import { ratioToNumber } from "../../units/mod.ts";
import { native, number, text, time } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";

/** Bounds of a native amount. */
interface BoundsDeclaration<Row> {
  readonly source: string;
  readonly of: (row: Row) => OpenInterval | null;
}

/** Four columns: both bounds of a native amount, exact and for axes. */
export function bounds<Row>(
  name: string,
  { source, of }: BoundsDeclaration<Row>,
): Column<Row>[] {
  return [
    ...native<Row>(`${name}_low`, {
      source: `${source}: lower bound`,
      atoms: (row) => of(row)?.low,
    }),
    ...native<Row>(`${name}_high`, {
      source: `${source}: upper bound, equal to low if everything is known; null if unbounded`,
      atoms: (row) => of(row)?.high,
    }),
  ];
}

/** The start of the accounting week of a row. */
export function weekStart<Row>(weekOf: (row: Row) => AccountingPeriod | null): Column<Row>[] {
  return time("week_start", {
    source: "accountingWeek: Tuesday, 00:00 UTC; null if the time of the auction is unknown",
    at: (row) => instantOf(weekOf(row)?.startMs),
  });
}

/** The caps of a row's rules, and when they took effect. */
export function ruleColumns<Row>(rulesOf: (row: Row) => RewardRules | null): Column<Row>[] {
  return [
    number("fee_share", {
      unit: "0 to 1",
      source: "rules.feeShare: share of the protocol fees that is the upper cap",
      cell: (row) => {
        const rules = rulesOf(row);
        return rules === null ? null : ratioToNumber(rules.feeShare);
      },
    }),
    ...native<Row>("lower_cap", {
      source: "rules.lowerCapAtoms: the largest penalty in one auction",
      atoms: (row) => rulesOf(row)?.lowerCapAtoms,
    }),
    text("rules_as_of", {
      source: "rules.asOf: month in which the documentation stated the caps",
      cell: (row) => rulesOf(row)?.asOf ?? null,
    }),
    text("rules_since", {
      source: "rules.since: day from which the caps apply; null if the documentation does not say",
      cell: (row) => rulesOf(row)?.since ?? null,
    }),
  ];
}

/** The instant of unix milliseconds; `null` for `undefined`. */
export function instantOf(ms: number | undefined): Temporal.Instant | null {
  return ms === undefined ? null : Temporal.Instant.fromEpochMilliseconds(ms);
}
