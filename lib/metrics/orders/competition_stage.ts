import type { CompetitionStatusType, EventLabel } from "../../schemas/mod.ts";

const STAGES: ReadonlyMap<string, CompetitionStatusType> = new Map([
  ["created", "scheduled"],
  ["ready", "active"],
  ["considered", "solved"],
  ["executing", "executing"],
  ["traded", "traded"],
  ["cancelled", "cancelled"],
  ["filtered", "open"],
  ["invalid", "open"],
]);

/** What determines the stage of an order. */
export interface StageFacts {
  /** Whether the order has a trade. */
  readonly hasTrade: boolean;
  /** Label of its latest event; `null` if it has none. */
  readonly latestLabel: EventLabel | null;
}

/**
 * The stage that `orders/{uid}/status` reports for an order: `traded` once it has a trade,
 * otherwise the stage of its latest event.
 *
 * `created` maps to `scheduled`, `ready` to `active`, `considered` to `solved`, `filtered` and
 * `invalid` to `open`; `executing`, `traded` and `cancelled` stay the same.
 *
 * @returns `null` without trade and event, for which the service returns 404, or for an unknown
 * label.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/orderbook.rs | get_order_status of the service}
 *
 * @example An order without funds, and one that traded in part before
 * ```ts
 * import { competitionStage } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(competitionStage({ hasTrade: false, latestLabel: "invalid" }), "open");
 * assertEquals(competitionStage({ hasTrade: true, latestLabel: "invalid" }), "traded");
 * ```
 */
export function competitionStage(facts: StageFacts): CompetitionStatusType | null {
  if (facts.hasTrade) return "traded";
  return facts.latestLabel === null ? null : STAGES.get(facts.latestLabel) ?? null;
}
