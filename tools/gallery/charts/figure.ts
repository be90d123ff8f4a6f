import { estimate, figure } from "orderlens/charts";
import * as Plot from "@observablehq/plot";
import { market } from "./market.ts";

const by = ["pair", "solver_name"];
const shares = estimate(await market.bids(), { by, value: "is_winner", stat: "share" });
const rows = shares.map((row) => ({ ...row, pair: row.group[0], solver: row.group[1] }));
const ends = { fx: "solver", y: "pair", x1: "low", x2: "high", stroke: "#b8bec5" };
const marks = [Plot.ruleY(rows, ends), Plot.dot(rows, { ...ends, x: "value", fill: "#0072b2" })];
export default figure({ marks, inset: 9 }, { ...market.caption, title: "Bids won, 95% intervals" });
