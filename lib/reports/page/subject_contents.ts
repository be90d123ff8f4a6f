import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { cell, type Fact, type PageContent, type Section } from "./page_content.ts";
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
import { commandOf, deploymentFact, settledSection, unknownSection } from "./subject_sections.ts";

/** The report of an account as a page. */
export function accountContent(report: AccountReport, tokens: TokenOptions = {}): PageContent {
  const words = new PageWords(tokens);
  const { account, deployment, sentence, totalSurplus } = report;
  return {
    title: `Account ${shortHex(account)}`,
    subject: { account },
    sentence,
    tone: "neutral",
    facts: [
      { name: "Address", value: accountCell(account) },
      deploymentFact(deployment),
      {
        name: "Total surplus",
        value: totalSurplus === null ? cell(null) : PageWords.native(totalSurplus),
      },
    ],
    sections: [verdicts(report), orders(report, words), unknownSection(report.unknown)]
      .flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(account, deployment),
    data: report,
  };
}

function verdicts({ verdicts }: AccountReport): Section | null {
  if (verdicts.length === 0) return null;
  return {
    id: "verdicts",
    title: "Verdicts",
    table: {
      columns: [{ name: "Verdict" }, { name: "Orders", isNumber: true }],
      rows: verdicts.map(({ verdict, count }) => [cell(verdict), cell(count)]),
    },
  };
}

function orders({ orders, hasMore }: AccountReport, words: PageWords): Section | null {
  if (orders.length === 0) return null;
  return {
    id: "orders",
    title: hasMore ? "Newest orders" : "Orders",
    table: {
      columns: [
        { name: "Created", isWhole: true },
        { name: "Order" },
        { name: "Kind" },
        { name: "Sells", isNumber: true },
        { name: "Buys", isNumber: true },
        { name: "What happened" },
      ],
      rows: orders.map((order) => [
        timeCell(order.creationDate),
        uidCell(order.uid),
        cell(order.kind),
        words.amount(order.sellAmount, order.sellToken),
        words.amount(order.buyAmount, order.buyToken),
        { text: order.sentence, exact: order.verdict },
      ]),
    },
  };
}

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
