import { feeWaterfall } from "orderlens/charts";
import { feeStepsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const steps = feeStepsTable(records, { competitions });
export default feeWaterfall(steps);
