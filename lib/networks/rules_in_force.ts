import type { DatedRule } from "./network.ts";

/** The dated rules that may have been in force in a week. */
export interface RulesInForce<Rule> {
  /** The rule in force where its first day is known; `null` if none is known. */
  readonly rule: Rule | null;
  /** All that may have been in force; empty if none is known. */
  readonly candidates: readonly Rule[];
  /** Whether `rule` was in force for certain. */
  readonly isCertain: boolean;
}

/**
 * Finds the rules of one week among dated ones: the latest that had begun, and those that may have begun,
 * where a first day lies in a span. Rules without a first day are older than all others; that they were
 * in force is not certain. A rule that is passed alone, not in an array, counts in every week.
 *
 * @param rules Dated rules in any order, or one.
 * @param firstDay First day of the week; `null` if it is unknown: every rule may have been in force.
 */
export function findRulesInForce<Rule extends Partial<DatedRule>>(
  rules: Rule | readonly Rule[],
  firstDay: string | null,
): RulesInForce<Rule> {
  if (!isList(rules)) return { rule: rules, candidates: [rules], isCertain: true };
  const dated = rules.toSorted((a, b) => toSortableDay(a) < toSortableDay(b) ? -1 : 1);
  if (firstDay === null) {
    return { rule: dated.at(-1) ?? null, candidates: dated, isCertain: false };
  }
  const begun = dated.findLastIndex((rule) => (rule.span?.[1] ?? toSortableDay(rule)) <= firstDay);
  const candidates = dated.filter((rule, index) =>
    index >= begun && (rule.span?.[0] ?? toSortableDay(rule)) <= firstDay
  );
  // The rule in force before the first one is unknown.
  if (begun === -1) return { rule: null, candidates: [], isCertain: false };
  const rule = candidates.findLast((candidate) => toSortableDay(candidate) <= firstDay) ??
    candidates[0]!;
  return { rule, candidates, isCertain: candidates.length === 1 && rule.since !== null };
}

function isList<Rule>(rules: Rule | readonly Rule[]): rules is readonly Rule[] {
  return Array.isArray(rules);
}

/** Returns the first day as text that sorts; before all others if there is none. */
function toSortableDay({ since }: Partial<DatedRule>): string {
  return since ?? "";
}
