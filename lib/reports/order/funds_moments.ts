import {
  type CompetitionOrderStatus,
  effectiveValidTo,
  type Order,
  type OrderEvent,
} from "../../schemas/mod.ts";
import type { FundsMomentName } from "./verdicts.ts";

/** A moment at which funds matter. */
export interface FundsMoment {
  /** Which. */
  readonly moment: FundsMomentName;
  /** Its time; `null` for now. */
  readonly time: Temporal.Instant | null;
}

/** What tells when funds mattered. */
interface MomentFacts {
  /** The order. */
  readonly order: Order;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Its stage; `absent` if the service has no event of it, `null` if it was not asked. */
  readonly stage: CompetitionOrderStatus | "absent" | null;
}

/**
 * When the funds of an order's owner mattered: when the service first and last left it out for lack of
 * them, or as dust, which depends on them too, by its events; without events at the end of its validity, if its stage is that
 * of an order that was left out; and now, while it is open.
 */
export function fundsMoments({ order, events, stage }: MomentFacts): FundsMoment[] {
  const isOpen = order.status === "open" || order.status === "presignaturePending";
  const lacks = (events ?? []).filter(isLack);
  const [first, last] = [lacks[0], lacks.at(-1)];
  const moments: FundsMoment[] = [];
  if (first !== undefined) moments.push({ moment: "first_invalid", time: first.timestamp });
  if (last !== undefined && last !== first) {
    moments.push({ moment: "last_invalid", time: last.timestamp });
  }
  const dust = events?.findLast(({ label, reason }) =>
    label === "filtered" && reason === "dust_order"
  );
  if (dust !== undefined && order.partiallyFillable) {
    moments.push({ moment: "last_filtered", time: dust.timestamp });
  }
  const isLeftOut = stage !== null && stage !== "absent" && stage.type === "open";
  if (events === null && isLeftOut && order.status === "expired") {
    const seconds = effectiveValidTo(order);
    const time = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
    moments.push({ moment: "expiry", time });
  }
  if (isOpen) moments.push({ moment: "now", time: null });
  return moments;
}

/** Whether the service left an order out for lack of balance or allowance, or does not say why. */
function isLack({ label, reason }: OrderEvent): boolean {
  return label === "invalid" && (reason == null || reason === "insufficient_balance");
}
