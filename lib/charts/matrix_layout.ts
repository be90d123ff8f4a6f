import { fitText, labelRoom, labelWidth } from "./figure.ts";
import { count, sortRows } from "./row_selection.ts";
import { shortNames } from "./short_names.ts";

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
export interface MatrixLine {
  /** Its name. */
  name: string;
  /** All its bids. */
  bids: number;
  /** All its wins. */
  wins: number;
}

/** How the matrix is laid out. */
export interface MatrixLayout {
  /** What stands from top to bottom: whichever there is more of. */
  down: "solver" | "pair";
  /** The lines drawn. */
  lines: readonly MatrixLine[];
  /** Their labels, cut. */
  labels: readonly string[];
  /** What stands side by side. */
  across: "solver" | "pair";
  /** The columns drawn. */
  columns: readonly MatrixLine[];
  /** Their labels, cut. */
  heads: readonly string[];
  /** Whether the labels of the columns are slanted. */
  isSlanted: boolean;
  /** What the caption says of lines and columns that are not drawn. */
  rest: readonly string[];
  /** Room for the labels of the lines, in pixels. */
  marginLeft: number;
  /** Room for the labels of the columns, in pixels. */
  marginTop: number;
  /** Width of a column, in pixels. */
  cellWidth: number;
}

/** What the layout goes by. */
export interface MatrixSize {
  /** Width of the figure, in pixels. */
  width: number;
  /** Room for the labels of the lines, in pixels. @default {what they need} */
  marginLeft: number | undefined;
  /** How many lines are drawn at most. */
  limit: number;
  /** What lines and columns are sorted by. */
  sort: string;
  /** Width of the widest text in a cell, in pixels. */
  textWidth: number;
}

const LEAST_CELL = 40;
const MOST_CELL = 150;
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

/** Lays a matrix out: the longer side down, as many columns as fit their text across. */
export function matrixLayout(cells: readonly MatrixCell[], size: MatrixSize): MatrixLayout {
  const { width, limit, sort } = size;
  const solvers = linesOf(cells, "solver", sort);
  const pairs = linesOf(cells, "pair", sort);
  const [down, across] = pairs.length >= solvers.length
    ? ["pair", "solver"] as const
    : ["solver", "pair"] as const;
  const [allLines, allColumns] = down === "pair" ? [pairs, solvers] : [solvers, pairs];
  const lines = allLines.slice(0, limit);
  const names = namesOf(lines);
  const marginLeft = size.marginLeft ?? labelRoom(names, width * MOST_LABELS);
  const room = { all: allColumns, least: Math.max(LEAST_CELL, size.textWidth + 8) };
  const inside = width - marginLeft - MARGIN;
  const upright = columnsWithin(inside, room);
  const isSlanted = upright.heads.some((head) => labelWidth(head) > upright.cellWidth - HEAD_GAP);
  const { columns, heads, cellWidth } = isSlanted
    ? columnsWithin(inside - highest(upright.heads) + MARGIN, room)
    : upright;
  return {
    down,
    lines,
    labels: names.map((name) => fitText(name, marginLeft - LABEL_GAP)),
    across,
    columns,
    heads: heads.map((head) => fitText(head, isSlanted ? LONGEST_HEAD : cellWidth - HEAD_GAP)),
    isSlanted,
    rest: [
      ...restNote(allLines.slice(limit), down),
      ...restNote(allColumns.slice(columns.length), across),
    ],
    marginLeft,
    marginTop: isSlanted ? highest(heads) + HEAD_HEIGHT : HEAD_HEIGHT,
    cellWidth,
  };
}

function linesOf(
  cells: readonly MatrixCell[],
  column: "solver" | "pair",
  sort: string,
): readonly MatrixLine[] {
  const groups = [...Map.groupBy(cells, (cell) => cell[column])];
  return sortRows(
    groups.map(([name, members]) => ({
      name,
      bids: members.reduce((sum, cell) => sum + cell.bids, 0),
      wins: members.reduce((sum, cell) => sum + cell.wins, 0),
    })),
    sort,
  );
}

function namesOf(lines: readonly MatrixLine[]): string[] {
  return shortNames(lines.map((line) => line.name));
}

/** As many columns as fit into a room, in pixels. */
function columnsWithin(
  room: number,
  { all, least }: { all: readonly MatrixLine[]; least: number },
): Pick<MatrixLayout, "columns" | "heads" | "cellWidth"> {
  const columns = all.slice(0, Math.max(1, Math.floor(room / least)));
  const cellWidth = Math.min(MOST_CELL, Math.max(least, room / Math.max(1, columns.length)));
  return { columns, heads: namesOf(columns), cellWidth };
}

/** How high and wide the longest of some labels is when it is slanted, in pixels. */
function highest(heads: readonly string[]): number {
  return Math.min(LONGEST_HEAD, Math.max(0, ...heads.map(labelWidth))) * SLOPE;
}

function restNote(rest: readonly MatrixLine[], noun: string): string[] {
  if (rest.length === 0) return [];
  const bids = rest.reduce((sum, line) => sum + line.bids, 0);
  return [`${count(rest.length, `more ${noun}`)} with ${count(bids, "bid")} not drawn`];
}
