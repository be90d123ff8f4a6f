import { explore } from "orderlens/charts";
import { market } from "./market.ts";

// Links lead to a running explorer with { href: "http://127.0.0.1:8080" }.
export default explore(await market.fills(), market.links);
