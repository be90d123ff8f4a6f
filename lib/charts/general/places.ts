import { InputError } from "../../errors/input_error.ts";
import { type Moment, secondsOf } from "../texts/moment.ts";
import { numberIn, textIn } from "./open_rows.ts";

/** Where rows stand along a column. */
export interface Places {
  /** Whether they are times, in seconds since 1970; numbers of blocks or auctions otherwise. */
  readonly isTime: boolean;
  /** The place of each row; `null` where it has none. */
  readonly of: (row: object) => number | null;
}

/** Numbers from here on are milliseconds since 1970, unless they count something: since 1973. */
const LEAST_MILLISECONDS = 1e11;
/** Seconds since 1970 are between these: from 1973 to 5138. */
const SECONDS = [1e8, 1e11] as const;
/** Times farther from 1970 are none: an axis could not say them, in seconds. */
const FARTHEST = 8e12;
const COUNTED = /(^|_)(auction|block|id|number|nonce|index|count)(_|$)/;
const TIMED = /(^|_)(at|time|timestamp|seconds)$/;

/**
 * Where rows stand along a column: at times, if it has dates, instants or texts of times, or numbers
 * of milliseconds (or of seconds, if its name says that it is a time); else at its numbers.
 *
 * @throws {InputError} If the column is text that is no time.
 */
export function placesOf(rows: readonly object[], column: string, action: string): Places {
  const numbers = rows.flatMap((row) => numberIn(row, column) ?? []);
  if (numbers.length === 0) {
    const texts = rows.flatMap((row) => textIn(row, column) ?? []);
    const of = (row: object) => near(secondsOf(Reflect.get(row, column) as Moment | null));
    if (texts.length > 0 && rows.every((row) => of(row) === null)) {
      throw new InputError(`${action}: the column ${column} has no times`, {
        facts: { first: texts[0]!.slice(0, 80) },
        remedy: "Take one of UTC times, of milliseconds, or of numbers of blocks or auctions",
      });
    }
    return { isTime: true, of };
  }
  const divisor = divisorOf(numbers, column);
  const of = (row: object) => {
    const number = numberIn(row, column);
    return number === null || divisor === null ? number : near(number / divisor);
  };
  return { isTime: divisor !== null, of };
}

function near(seconds: number | null): number | null {
  return seconds !== null && Math.abs(seconds) <= FARTHEST ? seconds : null;
}

/** What makes numbers seconds since 1970; `null` for those that are no times. */
function divisorOf(numbers: readonly number[], column: string): number | null {
  const isBetween = (low: number, high: number) => numbers.every((one) => one >= low && one < high);
  if (column.endsWith("_ms")) return 1_000;
  if (COUNTED.test(column)) return null;
  if (TIMED.test(column) && isBetween(...SECONDS)) return 1;
  return isBetween(LEAST_MILLISECONDS, 8.64e15) ? 1_000 : null;
}
