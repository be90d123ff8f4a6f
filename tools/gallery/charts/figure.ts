import { figure } from "orderlens/charts";
import * as Plot from "@observablehq/plot";
import { market } from "./market.ts";

const fills = (await market.fills()).toRecords();
const by = { y: "pair", fill: "kind", title: "kind", sort: { y: "-x" } } as const;
const marks = [Plot.barX(fills, Plot.groupY({ x: "count" }, by))];
const plot = { marks, color: { legend: true }, x: { label: "Fills →" }, y: { label: null } };
export default figure(plot, { ...market.caption, title: "Fills by pair and kind" });
