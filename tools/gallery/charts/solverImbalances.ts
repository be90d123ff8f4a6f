import { solverImbalances } from "orderlens/charts";
import { sandbox } from "./market.ts";

export default solverImbalances(await sandbox.imbalanceValues(), sandbox.nativeCaption);
