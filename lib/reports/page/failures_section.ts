import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { ReportedFailure } from "../order/reported_failure.ts";
import { formatBasis, formatUnmined, REPLAY_PASSED } from "../order/settlement_failures.ts";
import {
  type CellFormatter,
  shortenAllHex,
  shortenHex,
  toAccountCell,
  toTimeCell,
  toTransactionCell,
} from "./cell_formatter.ts";
import { type Cell, cell, type Section, toFacts } from "./page_content.ts";

/** Builds the failed settlements of an order, each with its transaction and its reason. */
export function buildFailuresSection(
  { failures, failureSimulation }: OrderReport,
  amounts: CellFormatter,
): Section | null {
  if (failures.length === 0 && failureSimulation === null) return null;
  const simulationUrl = failureSimulation?.tenderlyUrl ?? null;
  return {
    id: "failures",
    title: "Why did the settlement fail?",
    facts: [
      ...failures.flatMap((failure) => {
        const { auctionId, txHash, at: minedAt, sender, gasUsed, gasLimit, costAtoms } = failure;
        const explanation = { [`Auction ${auctionId}`]: cell(explainFailure(failure)) };
        if (txHash === null) return toFacts(explanation);
        const limit = gasLimit === null ? "" : ` of ${gasLimit}`;
        const cost = costAtoms === null
          ? ""
          : `, ${amounts.formatAmount(costAtoms, NATIVE_TOKEN_ADDRESS).text}`;
        return toFacts({
          ...explanation,
          Transaction: { ...toTransactionCell(txHash), isWhole: true },
          Mined: toTimeCell(minedAt),
          Sender: toAccountCell(sender!),
          Sent: failure.through === null ? null : cell(formatBasis(failure)),
          Gas: cell(`${gasUsed}${limit}${cost}`),
        });
      }),
      ...failureSimulation === null ? [] : toFacts({
        Simulated: toSimulatedCell(failureSimulation.error, failureSimulation.block),
        Simulation: simulationUrl === null ? null : cell(simulationUrl),
      }),
    ],
  };
}

function explainFailure(failure: ReportedFailure): string {
  const { replay, basis, reason, meaning, solver, solverName, fromBlock, toBlock } = failure;
  const solverText = solverName ?? (solver === null ? "an unknown solver" : shortenHex(solver));
  const agent = basis === "auction"
    ? `${solverText}: a transaction with the auction's id`
    : solverText;
  const suffix = meaning === null ? "" : `; ${meaning}`;
  switch (replay) {
    case "reverted":
      return `${agent}: reverted: ${shortenAllHex(reason!)}${suffix}`;
    case "succeeded":
      return `${agent}: failed; called again in the state of the block before, ${REPLAY_PASSED}${suffix}`;
    case "unknown":
      return `${agent}: failed, and the node does not execute it again${suffix}`;
    case null:
      return `${agent}: ${formatUnmined({ solver, fromBlock, toBlock })}`;
  }
}

function toSimulatedCell(error: string | null, block: number): Cell {
  return error === null
    ? { text: `no error at block ${block}`, tone: "good" }
    : { text: `${error}, at block ${block}`, tone: "bad" };
}
