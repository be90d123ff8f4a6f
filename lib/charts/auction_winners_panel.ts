import * as Plot from "@observablehq/plot";
import type { AuctionRankingRow } from "./auction_ranking_row.ts";
import { linearAxis } from "./axis_scale.ts";
import { axisText } from "./axis_text.ts";
import { COLORS } from "./colors.ts";
import { labelWidth } from "./label_size.ts";
import { endNotes, listAxis, type ListSize, NOTE_GAP } from "./list_axis.ts";
import type { Panel } from "./panel.ts";
import { isNumber } from "./row_selection.ts";
import { shortNames } from "./short_names.ts";

const MOST_SOLVERS = 20;
/** Label of the winners laid end to end. */
export const ALL_WINNERS = "all winners";

interface Segment {
  place: number;
  from: number;
  to: number;
  fill: string;
  /** Colour of the text on it. */
  ink: string;
  label: string;
  title: string;
}

/** A winning solution with its score. */
export interface Winner extends AuctionRankingRow {
  /** Score, in native tokens. */
  score_native: number;
}

/** The winners laid end to end, and under them what each winning solver added to the total. */
export function winnersPanel(
  winners: readonly Winner[],
  { native, ...size }: ListSize & { native: string },
): Panel | undefined {
  if (winners.length === 0) return undefined;
  const total = winners.reduce((sum, row) => sum + row.score_native, 0);
  const added = addedBySolver(winners);
  const shown = added.slice(0, MOST_SOLVERS);
  const solvers = winners.map(({ solver }) => solver);
  const short = shortNames(solvers);
  const names = new Map(solvers.map((solver, at) => [solver, short[at] ?? solver]));
  const stacked = winnersEndToEnd(winners, names);
  const margins = shown.map(({ solver, reference }, index) =>
    marginOf({ solver, reference, total, index })
  );
  const segments = [...stacked, ...margins];
  const labels = [ALL_WINNERS, ...shown.map(({ solver }) => names.get(solver) ?? solver)];
  const list = listAxis(labels, size);
  const axis = linearAxis(segments.flatMap(({ from, to }) => [from, to]), {
    label: `Score (${native})`,
  });
  const { apply: fraction } = Plot.scale({ x: { ...axis, range: [0, 1] } });
  const ends = [Math.max(0, total), ...margins.map(({ from, to }) => Math.max(from, to))];
  const notes = [axisText(total), ...margins.map(({ label }) => label)]
    .map((text, place) => ({ end: fraction(ends[place]!), text }));
  const { marginRight, texts } = endNotes(notes, { width: size.width, ...list });
  const axisWidth = size.width - list.marginLeft - marginRight;
  const room = (one: Segment) => (fraction(one.to) - fraction(one.from)) * axisWidth;
  return {
    heading: headingOf({ total, added: added.length, drawn: shown.length, winners }),
    plot: {
      ...list,
      marginRight,
      x: axis,
      marks: [
        Plot.barX(segments, {
          x1: "from",
          x2: "to",
          y: "place",
          fill: "fill",
          stroke: "white",
          title: "title",
          className: "share",
        }),
        Plot.text(stacked.filter((one) => labelWidth(one.label) + 6 < room(one)), {
          x: (one: Segment) => (one.from + one.to) / 2,
          y: "place",
          text: "label",
          fill: "ink",
        }),
        Plot.text(texts, {
          x: (_: string, place: number) => ends[place]!,
          y: (_: string, place: number) => place,
          text: (note: string) => note,
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
        Plot.ruleX([0]),
      ],
    },
  };
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
      title: `${row.solver}\nranking ${row.ranking}, score ${row.score_native}`,
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
    label: axisText(margin),
    title: `${solver}\ntotal ${total} − reference score ${reference} = ${margin}`,
  };
}

function headingOf({ total, added, drawn, winners }: {
  total: number;
  added: number;
  drawn: number;
  winners: readonly Winner[];
}): string {
  const heading = `Total score ${axisText(total)}`;
  if (added === 0) return `${heading}; no reference scores are known`;
  const solvers = new Set(winners.map(({ solver }) => solver)).size;
  const missing = solvers - added;
  return `${heading}, and what each winning solver added: total − reference score` +
    (drawn < added ? `; ${drawn} of ${added} winning solvers` : "") +
    (missing === 0 ? "" : ` (not known of ${missing})`);
}
