import { figure } from "orderlens/charts";
import * as Plot from "@observablehq/plot";
import { market } from "./market.ts";

const pairs = await market.sql(`SELECT pair, solver_name AS solver, wins / bids AS won,
  wins || '/' || bids AS of_bids, if(won > 0.75, 'white', 'black') AS ink FROM pairs ORDER BY ALL`);
const cells = { x: "solver", y: "pair" };
const texts = Plot.text(pairs, { ...cells, text: "of_bids", fill: "ink" });
const marks = [Plot.cell(pairs, { ...cells, fill: "won", stroke: "gray" }), texts];
export default figure({ marks }, { ...market.caption, title: "Wins of the bids on each pair" });
