import pl, { type Series } from "nodejs-polars";

/** Minimum number of rows for which finding repeated texts is worthwhile. */
const WORTH_ROWS = 500;
/** Minimum number of rows per distinct text for which it is worthwhile. */
const ROWS_PER_TEXT = 4;

/**
 * A series of texts. Passing texts to polars is the slowest step, so texts that repeat (tokens,
 * solvers, states) are passed once and repeated there.
 *
 * @param cells Texts and `null`.
 */
export function textSeries(name: string, cells: (string | null)[]): Series {
  const found = cells.length < WORTH_ROWS ? undefined : repeatedTexts(cells);
  return found === undefined
    ? pl.Series(name, cells, pl.String)
    : pl.Series(name, found.texts, pl.String).gather(found.places);
}

/** Distinct texts, and the index of each cell's text; `undefined` if most texts are distinct. */
function repeatedTexts(
  cells: readonly (string | null)[],
): { texts: (string | null)[]; places: number[] } | undefined {
  const placeOf = new Map<string | null, number>();
  const texts: (string | null)[] = [];
  const places = new Array<number>(cells.length);
  for (let index = 0; index < cells.length; index++) {
    const text = cells[index]!;
    let place = placeOf.get(text);
    if (place === undefined) {
      place = texts.length;
      if (place > WORTH_ROWS / ROWS_PER_TEXT && place * ROWS_PER_TEXT > index) return undefined;
      placeOf.set(text, place);
      texts.push(text);
    }
    places[index] = place;
  }
  return { texts, places };
}
