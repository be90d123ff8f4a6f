import type { OrderReport, ReportedFunds } from "../order/order_report.ts";
import { deploymentFact } from "./noun_sections.ts";
import { accountCell, type PageWords, timeCell, uidCell } from "./page_words.ts";
import { type Cell, cell, type Fact } from "./page_content.ts";

/** What stands beside the verdict of an order. */
export function orderHead(
  { uid, verdict, deployment, order, status, asOf, ...rest }: OrderReport,
  words: PageWords,
): Fact[] {
  const { replaces, replacedBy, funds, evidence } = rest;
  const facts: Fact[] = [
    { name: "UID", value: uidCell(uid) },
    { name: "Verdict", value: cell(verdict) },
    deploymentFact(deployment),
  ];
  if (order === null || status === null) return facts;
  const kind = `${order.kind} ${words.pair(order.sellToken, order.buyToken)}`;
  return [
    ...facts,
    {
      name: "Status",
      value: cell(
        status.agrees ? status.reported : `${status.reported}, which the rules do not give now`,
      ),
    },
    {
      name: "Order",
      value: cell(`${kind}${order.partiallyFillable ? ", in parts or whole" : ""}`),
    },
    { name: "Owner", value: accountCell(order.owner) },
    ...replaces === null ? [] : [{ name: "Replaces", value: uidCell(replaces) }],
    ...replacedBy === null ? [] : [{ name: "Replaced by", value: uidCell(replacedBy) }],
    ...funds === null ? [] : fundsFacts(funds, order.sellToken, words),
    { name: "Evidence", value: cell(evidenceWords(evidence)) },
    { name: "As of", value: timeCell(asOf) },
  ];
}

function evidenceWords({ debugReport, walked, node }: OrderReport["evidence"]): string {
  const answers = debugReport === "present" ? "debug report" : "public answers";
  const auctions = walked === null ? "" : `, auctions ${walked.from} to ${walked.to}`;
  return `${answers}${auctions}${node ? ", a node" : ""}`;
}

function fundsFacts(
  { balanceAtoms, allowanceAtoms, neededAtoms }: ReportedFunds,
  token: string,
  words: PageWords,
): Fact[] {
  const against = (atoms: bigint): Cell => ({
    ...words.amount(atoms, token),
    tone: atoms < neededAtoms ? "bad" : "good",
  });
  return [
    { name: "Balance now", value: against(balanceAtoms) },
    { name: "Allowance now", value: against(allowanceAtoms) },
  ];
}
