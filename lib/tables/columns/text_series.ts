import pl, { type Series } from "nodejs-polars";

/** From so many rows on, texts that repeat are worth finding. */
const WORTH_ROWS = 500;
/** Rows for each different text from which on texts repeat enough. */
const ROWS_PER_TEXT = 4;

/**
 * A series of texts. Handing a text to polars takes longer than anything else, so texts that repeat
 * (tokens, solvers, states) are handed over once, and multiplied there.
 *
 * @param cells Texts and `null`.
 */
export function textSeries(name: string, cells: (string | null)[]): Series {
  const found = cells.length < WORTH_ROWS ? undefined : repeatedTexts(cells);
  return found === undefined
    ? pl.Series(name, cells, pl.String)
    : pl.Series(name, found.texts, pl.String).gather(found.places);
}

/** Different texts and which of them each cell is; `undefined` where most are different. */
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
