import { sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count } from "../texts/count_text.ts";
import { fitText, labelRoom, labelWidth } from "../texts/label_text.ts";
import { shortNames, type SolverNames } from "../texts/short_names.ts";

/** How often one solver bid on one directed pair and won. */
export interface MatrixCell {
  /** The solver. */
  solver: string;
  /** The pair. */
  pair: string;
  /** Solutions that trade the pair. */
  bids: number;
  /** Of those, the ones that won. */
  wins: number;
}

/** A solver or a pair with all its bids. */
interface MatrixLine {
  /** Its name. */
  name: string;
  /** All its bids. */
  bids: number;
  /** All its wins. */
  wins: number;
}

/** Name of the line or column of all that have none of their own; no solver or pair can have it. */
export const REST = "\u0000rest";

/** How the matrix is laid out. */
export type MatrixLayout = ReturnType<typeof matrixLayout>;

/** What the layout goes by. */
interface MatrixSize {
  /** Width of the figure, in pixels. */
  width: number;
  /** Room for the labels of the lines, in pixels. @default {what they need} */
  marginLeft?: number | undefined;
  /** How many lines are drawn at most, each for itself. */
  limit: number;
  /** What lines and columns are sorted by. */
  sort: string;
  /** Width of the widest text in a cell, in pixels. */
  textWidth: number;
  /** What the solvers are called. */
  names: SolverNames;
}

const LEAST_CELL = 40;
/** Wider cells would only be emptier. */
const MOST_CELL = 52;
const MARGIN = 16;
const LABEL_GAP = 10;
const HEAD_GAP = 6;
/** Room for labels of the columns that are not slanted, in pixels. */
const HEAD_HEIGHT = 26;
/** Longest slanted label, in pixels. */
const LONGEST_HEAD = 140;
/** How high a slanted label of one pixel is. */
const SLOPE = Math.SQRT1_2;
/** Part of the width that labels of the lines may take at most. */
const MOST_LABELS = 0.35;

/**
 * Lays a matrix out: the longer side down, as many columns as fit their text across; what does not
 * fit stands together in a last line and a last column.
 */
export function matrixLayout(cells: readonly MatrixCell[], size: MatrixSize) {
  const { width, limit, names } = size;
  const solvers = linesOf(cells, "solver", size);
  const pairs = linesOf(cells, "pair", size);
  const [down, across] = pairs.length >= solvers.length
    ? ["pair", "solver"] as const
    : ["solver", "pair"] as const;
  const [allLines, allColumns] = down === "pair" ? [pairs, solvers] : [solvers, pairs];
  const lines = withRest(allLines, limit);
  const labels = labelsOf(lines, { all: allLines.length, noun: down, names });
  const marginLeft = size.marginLeft ?? labelRoom(labels, width * MOST_LABELS);
  const room = {
    all: allColumns,
    noun: across,
    names,
    least: Math.max(LEAST_CELL, size.textWidth + 8),
  };
  const inside = width - marginLeft - MARGIN;
  const upright = columnsWithin(inside, room);
  const isSlanted = upright.heads.some((head) => labelWidth(head) > upright.cellWidth - HEAD_GAP);
  const { columns, heads, cellWidth } = isSlanted
    ? columnsWithin(inside - highest(upright.heads) + MARGIN, room)
    : upright;
  return {
    down,
    lines,
    labels: labels.map((label) => fitText(label, marginLeft - LABEL_GAP)),
    across,
    columns,
    heads: heads.map((head) => fitText(head, isSlanted ? LONGEST_HEAD : cellWidth - HEAD_GAP)),
    isSlanted,
    rest: [
      ...restNote(lines, { all: allLines.length, noun: down, where: "row" }),
      ...restNote(columns, { all: allColumns.length, noun: across, where: "column" }),
    ],
    marginLeft,
    marginTop: isSlanted ? highest(heads) + HEAD_HEIGHT : HEAD_HEIGHT,
    cellWidth,
  };
}

/**
 * Lines of all solvers or pairs: as asked for, those that are equal by their wins, bids and names.
 */
function linesOf(
  cells: readonly MatrixCell[],
  column: "solver" | "pair",
  { sort, names }: Pick<MatrixSize, "sort" | "names">,
): readonly MatrixLine[] {
  const name = (line: MatrixLine) => column === "pair" ? line.name : names.text(line.name);
  return ["name", "-bids", "-wins", sort].reduce<readonly MatrixLine[]>(
    (sorted, by) => sortRows(sorted, by, { name }),
    [...Map.groupBy(cells, (cell) => cell[column])].map(([name, own]) => sumOf(name, own)),
  );
}

function sumOf(name: string, members: readonly Omit<MatrixLine, "name">[]): MatrixLine {
  return { name, bids: sum(members, (one) => one.bids), wins: sum(members, (one) => one.wins) };
}

/** The first so many lines, and one more for all others; a single other line is itself. */
function withRest(lines: readonly MatrixLine[], limit: number): readonly MatrixLine[] {
  const rest = lines.slice(limit);
  return rest.length <= 1 ? lines : [...lines.slice(0, limit), sumOf(REST, rest)];
}

function labelsOf(
  lines: readonly MatrixLine[],
  { all, noun, names }: { all: number; noun: "solver" | "pair"; names: SolverNames },
): string[] {
  const own = lines.filter(({ name }) => name !== REST);
  const full = own.map(({ name }) => name);
  const labels = noun === "solver" ? names.labels(full) : shortNames(full);
  return own.length === lines.length
    ? labels
    : [...labels, count(all - own.length, `other ${noun}`)];
}

/** As many columns as fit into a room, in pixels. */
function columnsWithin(
  room: number,
  { all, noun, least, names }: {
    all: readonly MatrixLine[];
    noun: "solver" | "pair";
    least: number;
    names: SolverNames;
  },
) {
  const most = Math.max(1, Math.floor(room / least));
  const columns = all.length <= most ? all : withRest(all, Math.max(1, most - 1));
  return {
    columns,
    heads: labelsOf(columns, { all: all.length, noun, names }),
    cellWidth: Math.max(least, Math.min(MOST_CELL, room / Math.max(1, columns.length))),
  };
}

/** How high and wide the longest of some labels is when it is slanted, in pixels. */
function highest(heads: readonly string[]): number {
  return Math.min(LONGEST_HEAD, Math.max(0, ...heads.map(labelWidth))) * SLOPE;
}

function restNote(
  lines: readonly MatrixLine[],
  { all, noun, where }: { all: number; noun: string; where: string },
): string[] {
  const rest = lines.find(({ name }) => name === REST);
  if (rest === undefined) return [];
  return [
    `${count(all - lines.length + 1, `other ${noun}`)} with ${count(rest.bids, "bid")} combined ` +
    `in the last ${where}`,
  ];
}
