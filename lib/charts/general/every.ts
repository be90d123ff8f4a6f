import { type OptionRule, rule } from "../../errors/option_rules.ts";

/** A width of bins. */
export interface Every {
  /** Seconds, or numbers of blocks or auctions. */
  readonly width: number;
  /** Whether it is a time. */
  readonly isTime: boolean;
  /** As it is said: `5 minutes`, `minute`. */
  readonly text: string;
  /** Where a bin begins; the others follow it. */
  readonly origin: number;
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const COUNTED = ["block", "auction"];
/** The first Monday since 1970, in seconds. */
const MONDAY = 4 * 86_400;
const TEXT = /^\s*(?:([1-9]\d{0,8})\s+)?(second|minute|hour|day|week|block|auction)s?\s*$/;

/** Reads `5 minutes`, `hour` or `100 blocks`; `null` for anything else. */
export function everyOf(text: unknown): Every | null {
  const [, number, word = ""] = typeof text === "string" ? TEXT.exec(text) ?? [] : [];
  if (word === "") return null;
  const times = Number(number ?? 1);
  return {
    width: times * (SECONDS[word] ?? 1),
    isTime: !COUNTED.includes(word),
    text: times === 1 ? word : `${times.toLocaleString("en-US")} ${word}s`,
    origin: word === "week" ? MONDAY : 0,
  };
}

/** What the option may be. */
export const EVERY: OptionRule<string> = rule(
  'a text such as "5 minutes", "hour", "day", "week" or "100 blocks"',
  (text) => everyOf(text) !== null,
);

const WIDTHS = [
  ...["second", "5 seconds", "15 seconds", "30 seconds", "minute", "5 minutes", "15 minutes"],
  ...["30 minutes", "hour", "3 hours", "6 hours", "12 hours", "day", "week", "4 weeks"],
].map((text) => everyOf(text)!);

/** The shortest usual time of which at most so many make up a span, in seconds. */
export function everyFor(span: number, most: number): Every {
  return WIDTHS.find(({ width }) => span / width <= most) ??
    everyOf(`${Math.ceil(span / SECONDS["week"]! / most)} weeks`)!;
}
