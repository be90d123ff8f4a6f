import { estimate, figure } from "orderlens/charts";
import * as Plot from "@observablehq/plot";
import { market } from "./market.ts";

const bids = await market.bids();
const query = { by: ["solver_name", "pair"], value: "is_winner", stat: "share" } as const;
const shares = estimate(bids, query).map((row) => ({
  ...row,
  ...{
    solver: row.group[0],
    pair: row.group[1],
    wins: `${Math.round(row.value! * row.n)}/${row.n}`,
  },
}));
const cell = { y: "pair", fx: "solver" };
const marks = [
  Plot.ruleY(shares, { ...cell, x1: "low", x2: "high", stroke: "#b8bec5", strokeWidth: 3 }),
  Plot.dot(shares, { ...cell, x: "value", fill: "#0072b2", title: "wins" }),
  Plot.text(shares, { ...cell, text: "wins", frameAnchor: "right", textAnchor: "start", dx: 4 }),
];
const scales = {
  x: { percent: true, ticks: [0, 50, 100], label: "bids that won (%) →" },
  y: { label: null },
  fx: { label: null, padding: 0.35 },
};
export default figure({ ...scales, marks, marginRight: 40 }, {
  ...market.caption,
  title: "How many bids on a pair won, by solver",
  caption: `n = ${
    bids.height.toLocaleString("en")
  } bids. Lines: 95% Wilson intervals, each for its own row`,
});
