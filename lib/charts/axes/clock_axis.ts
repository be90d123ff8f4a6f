import type { ScaleOptions } from "@observablehq/plot";
import { momentText } from "../texts/moment.ts";

const [MINUTE, DAY] = [60, 86_400];

/** A scale of times in UTC, with the day in its label where it is one. */
export function clockScale(
  [low, high]: readonly [number, number],
  label: string,
): ScaleOptions {
  const [from, to] = [dayOf(low), dayOf(high)];
  const day = from === to ? from : null;
  return {
    type: "utc",
    domain: [low, high].map((second) => new Date(second * 1_000)),
    label: `${label} (${day === null ? "UTC" : `${day}, UTC`}) →`,
    labelAnchor: "center",
    ticks: day === null ? 4 : 6,
    tickFormat: tickFormat(high - low, day !== null),
  };
}

/** `2026-11-21`, in UTC. */
function dayOf(second: number): string {
  return momentText(second).slice(0, 10);
}

/** Hours and minutes within a few days, with the day where there are several; else the day only. */
function tickFormat(span: number, isOneDay: boolean): (date: Date) => string {
  return (date) => {
    const text = momentText(date.getTime() / 1_000);
    const clock = span < 12 * MINUTE ? text.slice(11, 19) : text.slice(11, 16);
    if (isOneDay) return clock;
    return span < 3 * DAY ? `${text.slice(5, 10)} ${clock}` : text.slice(0, 10);
  };
}
