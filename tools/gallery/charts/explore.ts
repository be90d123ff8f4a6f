import { explore } from "orderlens/charts";
import { fillsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fills = fillsTable(records, { competitions });
export default explore(fills); // with a running explorer: { href: "http://127.0.0.1:8080" }
