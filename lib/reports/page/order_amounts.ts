import { isNotComputable } from "../../metrics/mod.ts";
import type { AtomInterval } from "../../metrics/prices/price_interval.ts";
import { formatInstant } from "../../units/mod.ts";
import { stateText } from "../order/order_funds.ts";
import type { OrderReport, ReportedFill } from "../order/order_report.ts";
import { UNLIMITED_FROM } from "../order/sentence_of.ts";
import type { ReportedFunds, ReportedRefund } from "../order/verdicts.ts";
import { type Cell, cell, type Fact, type Section } from "./page_content.ts";
import {
  accountCell,
  auctionCell,
  bpsCell,
  PageWords,
  solverCell,
  timeCell,
  transactionCell,
  uidCell,
} from "./page_words.ts";
import { deploymentFact } from "./subject_sections.ts";

const BASELINES = [
  ["gross", "Quote before fees"],
  ["net", "Quote after network costs"],
  ["userShown", "Quote as shown, after all fees"],
  ["limit", "Limit"],
] as const;

/** Signed, quoted and executed amounts side by side. */
export function comparison({ order, tolerance }: OrderReport, words: PageWords): Section | null {
  if (order === null) return null;
  const { quote } = order;
  const row = (name: string, sell: bigint | null, buy: bigint | null): Cell[] => [
    cell(name),
    words.amount(sell, order.sellToken),
    words.amount(buy, order.buyToken),
  ];
  const rows = [row("Signed: the limit", order.sellAmount, order.buyAmount)];
  if (quote != null) rows.push(row("Quoted, before fees", quote.sellAmount, quote.buyAmount));
  rows.push(row("Executed", order.executedSellAmount, order.executedBuyAmount));
  return {
    id: "amounts",
    title: "Signed, quoted, executed",
    facts: [
      { name: "Tolerance asked for", value: bpsCell(tolerance?.askedBps ?? null) },
      { name: "Tolerance signed", value: signedCell(tolerance) },
    ],
    table: {
      columns: [{ name: "" }, { name: "Sells", isNumber: true }, { name: "Buys", isNumber: true }],
      rows,
    },
  };
}

/**
 * How much worse than its quote the limit is: than what the trader was shown, or before volume fees where
 * those are not known, as of an order that is not filled.
 */
function signedCell(tolerance: OrderReport["tolerance"]): Cell {
  if (tolerance === null) return cell(null);
  const { userShown, net } = tolerance;
  if (!isNotComputable(userShown)) return bpsCell(userShown.signedBps);
  if (isNotComputable(net)) return { text: "–", exact: net.detail };
  return { text: `${bpsCell(net.signedBps).text}, before volume fees` };
}

/** Fills with the four baselines, and the split against the gross quote. */
export function fills(report: OrderReport, words: PageWords): Section | null {
  const { order, fills } = report;
  if (order === null || fills.length === 0) return null;
  const token = order.kind === "sell" ? order.buyToken : order.sellToken;
  return {
    id: "fills",
    title: fills.length === 1 ? "Fill" : `${fills.length} fills`,
    note: `Positive is better for the trader. Differences are in ${words.token(token).text}.`,
    table: {
      columns: [
        { name: "Block", isNumber: true },
        { name: "Compared with" },
        { name: "Difference", isNumber: true },
        { name: "Slippage", isNumber: true },
      ],
      rows: fills.flatMap((fill) => fillRows(fill, token, words)),
    },
    facts: fills.flatMap((fill) => [
      {
        name: `Block ${fill.blockNumber}`,
        value: cell(
          `${words.amount(fill.sellAmount, order.sellToken).text} for ${
            words.amount(fill.buyAmount, order.buyToken).text
          }`,
        ),
      },
      { name: "Transaction", value: transactionCell(fill.txHash) },
      { name: "Auction", value: auctionCell(fill.auctionId) },
      { name: "Solver", value: solverCell(fill.solver, fill.solverName) },
    ]),
  };
}

function fillRows(fill: ReportedFill, token: string, words: PageWords): Cell[][] {
  const block = cell(fill.blockNumber);
  const rows = BASELINES.map(([baseline, name]) => {
    const slippage = fill.slippages[baseline];
    return isNotComputable(slippage)
      ? [block, cell(name), { text: "–", exact: slippage.detail }, cell(null)]
      : [block, cell(name), words.amount(slippage.atoms, token), bpsCell(slippage.bps)];
  });
  const { parts } = fill;
  if (isNotComputable(parts)) return rows;
  const part = (name: string, atoms: bigint | AtomInterval): Cell[] => [
    block,
    cell(name),
    typeof atoms === "bigint" ? words.amount(atoms, token) : words.interval(atoms, token),
    cell(null),
  ];
  return [
    ...rows,
    part("of it: network costs", parts.networkCostAtoms),
    part("of it: protocol fees", parts.protocolFeeAtoms),
    part("of it: partner fees", parts.partnerFeeAtoms),
    part("of it: the market", parts.marketAtoms),
  ];
}

/** Fees by kind, token and recipient, each compared with what its policy gives. */
export function fees({ order, fills }: OrderReport, words: PageWords): Section | null {
  if (order === null || fills.length === 0) return null;
  const token = order.kind === "sell" ? order.buyToken : order.sellToken;
  const rows = fills.flatMap(({ blockNumber, networkFee, audit }) => [
    [
      cell(blockNumber),
      cell("network"),
      cell(null),
      isNotComputable(networkFee)
        ? { text: "–", exact: networkFee.detail }
        : words.interval(networkFee.networkAtoms, token),
      cell(
        (isNotComputable(networkFee) ? networkFee.reason : networkFee.basis).replaceAll("_", " "),
      ),
    ],
    ...audit.fees.map((fee) => [
      cell(blockNumber),
      cell(fee.origin === null ? fee.kind : `${fee.kind}, ${fee.origin}`),
      fee.recipient === null
        ? cell(null)
        : { text: fee.recipient, subject: { account: fee.recipient } },
      words.amount(fee.reportedAtoms, token),
      verdictCell(fee.verdict),
    ]),
  ]);
  return {
    id: "fees",
    title: "Fees",
    note: "Every policy is computed again and compared with what was charged, to the atom.",
    table: {
      columns: [
        { name: "Block", isNumber: true },
        { name: "Kind" },
        { name: "Recipient" },
        { name: "Charged", isNumber: true },
        { name: "Audit" },
      ],
      rows,
    },
  };
}

function verdictCell(verdict: string): Cell {
  if (verdict === "exact") return { text: "exact", tone: "good" };
  return { text: verdict.replaceAll("_", " "), tone: verdict === "differs" ? "bad" : "neutral" };
}

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
