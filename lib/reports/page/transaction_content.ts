import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { cell, type Fact, type PageContent } from "./page_content.ts";
import {
  auctionCell,
  PageWords,
  shortHex,
  solverCell,
  timeCell,
  transactionCell,
} from "./page_words.ts";
import { commandOf, deploymentFact, settledSection, unknownSection } from "./subject_sections.ts";

/** The report of a transaction as a page. */
export function transactionContent(
  report: TransactionReport,
  tokens: TokenOptions = {},
): PageContent {
  const words = new PageWords(tokens);
  const { txHash, deployment, sentence, isFound, blocksLate } = report;
  const isLate = blocksLate !== null && blocksLate > 0;
  return {
    title: `Transaction ${shortHex(txHash)}`,
    subject: { transaction: txHash },
    sentence,
    tone: !isFound ? "neutral" : isLate ? "warning" : "good",
    facts: head(report),
    sections: [settledSection(report.settled, words), unknownSection(report.unknown)]
      .flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(txHash, deployment),
    data: report,
  };
}

function head(report: TransactionReport): Fact[] {
  const { txHash, deployment, isFound, block, at, auctionId, solver, solverName } = report;
  const { ranking, score } = report;
  const facts = [
    { name: "Hash", value: transactionCell(txHash) },
    deploymentFact(deployment),
  ];
  if (!isFound) return facts;
  return [
    ...facts,
    { name: "Block", value: cell(block) },
    ...at === null ? [] : [{ name: "Block at", value: timeCell(at) }],
    { name: "Auction", value: auctionCell(auctionId) },
    { name: "Solver", value: solverCell(solver, solverName) },
    { name: "Rank", value: cell(ranking) },
    { name: "Score", value: score === null ? cell(null) : PageWords.native(score) },
  ];
}
