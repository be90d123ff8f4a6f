import * as Plot from "@observablehq/plot";
import type { BidsOptions } from "./bids_list.ts";
import { COLORS } from "../figure/colors.ts";
import { dotMarks, dotPlot } from "../marks/dot_plot.ts";
import { labelRoom } from "../texts/label_size.ts";
import { labelsApart } from "../marks/labels_apart.ts";
import { bidLook, bidTooltip, type PlacedBid } from "./order_bid.ts";
import type { Panel } from "../figure/panel.ts";
import { clockScale } from "../axes/clock_axis.ts";
import { extent } from "../numbers/statistics.ts";
import { wholeText } from "../rows/row_selection.ts";

const LINE = 13;
/** An axis of times is at least this long, in seconds. */
const LEAST_SPAN = 60;

/** The axis of the auctions: their times, or their ids where no time is known. */
function axisOf(times: ReadonlyMap<number, number>): Plot.ScaleOptions {
  const [low, high] = extent([...times.values()]);
  if (low === undefined || high === undefined) {
    return { label: "Auction →", labelAnchor: "center", ticks: 6, tickFormat: wholeText };
  }
  const missing = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  return clockScale([low - missing, high + missing], "Start of the auction");
}

/** Bids as dots over the times of their auctions, or over their ids where no time is known. */
export function bidsOverAuctions(
  bids: readonly PlacedBid[],
  { references, axis, names, times, height = 360, marginLeft }: BidsOptions,
): Panel {
  const dots = bids.map((row) => ({
    row,
    x: times.size === 0 ? row.auction_id : (times.get(row.auction_id) ?? NaN) * 1_000,
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
    x: { ...axisOf(times), grid: true, inset: 8 },
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
