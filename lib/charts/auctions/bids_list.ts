import * as Plot from "@observablehq/plot";
import type { ChartOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { differenceAxis } from "../axes/difference_axis.ts";
import { labelRoom, labelWidth } from "../texts/label_size.ts";
import { listAxis } from "../axes/list_axis.ts";
import { bidLook, type BidReference, bidTooltip, type PlacedBid } from "./order_bid.ts";
import { LABEL_GAP, referenceLabels } from "../marks/reference_labels.ts";
import type { Panel } from "../figure/panel.ts";
import { shortHex } from "../texts/short_hex.ts";
import { bpsText, bpsTexts } from "../texts/signed_text.ts";

/** How bids are set. */
export interface BidsOptions extends ChartOptions {
  /** Width of the panel, in pixels. */
  width: number;
  /** The limit and the quotes. */
  references: readonly BidReference[];
}

/** A panel of bids, and what the caption says of its axis. */
export interface BidsPanel {
  /** The panel. */
  panel: Panel;
  /** What the caption says; `null` for nothing. */
  note: string | null;
}

const LINE = 13;
const NOTE_GAP = 10;
const SHADE = "#f3f5f7";

/** Places of the rows of every second auction, which are shaded. */
function shadedPlaces(bids: readonly PlacedBid[]): number[] {
  let isShaded = true;
  return bids.flatMap((bid, place) => {
    if (bids[place - 1]?.auction_id !== bid.auction_id) isShaded = !isShaded;
    return isShaded ? [place] : [];
  });
}

function labelOf(bid: PlacedBid, place: number, bids: readonly PlacedBid[]): string {
  const isFirst = bids[place - 1]?.auction_id !== bid.auction_id;
  return `${isFirst ? `auction ${bid.auction_id}: ` : ""}${shortHex(bid.solver)}`;
}

/** Bids as a list: auctions from top to bottom, the best bid of each first. */
export function bidsList(bids: readonly PlacedBid[], options: BidsOptions): BidsPanel {
  const { references } = options;
  const axis = differenceAxis([
    ...bids.map((bid) => bid.over_limit_bps),
    ...references.map(({ bps }) => bps),
  ], "bps");
  const list = listAxis(bids.map(labelOf), options);
  const notes = bpsTexts(bids.map((bid) => bid.over_limit_bps));
  const y = (_: unknown, place: number) => place;
  const room = references.length * LINE + 8;
  const marginRight = labelRoom(notes) + NOTE_GAP;
  const [low, high] = axis.domain;
  const places = referenceLabels(
    references.map(({ name, bps }) => ({
      x: list.marginLeft + (axis.fraction(bps)) * (options.width - list.marginLeft - marginRight),
      width: labelWidth(name),
    })),
    options.width,
  );
  return {
    note: axis.note,
    panel: {
      plot: {
        ...list,
        height: list.height + room - list.marginTop,
        marginTop: room,
        marginRight,
        x: { ...axis.scale, label: "Bid over the limit (bps), better →", labelAnchor: "center" },
        marks: [
          Plot.barX(shadedPlaces(bids), {
            x1: () => low,
            x2: () => high,
            y: (place: number) => place,
            fill: SHADE,
            insetTop: -3,
            insetBottom: -3,
          }),
          ...references.flatMap(({ name, bps }, index) => {
            const { isLeft, level } = places[index]!;
            return [
              Plot.ruleX([bps], {
                x: axis.place,
                insetTop: -level * LINE - 2,
                stroke: COLORS.ink,
                strokeDasharray: bps === 0 && index === 0 ? "none" : "5 3",
                title: () => `${name}: ${bpsText(bps)} over the limit`,
                className: "reference",
              }),
              Plot.text([bps], {
                x: axis.place,
                text: () => name,
                frameAnchor: "top",
                textAnchor: isLeft ? "end" : "start",
                dx: isLeft ? -LABEL_GAP : LABEL_GAP,
                dy: -level * LINE - 6,
              }),
            ];
          }),
          Plot.ruleY(bids, {
            x1: () => axis.place(0),
            x2: (bid: PlacedBid) => axis.place(bid.over_limit_bps),
            y,
            stroke: (bid: PlacedBid) => bidLook(bid).stroke,
            strokeWidth: 1.5,
          }),
          Plot.dot(bids, {
            x: (bid: PlacedBid) => axis.place(bid.over_limit_bps),
            y,
            r: 5,
            fill: (bid: PlacedBid) => bidLook(bid).fill,
            stroke: (bid: PlacedBid) => bidLook(bid).stroke,
            strokeWidth: 1.5,
            title: bidTooltip,
            className: "bid",
          }),
          Plot.text(notes, {
            y,
            text: (note: string) => note,
            frameAnchor: "right",
            textAnchor: "start",
            dx: NOTE_GAP,
          }),
        ],
      },
    },
  };
}
