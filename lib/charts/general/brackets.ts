import { durationText } from "../axes/duration_axis.ts";
import { max } from "../numbers/statistics.ts";
import { count } from "../rows/row_selection.ts";
import { type Moment, secondsOf } from "../texts/moment.ts";

/** How the times of a column may be known: as an interval, at whose lower end a row is placed. */
export interface Brackets {
  /** Columns beside it that say so. */
  readonly columns: readonly string[];
  /** Whether a row has an interval instead of a time. */
  readonly has: (row: object) => boolean;
  /** What the caption says of some rows; `null` where none has an interval. */
  readonly note: (rows: readonly object[]) => string | null;
}

const TIME = /^(.*?)(?:_at|_time_(min|max))(?:_ms)?$/;
const BASIS = "time_basis";

/**
 * How the times of a column may be known. `auction_at` has its interval in `auction_time_min` and
 * `auction_time_max`, `filled_at` in `fill_time_min` and `fill_time_max`.
 *
 * @param names All columns of the rows.
 */
export function bracketsOf(column: string, names: readonly string[]): Brackets {
  const [, stem = "", end] = TIME.exec(column) ?? [];
  const pair = (name: string) => /^(.+)_time_max$/.exec(name)?.[1];
  const own = names.map(pair).find((one) => one === stem || (one && `${one}ed` === stem));
  const [low, high] = [`${own}_time_min`, `${own}_time_max`];
  const isKnown = own !== undefined && names.includes(low);
  const hasBasis = names.includes(BASIS) && (isKnown || /(^|_)(auction|filled)$/.test(stem));
  const has = (row: object) => {
    if (isKnown) return spanOf(row, low, high) !== null;
    return hasBasis && Reflect.get(row, BASIS) === "bracketed";
  };
  return {
    columns: [...(hasBasis ? [BASIS] : []), ...(isKnown ? [low, high] : [])],
    has,
    note: (rows) => {
      const bracketed = rows.filter(has);
      if (bracketed.length === 0) return null;
      const widest = isKnown && max(bracketed.map((row) => spanOf(row, low, high) ?? 0));
      return `${count(bracketed.length, "row")} whose time is known only as an interval ` +
        `${bracketed.length === 1 ? "is" : "are"} placed at its ${
          end === "max" ? "end" : "start"
        }` +
        (widest === undefined || widest === false ? "" : ` (up to ${durationText(widest)} long)`);
    },
  };
}

/** How long an interval is, in seconds; `null` where a row has none. */
function spanOf(row: object, low: string, high: string): number | null {
  const [from, to] = [low, high].map((name) => secondsOf(Reflect.get(row, name) as Moment | null));
  return from == null || to == null ? null : to - from;
}
