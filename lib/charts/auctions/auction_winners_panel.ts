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
import type { SolverNames } from "../texts/solver_names.ts";
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
export function winnersParts(
  winners: readonly Winner[],
  names: SolverNames,
): WinnersParts | null {
  if (winners.length === 0) return null;
  const total = sum(winners, (row) => row.score_native);
  const solvers = [...new Set(winners.map(({ solver }) => solver))];
  const short = names.labels(solvers);
  const labels = new Map(solvers.map((solver, at) => [solver, short[at]!]));
  const labelOf = (solver: string) => labels.get(solver) ?? solver;
  const added = referencesOf(winners);
  const shown = [...added].slice(0, MOST_SOLVERS);
  const margins = shown.map(([solver, reference], at) =>
    marginOf(names.withAddress(solver), [reference, total], at + 1)
  );
  const texts = alikeTexts([total, ...shown.map(([, reference]) => total - reference)]);
  const ends = [Math.max(0, total), ...margins.map(({ from, to }) => Math.max(from, to))];
  const missing = solvers.length - added.size;
  const what = added.size === 0
    ? "; no reference scores are known"
    : ", and what each winning solver added: total − reference score" +
      (shown.length < added.size ? `; ${shown.length} of ${added.size} winning solvers` : "") +
      (missing === 0 ? "" : ` (unknown for ${missing})`);
  return {
    heading: `Total score ${texts[0]}${what}`,
    labels: [ALL_WINNERS, ...shown.map(([solver]) => labelOf(solver))],
    stacked: winnersEndToEnd(winners, { labelOf, names }),
    margins,
    ends: ends.map((value, at) => ({ value, text: texts[at]! })),
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

/** Reference scores of the winning solvers, where known, in the order of their first win. */
function referencesOf(winners: readonly Winner[]): ReadonlyMap<string, number> {
  const references = new Map<string, number>();
  for (const { solver, reference_score_native: reference } of winners) {
    if (isNumber(reference) && !references.has(solver)) references.set(solver, reference);
  }
  return references;
}

function winnersEndToEnd(
  winners: readonly Winner[],
  { labelOf, names }: { labelOf: (solver: string) => string; names: SolverNames },
): Segment[] {
  let end = 0;
  return winners.map((row, index) => {
    const from = end;
    end += row.score_native;
    const [fill, ink] = index % 2 === 0 ? [COLORS.blue, "white"] : [COLORS.sky, COLORS.ink];
    const title = `${names.withAddress(row.solver)}\n` +
      `ranking ${row.ranking}, score ${exactText(row.score_native)}`;
    return { place: 0, from, to: end, fill, ink, label: labelOf(row.solver), title };
  });
}

function marginOf(solver: string, [from, to]: readonly [number, number], place: number): Segment {
  const fill = to < from ? COLORS.vermilion : COLORS.green;
  const title = `${solver}\ntotal ${exactText(to)} − reference score ${exactText(from)} = ` +
    exactText(to - from);
  return { place, from, to, fill, ink: COLORS.ink, label: "", title };
}
