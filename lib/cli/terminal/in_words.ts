const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_MIN = 1_440;
const DIGIT_GROUPS = /\B(?=(?:\d{3})+$)/g;
const SIZES = ["kB", "MB", "GB", "TB"] as const;

/** A number with its digits in groups: `11,774,000`. */
export function grouped(count: number): string {
  return `${count}`.replaceAll(DIGIT_GROUPS, ",");
}

/** A number of things: `1 request`, `2,048 requests`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}

/** A duration to plan with, rounded to its two largest units: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < MINUTE_SEC) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / MINUTE_SEC);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(seconds / HOUR_SEC);
  return minutes < DAY_MIN ? pair(minutes, 60, "h", "min") : pair(hours, 24, "d", "h");
}

function pair(count: number, of: number, large: string, small: string): string {
  const rest = count % of;
  return `${Math.floor(count / of)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}

/** A size on disk: `512 B`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}

/** Lines of pairs, the values below each other. */
export function aligned(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

/** Auction ids as text: `2620 to 2624`, or one id. */
export function idRange(from: number, to: number): string {
  return from === to ? `${from}` : `${from} to ${to}`;
}
