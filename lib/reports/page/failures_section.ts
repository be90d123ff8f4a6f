import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { OrderReport } from "../order/order_report.ts";
import {
  type CellFormatter,
  shortenAllHex,
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
        const { text, reason, meaning } = failure;
        if (txHash === null) {
          return toFacts({ [`Auction ${auctionId}`]: cell(formatReason(null, text)) });
        }
        const limit = gasLimit === null ? "" : ` of ${gasLimit}`;
        const cost = costAtoms === null
          ? ""
          : `, ${amounts.formatAmount(costAtoms, NATIVE_TOKEN_ADDRESS).text}`;
        return toFacts({
          [`Auction ${auctionId}`]: cell(formatReason(reason, text)),
          Meaning: meaning === null ? null : cell(meaning),
          Transaction: { ...toTransactionCell(txHash), isWhole: true },
          Mined: toTimeCell(minedAt),
          Sender: toAccountCell(sender!),
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

/** The reason alone; without one the sentence, without the name of its auction. */
function formatReason(reason: string | null, text: string): string {
  return reason === null
    ? shortenAllHex(text.slice(text.indexOf(", ") + 2))
    : `reverted: ${shortenAllHex(reason)}`;
}

function toSimulatedCell(error: string | null, block: number): Cell {
  return error === null
    ? { text: `no error at block ${block}`, tone: "good" }
    : { text: `${error}, at block ${block}`, tone: "bad" };
}
