import * as Plot from "@observablehq/plot";
import { linearAxis } from "../axes/axis_scale.ts";
import { listAxis, type ListSize } from "../axes/list_axis.ts";
import { fixedAxis, type ValueAxis } from "../axes/value_axis.ts";
import { COLORS } from "../figure/colors.ts";
import type { Panel } from "../figure/panel.ts";
import { columnMargin } from "../marks/end_notes.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { isNumber } from "../rows/row_selection.ts";
import { alikeTexts } from "../texts/alike_texts.ts";
import { exactText } from "../texts/axis_text.ts";
import { withPlus } from "../texts/signed_text.ts";
import type { SolverNames } from "../texts/solver_names.ts";
import { CAP_STEPS, type CapStep, capSteps } from "./cap_steps.ts";
import type { CappedRow } from "./reward_caps_row.ts";
import { type RewardWeek, weekHeading } from "./reward_weeks.ts";

/** A step at its place in the list. */
interface PlacedStep extends CapStep {
  readonly row: CappedRow;
  readonly place: number;
}

const SHADE = "#f3f5f7";
const STEPS = Object.keys(CAP_STEPS).length;

/** An axis for the steps of all weeks. */
export function capsAxis(rows: readonly CappedRow[], native: string): ValueAxis {
  const ends = rows.flatMap((row) => capSteps(row).flatMap(({ from, to }) => [from, to]));
  return fixedAxis(linearAxis(ends, { label: `Lower bounds (${native})` }));
}

/** What stands right of the steps: amounts, all alike, and how many auctions a cap decided. */
function notesOf(steps: readonly CapStep[]): string[] {
  const texts = alikeTexts(steps.map(({ amount }) => amount));
  return steps.map(({ kind, amount, auctions }, at) => {
    const short = amount === 0 ? "0" : texts[at]!;
    const text = kind === "relief" ? withPlus(short, amount) : short;
    return auctions === "" || amount === 0 ? text : `${text}, ${auctions}`;
  });
}

function titleOf(
  { row, kind, amount, auctions }: PlacedStep,
  { names, native }: { names: SolverNames; native: string },
): string {
  const { performance_high_native: high } = row;
  const upTo = kind === "performance" && isNumber(high) && high > amount
    ? `, at most ${exactText(high)}`
    : "";
  return `${names.withAddress(row.solver)}\n` +
    `${CAP_STEPS[kind].label}: ${exactText(amount)} ${native}${upTo}` +
    (auctions === "" ? "" : `\ndecided ${auctions}`);
}

/** How the panels are set. */
interface CapsSize extends ListSize {
  axis: ValueAxis;
  names: SolverNames;
  native: string;
}

/** A panel per week, with one axis: four rows per solver, of which the first has its name. */
export function capsPanels(
  weeks: readonly RewardWeek<CappedRow>[],
  { axis, names, native, ...size }: CapsSize,
): Panel[] {
  const rows = weeks.flatMap((week) => week.rows);
  const solvers = names.labels(rows.map(({ solver }) => solver));
  const labels = solvers.flatMap((solver) => [solver, ...Array(STEPS - 1).fill("") as string[]]);
  const notes = notesOf(rows.flatMap(capSteps));
  const { marginLeft } = listAxis(labels, size);
  let first = 0;
  return weeks.map((week) => {
    const [from, to] = [first, first += week.rows.length * STEPS];
    const steps = week.rows.flatMap((row, at): PlacedStep[] =>
      capSteps(row).map((step, nth) => ({ ...step, row, place: at * STEPS + nth }))
    );
    return rankedList({
      ...size,
      ...weekHeading(week, weeks),
      marginLeft,
      marginRight: columnMargin(notes),
      labels: labels.slice(from, to),
      axis,
      marks: () => stepMarks(steps, { axis, names, native }),
      column: notes.slice(from, to),
      hasBaseline: true,
    });
  });
}

function stepMarks(
  steps: readonly PlacedStep[],
  { axis, ...own }: { axis: ValueAxis; names: SolverNames; native: string },
): Plot.Markish[] {
  const { domain: [low, high] } = Plot.scale({ x: axis.scale }) as unknown as {
    domain: [number, number];
  };
  const shaded = steps.filter(({ place }) => Math.floor(place / STEPS) % 2 === 1);
  return [
    Plot.barX(shaded, {
      x1: low,
      x2: high,
      y: "place",
      fill: SHADE,
      insetTop: -3,
      insetBottom: -3,
    }),
    Plot.barX(steps, {
      x1: "from",
      x2: "to",
      y: "place",
      fill: ({ kind }: PlacedStep) => CAP_STEPS[kind].fill,
      title: (step: PlacedStep) => titleOf(step, own),
      className: "step",
    }),
    // Where a step ends and the next one begins.
    Plot.tickX(steps.filter(({ kind }) => kind !== "performance"), {
      x: "to",
      y: "place",
      stroke: COLORS.ink,
      strokeWidth: 1.2,
      insetBottom: -6,
      className: "joint",
    }),
  ];
}
