import * as Plot from "@observablehq/plot";
import type { DifferenceAxis } from "../axes/difference_axis.ts";
import type { ListSize } from "../axes/list_axis.ts";
import { bidLook, bidTooltip, type PlacedBid } from "./order_bid.ts";
import type { Panel } from "../figure/panel.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { type Reference, referenceMarks } from "../marks/reference_labels.ts";
import type { SolverNames } from "../texts/solver_names.ts";
import { bpsTexts } from "../texts/signed_text.ts";

/** How bids are set. */
export interface BidsOptions extends ListSize {
  /** Axis of the bids. */
  axis: DifferenceAxis;
  /** The limit and the quotes. */
  references: readonly Reference[];
  /** What the solvers are called. */
  names: SolverNames;
  /** When auctions began, by id, in seconds since 1970; empty where no time is known. */
  times: ReadonlyMap<number, number>;
}

const LINE = 13;
const SHADE = "#f3f5f7";

/** Places of the rows of every second auction, which are shaded. */
function shadedPlaces(bids: readonly PlacedBid[]): number[] {
  let isShaded = true;
  return bids.flatMap((bid, place) => {
    if (bids[place - 1]?.auction_id !== bid.auction_id) isShaded = !isShaded;
    return isShaded ? [place] : [];
  });
}

function labelsOf(bids: readonly PlacedBid[], names: SolverNames): string[] {
  return bids.map(({ auction_id: id, solver }, place) =>
    `${bids[place - 1]?.auction_id === id ? "" : `auction ${id}: `}${names.label(solver)}`
  );
}

/** Bids as a list: auctions from top to bottom, the best bid of each first. */
export function bidsList(
  bids: readonly PlacedBid[],
  { references, axis, names, ...size }: BidsOptions,
): Panel {
  const [low, high] = axis.domain;
  const y = (_: unknown, place: number) => place;
  const stroke = (bid: PlacedBid) => bidLook(bid).stroke;
  return rankedList({
    ...size,
    marginTop: references.length * LINE + 8,
    labels: labelsOf(bids, names),
    axis,
    label: "Bid over the limit (bps), better →",
    marks: (room) => [
      Plot.barX(shadedPlaces(bids), {
        x1: () => low,
        x2: () => high,
        y: (place: number) => place,
        fill: SHADE,
        insetTop: -3,
        insetBottom: -3,
      }),
      ...referenceMarks(references, { ...room, axis, heights: [2, LINE] }, {
        line: { className: "reference" },
      }),
      Plot.ruleY(bids, {
        x1: () => axis.place(0),
        x2: (bid: PlacedBid) => axis.place(bid.over_limit_bps),
        y,
        stroke,
        strokeWidth: 1.5,
      }),
      Plot.dot(bids, {
        x: (bid: PlacedBid) => axis.place(bid.over_limit_bps),
        y,
        r: 5,
        fill: (bid: PlacedBid) => bidLook(bid).fill,
        stroke,
        strokeWidth: 1.5,
        title: (bid: PlacedBid) => bidTooltip(bid, names),
        className: "bid",
      }),
    ],
    column: bpsTexts(bids.map((bid) => bid.over_limit_bps)),
  });
}
