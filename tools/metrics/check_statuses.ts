import type { Order } from "orderlens";
import { calculateStatus } from "orderlens/metrics";
import { effectiveValidTo } from "orderlens/schemas";
import type { Scenario } from "./read_scenario.ts";
import type { Tally } from "./tally.ts";

/**
 * Checks the status of every recorded order against the service's rules.
 *
 * A recording has no times of answers, but their order. The time of an answer is therefore bounded:
 * after every time in an earlier answer and the expiry of every order reported as expired earlier,
 * and before the expiry of every order reported as open later.
 */
export function checkStatuses({ orderAnswers }: Scenario, tally: Tally): void {
  const latest = boundBelow(orderAnswers.map(({ order }) => order));
  const upper = boundAbove(orderAnswers.map(({ order }) => order));
  let now = 0;
  for (const [index, { line, order }] of orderAnswers.entries()) {
    now = Math.max(now, latest[index]!);
    if (order.status === "expired") now = Math.max(now, effectiveValidTo(order) + 1);
    const where = `line ${line}, ${order.uid}`;
    if (now > upper[index]!) {
      tally.check("statuses", `${where}: ${order.status} at ${now}, which no clock permits`);
      continue;
    }
    const calculated = calculateStatus(order, {
      now: Temporal.Instant.fromEpochMilliseconds(now * 1_000),
    });
    const possible: readonly string[] = calculated.status === null
      ? calculated.oneOf
      : [calculated.status];
    const difference = `${where}: ${order.status}, but the rules give ${possible.join(" or ")}`;
    tally.check("statuses", possible.includes(order.status) ? null : difference);
  }
}

/** Lower bound: the latest second named up to each answer. */
function boundBelow(orders: readonly Order[]): number[] {
  let latest = 0;
  return orders.map(({ creationDate }) => latest = Math.max(latest, toSeconds(creationDate)));
}

/** Upper bound: the earliest expiry of orders that are open in later answers. */
function boundAbove(orders: readonly Order[]): number[] {
  let bound = Infinity;
  return orders.toReversed().map((order) => {
    if (order.status === "open" || order.status === "presignaturePending") {
      bound = Math.min(bound, effectiveValidTo(order));
    }
    return bound;
  }).reverse();
}

function toSeconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1_000);
}
