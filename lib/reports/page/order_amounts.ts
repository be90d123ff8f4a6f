import { resolveReceiver } from "../../evm/orders/order_digest.ts";
import { isNotComputable, orderFill, surplusBpsOfLimit, surplusToken } from "../../metrics/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Order } from "../../schemas/mod.ts";
import { formatInstant, sameHex } from "../../units/mod.ts";
import { isDepositOver, nameDeposit, type ReportedDeposit } from "../order/ethflow_deposit.ts";
import { stateText } from "../order/order_funds.ts";
import { lastValidSecond, type OrderReport, type ReportedFill } from "../order/order_report.ts";
import { filledShare, UNLIMITED_FROM } from "../order/sentence_of.ts";
import type { ReportedFunds } from "../order/verdicts.ts";
import {
  type Cell,
  cell,
  type Fact,
  factsOf,
  listSection,
  numbers,
  type PageContent,
  type Section,
  tableOf,
  words,
} from "./page_content.ts";
import {
  accountCell,
  ageText,
  auctionCell,
  bpsCell,
  type PageWords,
  solverCell,
  statusCell,
  timeCell,
  transactionCell,
  uidCell,
} from "./page_words.ts";
import { deploymentCell } from "./subject_sections.ts";

const BASELINES = [
  ["gross", "Quote before fees"],
  ["net", "Quote after network costs"],
  ["userShown", "Quote as shown, after all fees"],
  ["limit", "Limit"],
] as const;

/** Signed, quoted and executed amounts side by side. */
export function comparison({ order, tolerance }: OrderReport, amounts: PageWords): Section | null {
  if (order === null) return null;
  const { quote } = order;
  const [executedSell, executedBuy] = [order.executedSellAmount, order.executedBuyAmount];
  const rows = [
    { name: "Signed: the limit", sell: order.sellAmount, buy: order.buyAmount },
    ...quote == null
      ? []
      : [{ name: "Quoted, before fees", sell: quote.sellAmount, buy: quote.buyAmount }],
    { name: "Executed", sell: executedSell, buy: executedBuy },
  ];
  return {
    id: "amounts",
    title: "Signed, quoted, executed",
    facts: factsOf({
      "Tolerance asked for": tolerance?.askedBps == null ? null : bpsCell(tolerance.askedBps),
      "Tolerance signed": signedCell(tolerance),
    }),
    table: tableOf(rows, [
      words("", ({ name }) => cell(name)),
      numbers("Sells", ({ sell }) => amounts.amount(sell, order.sellToken)),
      numbers("Buys", ({ buy }) => amounts.amount(buy, order.buyToken)),
    ]),
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
export function fills(report: OrderReport, amounts: PageWords): Section | null {
  const { order, fills } = report;
  if (order === null || fills.length === 0) return null;
  const token = surplusToken(order);
  const rows = fills.flatMap((fill) =>
    comparedParts(fill, token, amounts).map((part) => ({ block: fill.blockNumber, ...part }))
  );
  return {
    id: "fills",
    title: fills.length === 1 ? "Fill" : `${fills.length} fills`,
    note: `Positive is better for the trader. Differences are in ${amounts.token(token).text}.`,
    table: tableOf(rows, [
      numbers("Block", ({ block }) => cell(block)),
      words("Compared with", ({ name }) => cell(name)),
      numbers("Difference", ({ difference }) => difference),
      numbers("Slippage", ({ bps }) => bps),
    ]),
    facts: fills.flatMap((fill) => {
      const sold = amounts.amount(fill.sellAmount, order.sellToken).text;
      const bought = amounts.amount(fill.buyAmount, order.buyToken).text;
      return factsOf({
        [`Block ${fill.blockNumber}`]: cell(`${sold} for ${bought}`),
        Transaction: { ...transactionCell(fill.txHash), isWhole: fills.length > 1 },
        Auction: auctionCell(fill.auctionId),
        Solver: solverCell(fill.solver, fill.solverName),
      });
    }),
  };
}

/** What a fill differs by from each baseline, and what the difference to the first is made of. */
function comparedParts({ slippages, parts }: ReportedFill, token: string, amounts: PageWords) {
  const compared = BASELINES.map(([baseline, name]) => {
    const slippage = slippages[baseline];
    return isNotComputable(slippage)
      ? { name, difference: amounts.amount(slippage, token), bps: cell(null) }
      : { name, difference: amounts.amount(slippage.atoms, token), bps: bpsCell(slippage.bps) };
  });
  if (isNotComputable(parts)) return compared;
  const { networkCostAtoms, protocolFeeAtoms, partnerFeeAtoms, marketAtoms } = parts;
  const split = [
    { name: "of it: network costs", difference: amounts.interval(networkCostAtoms, token) },
    { name: "of it: protocol fees", difference: amounts.amount(protocolFeeAtoms, token) },
    { name: "of it: partner fees", difference: amounts.amount(partnerFeeAtoms, token) },
    { name: "of it: the market", difference: amounts.interval(marketAtoms, token) },
  ];
  return [...compared, ...split.map((part) => ({ ...part, bps: cell(null) }))];
}

/** Fees by kind, token and recipient, each compared with what its policy gives. */
export function fees({ order, fills }: OrderReport, amounts: PageWords): Section | null {
  if (order === null) return null;
  const token = surplusToken(order);
  const rows = fills.flatMap(({ blockNumber, networkFee, audit }) => [
    {
      blockNumber,
      kind: "network",
      recipient: cell(null),
      charged: amounts.networkFee(networkFee, token),
      audit: cell(
        (isNotComputable(networkFee) ? networkFee.reason : networkFee.basis).replaceAll("_", " "),
      ),
    },
    ...audit.fees.map((fee) => ({
      blockNumber,
      kind: fee.origin === null ? fee.kind : `${fee.kind}, ${fee.origin}`,
      recipient: fee.recipient === null
        ? cell(null)
        : { text: fee.recipient, subject: { account: fee.recipient } },
      charged: amounts.amount(fee.reportedAtoms, token),
      audit: verdictCell(fee.verdict),
    })),
  ]);
  const note = "Every policy is computed again and compared with what was charged, to the atom.";
  return listSection({ id: "fees", title: "Fees", note, rows }, [
    numbers("Block", ({ blockNumber }) => cell(blockNumber)),
    words("Kind", ({ kind }) => cell(kind)),
    words("Recipient", ({ recipient }) => recipient),
    numbers("Charged", ({ charged }) => charged),
    words("Audit", ({ audit }) => audit),
  ]);
}

function verdictCell(verdict: string): Cell {
  if (verdict === "exact") return { text: "exact", tone: "good" };
  return { text: verdict.replaceAll("_", " "), tone: verdict === "differs" ? "bad" : "neutral" };
}

/** The status of an order, and what it is to sell for what, or has. */
export function orderLead(
  { order, status, fills }: OrderReport,
  amounts: PageWords,
): Pick<PageContent, "label" | "lead"> {
  if (order === null || status === null) return {};
  const { kind, sellToken, buyToken, sellAmount, buyAmount } = order;
  const isFilled = order.executedBuyAmount > 0n;
  const isPartly = isFilled && status.reported !== "fulfilled";
  const label = statusCell(status.reported);
  const [sold, bought] = isFilled
    ? [order.executedSellAmount, order.executedBuyAmount]
    : [sellAmount, buyAmount];
  const verbs = isFilled || fills.length > 0
    ? ["Sold", "→ received"]
    : kind === "sell"
    ? ["Sell", "→ at least"]
    : ["Sell at most", "→"];
  return {
    label: isPartly ? { ...label, text: `${label.text}, ${filledShare(order)} filled` } : label,
    lead: [
      cell(verbs[0]),
      amounts.linked(sold, sellToken),
      cell(verbs[1]),
      amounts.linked(bought, buyToken),
    ],
  };
}

/** What stands beside the verdict of an order: what happened to it first, then what it is. */
export function orderHead(report: OrderReport, amounts: PageWords): Fact[] {
  const { uid, verdict, deployment, order, status, asOf, ...rest } = report;
  const { replaces, replacedBy, evidence, state, placement, refund, deposit } = rest;
  const named = factsOf({ UID: uidCell(uid) });
  const judged = factsOf({ Verdict: cell(verdict), Deployment: deploymentCell(deployment) });
  if (order === null || status === null) {
    return [...named, ...partFacts(report, amounts), ...judged];
  }
  const { owner } = order;
  const receiver = resolveReceiver(order);
  return [
    ...named,
    ...settlementFacts(report, order, amounts),
    ...fundsOf(rest).flatMap((each) => fundsFacts(each, order.sellToken, amounts)),
    ...factsOf({
      Order: cell(`${order.kind}${order.partiallyFillable ? ", in parts or whole" : ""}`),
      Owner: accountCell(owner),
      "EthFlow contract": deposit === null ? null : accountCell(deposit.contract),
      Receiver: sameHex(receiver, owner) ? null : accountCell(receiver),
      Created: agedCell(order.creationDate, asOf),
      "Valid until": agedCell(lastValidSecond(order), asOf),
      "Contract now": state === null ? null : cell(stateText(state, order.ethflowData != null)),
      "Placed in": placement === null ? null : transactionCell(placement.txHash),
      ...depositFact(deposit, order, amounts),
      "Refunded in": deposit?.refundTxHash == null
        ? null
        : { ...transactionCell(deposit.refundTxHash), isWhole: true },
      "Refunded by": refund?.refunder == null ? null : accountCell(refund.refunder),
      Replaces: replaces === null ? null : uidCell(replaces),
      "Replaced by": replacedBy === null ? null : uidCell(replacedBy),
      Status: status.agrees ? null : cell(`${status.reported}, which the rules do not give now`),
    }),
    ...judged,
    ...factsOf({ Evidence: cell(evidenceWords(evidence)), Simulated: simulationCell(evidence) }),
    ...factsOf({ "As of": timeCell(asOf) }),
  ];
}

/** What of an EthFlow order was not sold, and who has it. */
function depositFact(
  deposit: ReportedDeposit | null,
  order: Order,
  amounts: PageWords,
): Record<string, Cell> {
  if (deposit === null || deposit.state === "spent" || !isDepositOver(order)) return {};
  const { unsoldAtoms, state } = deposit;
  const amount = amounts.amount(unsoldAtoms, NATIVE_TOKEN_ADDRESS);
  return {
    [`Its ${nameDeposit(deposit)}`]: state === "held"
      ? { ...amount, text: `${amount.text}, still in the EthFlow contract`, tone: "bad" }
      : { ...amount, text: `${amount.text}, returned` },
  };
}

/** What a part of a TWAP that nobody posted was to trade, and where the TWAP was created. */
function partFacts({ programmatic }: OrderReport, amounts: PageWords): Fact[] {
  if (programmatic === null) return [];
  const { owner, txHash, terms } = programmatic;
  return factsOf({
    "Created in": txHash === null ? null : { ...transactionCell(txHash), isWhole: true },
    Owner: accountCell(owner),
    "Each part sells": terms && amounts.amount(terms.partSellAmount, terms.sellToken),
    "For at least": terms && amounts.amount(terms.minPartLimit, terms.buyToken),
  });
}

/** What a simulation of its settlement came to, in the words of the service. */
function simulationCell({ simulation }: OrderReport["evidence"]): Cell | null {
  if (simulation === null) return null;
  const { error } = simulation;
  return error == null ? { text: "no error", tone: "good" } : { text: error, tone: "bad" };
}

function agedCell(at: Temporal.Instant, now: Temporal.Instant | null): Cell {
  const age = now === null ? "" : ageText(at, now);
  return { ...timeCell(at), ...age !== "" && !age.startsWith("0 s") && { after: ` (${age})` } };
}

/** Where, by whom and for what an order was filled, beside its limit. */
function settlementFacts(
  { fills, auctions }: OrderReport,
  order: Order,
  amounts: PageWords,
): Fact[] {
  const limit = amounts.rate(order, order.sellAmount, order.buyAmount);
  const { executedSellAmount: sold, executedBuyAmount: bought, executedFee } = order;
  const last = fills.at(-1);
  if (last === undefined) {
    return factsOf({
      ...bidFacts(auctions, order, amounts),
      "Limit rate": limit,
      Filled: order.partiallyFillable ? cell(filledShare(order)) : null,
    });
  }
  const before = fills.length - 1;
  const solvers = new Map(fills.map(({ solver, solverName }) => [solver, solverName]));
  const names = [...solvers].map(([solver, name]) => solverCell(solver, name));
  const after = before === 0 ? "" : ` and ${before} before`;
  return factsOf({
    Transaction: last.txHash === null
      ? null
      : { ...transactionCell(last.txHash), isWhole: true, after },
    Solver: names.length === 1 ? names[0]! : cell(names.map(({ text }) => text).join(", ")),
    Rate: amounts.rate(order, sold, bought),
    "Limit rate": limit,
    Surplus: surplusCell(fills, order, amounts),
    Fees: executedFee == null
      ? null
      : amounts.amount(executedFee, order.executedFeeToken ?? order.sellToken),
    Filled: cell(filledShare(order)),
  });
}

/** The bid of the last auction that had any: the one that won, otherwise the best. */
function bidFacts(auctions: OrderReport["auctions"], order: Order, amounts: PageWords) {
  const bids = auctions.findLast(({ bids }) => bids.length > 0)?.bids ?? [];
  const bid = bids.find(({ isWinner }) => isWinner) ??
    bids.toSorted((a, b) => a.ranking - b.ranking)[0];
  if (bid === undefined) return {};
  const { auctionId, solver, solverName, isWinner, filteredOut, overLimitBps } = bid;
  const behind = bid.behindWinnerAtoms ?? 0n;
  const words = [
    ` in auction ${auctionId}`,
    ...overLimitBps === null ? [] : [`${bpsCell(overLimitBps).text} over the limit`],
    ...filteredOut ? ["filtered out"] : [],
    ...behind > 0n ? [`${amounts.amount(behind, surplusToken(order)).text} behind the winner`] : [],
  ];
  return {
    [isWinner ? "Won by" : "Best bid"]: {
      ...solverCell(solver, solverName),
      after: words.join(", "),
    },
  };
}

/** The surplus of all fills; its share of the limit where the roles of the fills do not change it. */
function surplusCell(fills: readonly ReportedFill[], order: Order, amounts: PageWords): Cell {
  const token = surplusToken(order);
  let sum = 0n;
  for (const { surplusAtoms } of fills) {
    if (isNotComputable(surplusAtoms)) return amounts.amount(surplusAtoms, token);
    sum += surplusAtoms;
  }
  const amount = amounts.amount(sum, token);
  const bps = surplusBpsOfLimit(orderFill(order), order);
  if (isNotComputable(bps) || sum === 0n) return amount;
  return { ...amount, text: `${amount.text}, ${bpsCell(bps).text} of the limit` };
}

function evidenceWords({ debugReport, walked, node }: OrderReport["evidence"]): string {
  const answers = debugReport === "present" ? "debug report" : "public answers";
  const auctions = walked === null ? "" : `, auctions ${walked.from} to ${walked.to}`;
  return `${answers}${auctions}${node ? ", a node" : ""}`;
}

/** What the owner had and has, oldest first. */
export function fundsOf(
  { earlierFunds, funds }: Pick<OrderReport, "earlierFunds" | "funds">,
): readonly ReportedFunds[] {
  return funds === null ? earlierFunds : [...earlierFunds, funds];
}

function fundsFacts(funds: ReportedFunds, token: string, amounts: PageWords): Fact[] {
  const { balanceAtoms, nativeAtoms, allowanceAtoms, moment, block, at } = funds;
  const against = (atoms: bigint, missing: bigint): Cell => {
    const amount = amounts.amount(atoms, token);
    const isUnlimited = missing === 0n && atoms >= UNLIMITED_FROM;
    const held = isUnlimited ? { ...amount, text: "unlimited" } : amount;
    const lack = amounts.amount(missing, token);
    const exact = `in block ${block}, ${formatInstant(at)}`;
    if (missing === 0n) return { ...held, exact: `${held.exact}; ${exact}`, tone: "good" };
    const needed = amounts.amount(funds.neededAtoms, token);
    return {
      text: `${held.text}; ${needed.text} needed, ${lack.text} missing`,
      exact: `${held.exact}; ${lack.exact} missing ${exact}`,
      tone: "bad",
    };
  };
  const isPartly = funds.neededAtoms < funds.remainingAtoms;
  const when = moment === "now" ? "now" : `in block ${block}`;
  return factsOf({
    [`Balance ${when}`]: against(balanceAtoms + nativeAtoms, funds.missingBalanceAtoms),
    [`Allowance ${when}`]: against(allowanceAtoms, funds.missingAllowanceAtoms),
    "Left to sell": isPartly ? amounts.amount(funds.remainingAtoms, token) : null,
  });
}
