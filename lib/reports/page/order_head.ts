import { formatInstant } from "../../units/mod.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { ReportedFunds, ReportedRefund } from "../order/reported_chain.ts";
import { stateText } from "../order/order_state.ts";
import { UNLIMITED_FROM } from "../order/lack_clause.ts";
import { deploymentFact } from "./subject_sections.ts";
import { accountCell, PageWords, timeCell, transactionCell, uidCell } from "./page_words.ts";
import { type Cell, cell, type Fact } from "./page_content.ts";

/** What stands beside the verdict of an order. */
export function orderHead(
  { uid, verdict, deployment, order, status, asOf, ...rest }: OrderReport,
  words: PageWords,
): Fact[] {
  const { replaces, replacedBy, funds, earlierFunds, evidence } = rest;
  const { state, placement, refund } = rest;
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
    ...state === null
      ? []
      : [{ name: "Contract now", value: cell(stateText(state, order.ethflowData != null)) }],
    ...placement === null ? [] : [{ name: "Placed in", value: transactionCell(placement.txHash) }],
    ...refund === null ? [] : refundFacts(refund),
    ...replaces === null ? [] : [{ name: "Replaces", value: uidCell(replaces) }],
    ...replacedBy === null ? [] : [{ name: "Replaced by", value: uidCell(replacedBy) }],
    ...[...earlierFunds, ...funds === null ? [] : [funds]].flatMap((each) =>
      fundsFacts(each, order.sellToken, words)
    ),
    { name: "Evidence", value: cell(evidenceWords(evidence)) },
    { name: "As of", value: timeCell(asOf) },
  ];
}

function evidenceWords({ debugReport, walked, node }: OrderReport["evidence"]): string {
  const answers = debugReport === "present" ? "debug report" : "public answers";
  const auctions = walked === null ? "" : `, auctions ${walked.from} to ${walked.to}`;
  return `${answers}${auctions}${node ? ", a node" : ""}`;
}

function refundFacts({ txHash, refunder, nativeAtoms }: ReportedRefund): Fact[] {
  return [
    { name: "Refunded in", value: transactionCell(txHash) },
    ...refunder === null ? [] : [{ name: "Refunded by", value: accountCell(refunder) }],
    ...nativeAtoms === null ? [] : [{ name: "Returned", value: PageWords.native(nativeAtoms) }],
  ];
}

function fundsFacts(funds: ReportedFunds, token: string, words: PageWords): Fact[] {
  const { balanceAtoms, nativeAtoms, allowanceAtoms, moment, block, at } = funds;
  const against = (atoms: bigint, missing: bigint): Cell => {
    const amount = words.amount(atoms, token);
    const isUnlimited = missing === 0n && atoms >= UNLIMITED_FROM;
    const held = isUnlimited ? { ...amount, text: "unlimited" } : amount;
    const lack = words.amount(missing, token);
    const exact = `in block ${block}, ${formatInstant(at)}`;
    if (missing === 0n) return { ...held, exact: `${held.exact}; ${exact}`, tone: "good" };
    const needed = words.amount(funds.neededAtoms, token);
    return {
      text: `${held.text}; ${needed.text} needed, ${lack.text} missing`,
      exact: `${held.exact}; ${lack.exact} missing ${exact}`,
      tone: "bad",
    };
  };
  const isPartly = funds.neededAtoms < funds.remainingAtoms;
  const when = moment === "now" ? "now" : `in block ${block}`;
  return [
    {
      name: `Balance ${when}`,
      value: against(balanceAtoms + nativeAtoms, funds.missingBalanceAtoms),
    },
    { name: `Allowance ${when}`, value: against(allowanceAtoms, funds.missingAllowanceAtoms) },
    ...isPartly ? [{ name: "Left to sell", value: words.amount(funds.remainingAtoms, token) }] : [],
  ];
}
