import * as Plot from "@observablehq/plot";
import { fixedAxis } from "../axes/value_axis.ts";
import { listAxis, type ListSize } from "../axes/list_axis.ts";
import { COLORS } from "../figure/colors.ts";
import type { Panel } from "../figure/panel.ts";
import type { Series } from "../general/series.ts";
import { columnMargin } from "../marks/end_notes.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { fitText } from "../texts/label_size.ts";
import type { FlowTexts } from "./flow_texts.ts";
import type { DrawnFlow } from "./settlement_flow_row.ts";

/** The lanes, from left to right, and what they are called where there is little room. */
const LANES = [
  { name: "Traders", short: "Traders" },
  { name: "Settlement contract", short: "Contract" },
  { name: "Pools and others", short: "Others" },
] as const;

const [TOP, BOTTOM] = [34, 14];
/** Room of the axis that a list has and lanes have not, in pixels. */
const LIST_AXIS = 44;
/** The first and the last lane stand so far from the edges, as parts of the distance of lanes. */
const EDGE = 0.5;
/** Half of the length of an arrow within one lane. */
const WITHIN = 0.22;
/** Narrower figures have no labels left of the lanes; tooltips have them. */
const LABELS_FROM = 480;

/** A flow at its place in the list. */
interface PlacedFlow {
  readonly flow: DrawnFlow;
  readonly place: number;
  readonly from: number;
  readonly to: number;
}

function laneOf(role: string | null): number {
  return role === "trader" ? 0 : role === "contract" ? 1 : 2;
}

function placed(flow: DrawnFlow, place: number): PlacedFlow {
  const [from, to] = [laneOf(flow.sender_role), laneOf(flow.receiver_role)];
  return from === to
    ? { flow, place, from: from - WITHIN, to: to + WITHIN }
    : { flow, place, from, to };
}

/** A panel with an arrow per flow, from lane to lane, in the order given. */
export function lanesPanel(
  flows: readonly DrawnFlow[],
  { texts, tokens, ...size }: ListSize & {
    texts: FlowTexts;
    tokens: readonly Series<DrawnFlow>[];
  },
): Panel {
  const places = new Map(flows.map((flow, place) => [flow, place]));
  const isLabelled = size.width >= LABELS_FROM || size.marginLeft !== undefined;
  const amounts = flows.map(texts.amount);
  const room = { ...size, isLabelled, marginTop: TOP };
  const labels = flows.map(texts.label);
  const { marginLeft, height } = listAxis(labels, room);
  const marginRight = Math.min(columnMargin(amounts), (size.width - marginLeft) * 0.6);
  const amountRoom = marginRight - 12;
  const pitch = (size.width - marginLeft - marginRight) / (LANES.length - 1 + 2 * EDGE);
  const { plot: { y, ...plot }, ...panel } = rankedList({
    ...room,
    marginLeft,
    marginRight,
    labels,
    axis: fixedAxis({
      type: "linear",
      domain: [-EDGE, LANES.length - 1 + EDGE],
      axis: null,
    }),
    column: amounts.map((text) => fitText(text, amountRoom)),
    marks: () => [
      Plot.ruleX(LANES.keys(), { stroke: COLORS.grey, strokeDasharray: "2 3" }),
      Plot.text(LANES, {
        x: (_: unknown, lane: number) => lane,
        text: ({ name, short }: typeof LANES[number]) => {
          const whole = fitText(name, pitch - 6);
          return whole === name ? name : fitText(short, pitch - 6);
        },
        frameAnchor: "top",
        dy: -16,
        fill: COLORS.muted,
        className: "lane",
      }),
      ...tokens.flatMap(({ color, points }) =>
        arrows(points.map((flow) => placed(flow, places.get(flow) ?? 0)), { color, texts })
      ),
    ],
  });
  return {
    ...panel,
    plot: {
      ...plot,
      y: { ...y, tickSize: 0 },
      height: size.height ?? height - LIST_AXIS + BOTTOM,
      marginBottom: BOTTOM,
    },
  };
}

function arrows(
  flows: readonly PlacedFlow[],
  { color, texts }: { color: string; texts: FlowTexts },
): Plot.Markish[] {
  const title = ({ flow }: PlacedFlow) => texts.title(flow);
  return [
    Plot.dot(flows, { x: "from", y: "place", r: 3, fill: color, title, className: "sender" }),
    Plot.arrow(flows, {
      x1: "from",
      x2: "to",
      y1: "place",
      y2: "place",
      stroke: color,
      strokeWidth: 2,
      headLength: 5,
      insetEnd: 1,
      title,
      className: "flow",
    }),
  ];
}
