import { type Chart, type SettlementFlowRow, settlementFlows } from "../../charts/mod.ts";
import { powerOfTen, ratio, ratioToNumber } from "../../units/mod.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import type { CellFormatter } from "./cell_formatter.ts";

/**
 * Draws the transfers of a settlement, from lane to lane; see `addReportCharts`, which loads this when
 * it is called.
 *
 * @returns `null` without a node, or without all logs.
 */
export function drawTransaction(
  { txHash, onchain }: TransactionReport,
  amounts: CellFormatter,
  width: number,
): Chart | null {
  if (onchain === null || onchain.flows === null || onchain.flows.length === 0) return null;
  const { flows, unknownFlows } = onchain;
  const describe = (token: string) => ({
    tx_hash: txHash,
    token,
    symbol: amounts.token(token).text,
  });
  const rows = flows.map(({ from, fromRole, to, toRole, token, atoms }): SettlementFlowRow => {
    const { decimals } = amounts.describeToken(token);
    return {
      ...describe(token),
      sender: from,
      sender_role: fromRole,
      receiver: to,
      receiver_role: toRole,
      amount_atoms: `${atoms}`,
      amount_tokens: decimals === null ? null : ratioToNumber(ratio(atoms, powerOfTen(decimals))),
    };
  });
  const unknownRows = unknownFlows.map(({ token, why }): SettlementFlowRow => ({
    ...describe(token),
    ...{ sender: null, sender_role: null, receiver: null, receiver_role: null },
    ...{ amount_tokens: null, flow_reason: why },
  }));
  return settlementFlows([...rows, ...unknownRows], { width });
}
