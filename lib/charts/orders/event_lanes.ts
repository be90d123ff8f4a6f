import { COLORS } from "../figure/colors.ts";
import type { OrderTimelineEvent } from "./order_timeline_rows.ts";

const STATES: readonly [label: string, color: string][] = [
  ["created", COLORS.muted],
  ["ready", COLORS.sky],
  ["filtered", COLORS.orange],
  ["invalid", COLORS.vermilion],
  ["considered", COLORS.grey],
  ["executing", COLORS.purple],
  ["traded", COLORS.blue],
  ["cancelled", COLORS.ink],
];
/** Lane of events whose own lane would be one too many. */
export const OTHER_LANE = "other events";
const MOST_LANES = 20;

/** The lane of an event: its state, with the reason where there is one. */
export function laneOf({ label, reason }: OrderTimelineEvent): string {
  return reason ? `${label}: ${reason}` : label;
}

function rankOf(lane: string): number {
  const place = STATES.findIndex(([label]) => lane === label || lane.startsWith(`${label}: `));
  return place < 0 ? STATES.length : place;
}

/** Lanes of the events in the order in which an order passes through them. */
export function eventLanes(events: readonly OrderTimelineEvent[]): string[] {
  const lanes = [...new Set(events.map(laneOf))]
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return lanes.length <= MOST_LANES ? lanes : [...lanes.slice(0, MOST_LANES), OTHER_LANE];
}

/** The colour of a state. */
export function laneColor(label: string): string {
  return STATES[rankOf(label)]?.[1] ?? COLORS.grey;
}
