import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import {
  cell,
  type Fact,
  factsOf,
  listSection,
  numbers,
  type PageContent,
  type Section,
  words,
} from "./page_content.ts";
import {
  accountCell,
  auctionCell,
  PageWords,
  shortHex,
  solverCell,
  timeCell,
  transactionCell,
  uidCell,
} from "./page_words.ts";
import {
  commandOf,
  deploymentCell,
  programmaticSections,
  settledSection,
  unknownSection,
} from "./subject_sections.ts";

/** The report of an account as a page. */
export function accountContent(report: AccountReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const { account, deployment, sentence, totalSurplus } = report;
  return {
    title: `Account ${shortHex(account)}`,
    subject: { account },
    sentence,
    tone: "neutral",
    facts: factsOf({
      Address: accountCell(account),
      Deployment: deploymentCell(deployment),
      "Total surplus": totalSurplus === null ? cell(null) : PageWords.native(totalSurplus),
    }),
    sections: [
      verdicts(report),
      orders(report, amounts),
      ...programmaticSections(report.programmatic, amounts),
      unknownSection(report.unknown),
    ].flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(account, deployment),
    data: report,
  };
}

function verdicts({ verdicts }: AccountReport): Section | null {
  return listSection({ id: "verdicts", title: "Verdicts", rows: verdicts }, [
    words("Verdict", ({ verdict }) => cell(verdict)),
    numbers("Orders", ({ count }) => cell(count)),
  ]);
}

function orders({ orders, hasMore }: AccountReport, amounts: PageWords): Section | null {
  const title = hasMore ? "Newest orders" : "Orders";
  return listSection({ id: "orders", title, rows: orders }, [
    words("Created", ({ creationDate }) => timeCell(creationDate), { isWhole: true }),
    words("Order", ({ uid }) => uidCell(uid)),
    words("Kind", ({ kind }) => cell(kind)),
    numbers("Sells", ({ sellAmount, sellToken }) => amounts.amount(sellAmount, sellToken)),
    numbers("Buys", ({ buyAmount, buyToken }) => amounts.amount(buyAmount, buyToken)),
    words("What happened", ({ sentence, verdict }) => ({ text: sentence, exact: verdict })),
  ]);
}

/** The report of a transaction as a page. */
export function transactionContent(
  report: TransactionReport,
  tokens: TokenOptions = {},
): PageContent {
  const amounts = new PageWords(tokens);
  const { txHash, deployment, sentence, isFound, blocksLate } = report;
  const isLate = blocksLate !== null && blocksLate > 0;
  return {
    title: `Transaction ${shortHex(txHash)}`,
    subject: { transaction: txHash },
    sentence,
    tone: !isFound ? "neutral" : isLate ? "warning" : "good",
    facts: head(report),
    sections: [
      settledSection(report.settled, amounts),
      ...programmaticSections(report.programmatic, amounts),
      unknownSection(report.unknown),
    ].flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(txHash, deployment),
    data: report,
  };
}

function head(report: TransactionReport): Fact[] {
  const { txHash, deployment, isFound, block, at, auctionId, solver, solverName } = report;
  const { ranking, score } = report;
  const facts = { Hash: transactionCell(txHash), Deployment: deploymentCell(deployment) };
  if (!isFound) return factsOf(facts);
  return factsOf({
    ...facts,
    Block: cell(block),
    "Block at": at === null ? null : timeCell(at),
    Auction: auctionCell(auctionId),
    Solver: solverCell(solver, solverName),
    Rank: cell(ranking),
    Score: score === null ? cell(null) : PageWords.native(score),
  });
}
