import { settlementFlows } from "orderlens/charts";
import { sandbox } from "./market.ts";

const audits = await sandbox.audits();
const { txHash } = audits.flatMap(({ audit }) => audit ?? []).find(({ trades }) =>
  trades.length > 1
)!;
export default settlementFlows(await sandbox.tokenFlows(txHash), sandbox.caption);
