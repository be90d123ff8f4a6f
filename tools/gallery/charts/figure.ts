import { figure } from "orderlens/charts";
import { fillsTable } from "orderlens/tables";
import * as Plot from "@observablehq/plot";
import { competitions, records } from "./market.ts";

const fills = fillsTable(records, { competitions }).toRecords();
const by = { y: "pair", fill: "kind", title: "kind", sort: { y: "-x" } } as const;
const marks = [Plot.barX(fills, Plot.groupY({ x: "count" }, by))];
const plot = { marks, color: { legend: true }, x: { label: "Fills →" }, y: { label: null } };
export default figure(plot, { title: "Fills by pair and kind", source: "market_1" });
