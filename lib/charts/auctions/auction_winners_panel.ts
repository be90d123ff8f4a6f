import * as Plot from "@observablehq/plot";
import { alikeTexts } from "../texts/alike_texts.ts";
import type { AuctionRankingRow } from "./auction_ranking_row.ts";
import { exactText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import type { EndNote } from "../marks/end_notes.ts";
import { labelWidth } from "../texts/label_size.ts";
import type { Panel } from "../figure/panel.ts";
import { type RankedList, rankedList } from "../marks/ranked_list.ts";
import { isNumber } from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";
import { sum } from "../numbers/statistics.ts";
import type { ValueAxis } from "../axes/value_axis.ts";

const MOST_SOLVERS = 20;
/** Label of the winners laid end to end. */
export const ALL_WINNERS = "all winners";

/** A bar of the panel. */
export interface Segment {
  /** Row, from 0 at the top. */
  place: number;
  /** Where it begins. */
  from: number;
  /** Where it ends. */
  to: number;
  /** Colour. */
  fill: string;
  /** Colour of the text on it. */
  ink: string;
  /** Text on it. */
  label: string;
  /** What its tooltip says. */
  title: string;
}

/** A winning solution with its score. */
export interface Winner extends AuctionRankingRow {
  /** Score, in native tokens. */
  score_native: number;
}

/** What the panel of winners shows, before it is known how wide it is. */
export interface WinnersParts {
  /** What the panel shows. */
  heading: string;
  /** Labels from top to bottom. */
  labels: readonly string[];
  /** The winners end to end. */
  stacked: readonly Segment[];
  /** What each winning solver added. */
  margins: readonly Segment[];
  /** Where each row ends, and what stands there. */
  ends: readonly EndNote[];
}

/** The winners laid end to end, and under them what each winning solver added to the total. */
export function winnersParts(winners: readonly Winner[]): WinnersParts | null {
  if (winners.length === 0) return null;
  const total = sum(winners, (row) => row.score_native);
  const added = addedBySolver(winners);
  const shown = added.slice(0, MOST_SOLVERS);
  const solvers = winners.map(({ solver }) => solver);
  const short = shortNames(solvers);
  const names = new Map(solvers.map((solver, at) => [solver, short[at] ?? solver]));
  const margins = shown.map(({ solver, reference }, index) =>
    marginOf({ solver, reference, total, index })
  );
  const texts = alikeTexts([total, ...shown.map(({ reference }) => total - reference)]);
  const ends = [Math.max(0, total), ...margins.map(({ from, to }) => Math.max(from, to))];
  return {
    heading: headingOf({ total: texts[0]!, added: added.length, drawn: shown.length, winners }),
    labels: [ALL_WINNERS, ...shown.map(({ solver }) => names.get(solver) ?? solver)],
    stacked: winnersEndToEnd(winners, names),
    margins,
    ends: ends.map((value, place) => ({ value, text: texts[place] ?? "" })),
  };
}

/** The range of the rows of the panel. */
export function winnersLevels({ stacked, margins }: WinnersParts): number[] {
  return [...stacked, ...margins].flatMap(({ from, to }) => [from, to]);
}

/** Draws the panel of winners. */
export function winnersPanel(
  { heading, labels, stacked, margins, ends }: WinnersParts,
  size: Omit<RankedList, "labels" | "marks"> & { axis: ValueAxis },
): Panel {
  const { axis } = size;
  const lengthOf = ({ from, to }: Segment) => axis.fraction(to) - axis.fraction(from);
  return rankedList({
    ...size,
    heading,
    labels,
    marks: ({ axisWidth }) => [
      Plot.barX([...stacked, ...margins], {
        x1: "from",
        x2: "to",
        y: "place",
        fill: "fill",
        stroke: "white",
        title: "title",
        className: "share",
      }),
      Plot.text(stacked.filter((one) => labelWidth(one.label) + 6 < lengthOf(one) * axisWidth), {
        x: (one: Segment) => (one.from + one.to) / 2,
        y: "place",
        text: "label",
        fill: "ink",
      }),
    ],
    ends,
    hasBaseline: true,
  });
}

interface Added {
  solver: string;
  reference: number;
}

/** The winning solvers whose reference score is known, in the order of their first win. */
function addedBySolver(winners: readonly Winner[]): Added[] {
  const solvers = new Map<string, Added>();
  for (const { solver, reference_score_native: reference } of winners) {
    if (isNumber(reference) && !solvers.has(solver)) solvers.set(solver, { solver, reference });
  }
  return [...solvers.values()];
}

function winnersEndToEnd(
  winners: readonly Winner[],
  names: ReadonlyMap<string, string>,
): Segment[] {
  let end = 0;
  return winners.map((row, index) => {
    const from = end;
    end += row.score_native;
    const isEven = index % 2 === 0;
    return {
      place: 0,
      from,
      to: end,
      fill: isEven ? COLORS.blue : COLORS.sky,
      ink: isEven ? "white" : COLORS.ink,
      label: names.get(row.solver) ?? row.solver,
      title: `${row.solver}\nranking ${row.ranking}, score ${exactText(row.score_native)}`,
    };
  });
}

function marginOf(
  { solver, reference, total, index }: Added & { total: number; index: number },
): Segment {
  const margin = total - reference;
  return {
    place: index + 1,
    from: reference,
    to: total,
    fill: margin < 0 ? COLORS.vermilion : COLORS.green,
    ink: COLORS.ink,
    label: "",
    title: `${solver}\ntotal ${exactText(total)} − reference score ${exactText(reference)} = ` +
      exactText(margin),
  };
}

function headingOf({ total, added, drawn, winners }: {
  total: string;
  added: number;
  drawn: number;
  winners: readonly Winner[];
}): string {
  const heading = `Total score ${total}`;
  if (added === 0) return `${heading}; no reference scores are known`;
  const solvers = new Set(winners.map(({ solver }) => solver)).size;
  const missing = solvers - added;
  return `${heading}, and what each winning solver added: total − reference score` +
    (drawn < added ? `; ${drawn} of ${added} winning solvers` : "") +
    (missing === 0 ? "" : ` (unknown for ${missing})`);
}
