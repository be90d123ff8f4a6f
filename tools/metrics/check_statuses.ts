import type { Order } from "orderlens";
import { calculateStatus } from "orderlens/metrics";
import { effectiveValidTo } from "orderlens/schemas";
import type { Scenario } from "./read_scenario.ts";
import type { Tally } from "./tally.ts";

/**
 * Holds the status of every order answer to the service's rules.
 *
 * A recording does not say when an answer was given. But its answers stand in order, so that there is
 * one clock that all of them must fit: not before any time that an earlier answer names, past the
 * validity of every order that was called expired before, and within that of every one called open
 * after.
 */
export function checkStatuses({ orderAnswers }: Scenario, tally: Tally): void {
  const latest = latestSeconds(orderAnswers.map(({ order }) => order));
  const upper = upperBounds(orderAnswers.map(({ order }) => order));
  let now = 0;
  for (const [index, { line, order }] of orderAnswers.entries()) {
    now = Math.max(now, latest[index]!);
    if (order.status === "expired") now = Math.max(now, effectiveValidTo(order) + 1);
    const where = `line ${line}, ${order.uid}`;
    if (now > upper[index]!) {
      tally.check("statuses", `${where}: ${order.status} at ${now}, which no clock allows`);
      continue;
    }
    const calculated = calculateStatus(order, {
      now: Temporal.Instant.fromEpochMilliseconds(now * 1_000),
    });
    const possible: readonly string[] = calculated.status === null
      ? calculated.oneOf
      : [calculated.status];
    const found = `${where}: ${order.status}, by the rules ${possible.join(" or ")}`;
    tally.check("statuses", possible.includes(order.status) ? null : found);
  }
}

/** The latest second that the answers up to each one name. */
function latestSeconds(orders: readonly Order[]): number[] {
  let latest = 0;
  return orders.map(({ creationDate }) => latest = Math.max(latest, secondsOf(creationDate)));
}

/** The last second in which each answer can have been given: an order open later was not over. */
function upperBounds(orders: readonly Order[]): number[] {
  let bound = Infinity;
  return orders.toReversed().map((order) => {
    if (order.status === "open" || order.status === "presignaturePending") {
      bound = Math.min(bound, effectiveValidTo(order));
    }
    return bound;
  }).reverse();
}

function secondsOf(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1_000);
}
