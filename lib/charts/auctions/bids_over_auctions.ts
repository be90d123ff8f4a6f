import * as Plot from "@observablehq/plot";
import type { BidsOptions } from "./bids_list.ts";
import { COLORS } from "../figure/colors.ts";
import { dotMarks, dotPlot } from "../marks/dot_plot.ts";
import { labelRoom } from "../texts/label_size.ts";
import { labelsApart } from "../marks/labels_apart.ts";
import { bidLook, bidTooltip, type PlacedBid } from "./order_bid.ts";
import type { Panel } from "../figure/panel.ts";
import { wholeText } from "../rows/row_selection.ts";

const LINE = 13;

/** Bids as dots over the ids of their auctions. */
export function bidsOverAuctions(
  bids: readonly PlacedBid[],
  { references, axis, names, height = 360, marginLeft }: BidsOptions,
): Panel {
  const dots = bids.map((row) => ({
    row,
    x: row.auction_id,
    y: row.over_limit_bps,
    color: bidLook(row).fill,
    outline: bidLook(row).stroke,
    title: bidTooltip(row, names),
  }));
  const [low, high] = axis.domain;
  const labels = labelsApart(
    references.map(({ text, value }) => ({ text, y: axis.place(value) })),
    { least: (high - low) * LINE / height, most: high },
  );
  return dotPlot({
    height,
    marginLeft,
    marginRight: labelRoom(references.map(({ text }) => text)),
    x: {
      label: "Auction →",
      labelAnchor: "center",
      grid: true,
      ticks: 6,
      tickFormat: wholeText,
      inset: 8,
    },
    y: { ...axis.scale, label: "↑ Bid over the limit (bps), better" },
    marks: [
      ...references.map(({ value, title, dash }) =>
        Plot.ruleY([value], {
          y: axis.place,
          stroke: COLORS.ink,
          strokeDasharray: dash,
          title: () => title,
          className: "reference",
        })
      ),
      ...dotMarks(dots, { noun: "bid", y: axis }),
      Plot.text(labels, {
        y: "y",
        text: "text",
        frameAnchor: "right",
        textAnchor: "start",
        dx: 6,
      }),
    ],
  });
}
