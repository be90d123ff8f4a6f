import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import { cell, type PageContent, type Section } from "./page_content.ts";
import { accountCell, PageWords, shortHex, timeCell, uidCell } from "./page_words.ts";
import { commandOf, deploymentFact, unknownSection } from "./subject_sections.ts";

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
