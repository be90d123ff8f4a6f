import * as Plot from "@observablehq/plot";
import type { BidsOptions, BidsPanel } from "./bids_list.ts";
import { COLORS } from "../figure/colors.ts";
import { differenceAxis } from "../axes/difference_axis.ts";
import { DOT_AREAS, dotMarks } from "../marks/dot_marks.ts";
import { labelRoom } from "../texts/label_size.ts";
import { labelsApart } from "../marks/labels_apart.ts";
import { bidLook, bidTooltip, type PlacedBid } from "./order_bid.ts";
import { wholeText } from "../rows/row_selection.ts";
import { bpsText } from "../texts/signed_text.ts";

const HEIGHT = 360;
const LINE = 13;

/** Bids as dots over the ids of their auctions. */
export function bidsOverAuctions(bids: readonly PlacedBid[], options: BidsOptions): BidsPanel {
  const { height = HEIGHT, marginLeft = 72, references } = options;
  const axis = differenceAxis([
    ...bids.map((bid) => bid.over_limit_bps),
    ...references.map(({ bps }) => bps),
  ], "bps");
  const dots = bids.map((row) => ({
    row,
    x: row.auction_id,
    y: row.over_limit_bps,
    color: bidLook(row).fill,
    outline: bidLook(row).stroke,
    title: bidTooltip(row),
  }));
  const labelled = labelsApart(
    references.map(({ name, bps }) => ({ text: name, y: axis.place(bps) })),
    { least: (axis.domain[1] - axis.domain[0]) * LINE / height, most: axis.domain[1] },
  );
  return {
    note: axis.note,
    panel: {
      plot: {
        height,
        marginLeft,
        marginRight: labelRoom(references.map(({ name }) => name)),
        marginTop: 28,
        marginBottom: 44,
        x: {
          label: "Auction →",
          labelAnchor: "center",
          grid: true,
          ticks: 6,
          tickFormat: wholeText,
          inset: 8,
        },
        y: { ...axis.scale, label: "↑ Bid over the limit (bps), better" },
        r: DOT_AREAS,
        marks: [
          ...references.map(({ name, bps }, index) =>
            Plot.ruleY([bps], {
              y: axis.place,
              stroke: COLORS.ink,
              strokeDasharray: index === 0 ? "none" : "5 3",
              title: () => `${name}: ${bpsText(bps)} over the limit`,
              className: "reference",
            })
          ),
          ...dotMarks(dots, { noun: "bid", y: axis }),
          Plot.text(labelled, {
            y: "y",
            text: "text",
            frameAnchor: "right",
            textAnchor: "start",
            dx: 6,
          }),
        ],
      },
    },
  };
}
