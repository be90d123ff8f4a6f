import type { ScaleOptions } from "@observablehq/plot";
import { axisText } from "../texts/axis_text.ts";
import { momentText } from "../texts/moment.ts";
import { wholeText } from "../rows/row_selection.ts";

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const STEPS = [
  ...[1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY],
];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 600];
const MONTH = 30.44 * DAY;
/** About so many ticks, of which a narrow axis shows fewer. */
const MOST_TICKS = 9;
/** From this number on, whole numbers have an exponent. */
const LEAST_EXPONENT = 1e12;

/**
 * The axis of times, in seconds since 1970, with ticks at round times in UTC; the label says the day
 * where there is but one.
 */
export function timeAxis(domain: readonly [number, number], label: string): ScaleOptions {
  const [from, to] = domain;
  const days = [from, to - 1e-3].map((second) => momentText(second).slice(0, 10));
  const isOneDay = days[0] === days[1];
  const { ticks, text } = timeTicks(from, to, isOneDay);
  return {
    type: "linear",
    domain: [...domain],
    label: `${label} (${isOneDay ? `${days[0]}, UTC` : "UTC"}) →`,
    labelAnchor: "center",
    ticks,
    tickFormat: text,
  };
}

function timeTicks(from: number, to: number, isOneDay: boolean) {
  const step = STEPS.find((seconds) => (to - from) / seconds <= MOST_TICKS);
  if (step === undefined) return monthTicks(from, to);
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return {
    ticks,
    text: (second: number) => {
      const text = momentText(second);
      if (step >= DAY) return text.slice(0, 10);
      const clock = step < MINUTE ? text.slice(11, 19) : text.slice(11, 16);
      return isOneDay ? clock : `${text.slice(5, 10)} ${clock}`;
    },
  };
}

function monthTicks(from: number, to: number) {
  const step = MONTHS.find((months) => (to - from) / MONTH / months <= MOST_TICKS) ?? 6_000;
  const first = new Date(from * 1_000);
  const ticks: number[] = [];
  for (let month = Math.floor(first.getUTCMonth() / step) * step;; month += step) {
    const tick = Date.UTC(first.getUTCFullYear(), month) / 1_000;
    if (!(tick <= to)) break;
    if (tick >= from) ticks.push(tick);
  }
  return { ticks, text: (second: number) => momentText(second).slice(0, step % 12 === 0 ? 4 : 7) };
}

/** The axis of numbers of blocks or auctions. */
export function numberAxis(domain: readonly [number, number], label: string): ScaleOptions {
  return {
    type: "linear",
    domain: [...domain],
    label: `${label} →`,
    labelAnchor: "center",
    ticks: 6,
    tickFormat: (number: number) =>
      !Number.isInteger(number)
        ? ""
        : Math.abs(number) < LEAST_EXPONENT
        ? wholeText(number)
        : axisText(number),
  };
}
