import { resolveReceiver } from "../../evm/orders/order_digest.ts";
import { parseOrderUid } from "../../evm/orders/order_uid.ts";
import {
  isNotComputable,
  orderFill,
  settledSurplus,
  slippage,
  surplusBpsOfLimit,
  surplusToken,
} from "../../metrics/mod.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import {
  type FilledAmounts,
  findAttemptedBid,
  isFailedOutcome,
  readFilled,
} from "../../metrics/orders/lifecycle_facts.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { isClosedStatus, type Order } from "../../schemas/mod.ts";
import { formatInstant, ratio, ratioToNumber, sameHex } from "../../units/mod.ts";
import {
  formatDepositName,
  isDepositOver,
  type ReportedDeposit,
} from "../order/ethflow_deposit.ts";
import { sumDollars, valueInDollars } from "../order/dollar_amounts.ts";
import { formatState } from "../order/order_funds.ts";
import {
  type OrderReport,
  readValidUntil,
  type ReportedFill,
  type ReportedStageBid,
  type TimelineBasis,
  toInstant,
} from "../order/order_report.ts";
import { formatFilledShare, UNLIMITED_FROM } from "../order/format_sentence.ts";
import { describeOutcome } from "../order/reported_failure.ts";
import { areAllFills } from "../order/report_parts.ts";
import type { ReportedFunds } from "../order/verdicts.ts";
import { formatWalk } from "../order/walk_text.ts";
import {
  buildTable,
  type Cell,
  cell,
  type Fact,
  numberColumn,
  type PageContent,
  sanitizeText,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import {
  type CellFormatter,
  formatAge,
  toAccountCell,
  toBpsCell,
  toSolverCell,
  toStatusCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
  type ValuedAmount,
} from "./cell_formatter.ts";
import { findFillEntry } from "./order_fills.ts";
import { buildDeploymentFacts } from "./subject_sections.ts";

/** Signed, quoted and executed amounts side by side. */
export function buildAmountsSection(
  { order, tolerance, usdPerAtom, fills }: OrderReport,
  amounts: CellFormatter,
): Section | null {
  if (order === null) return null;
  const { quote } = order;
  const toCells = (sellAmount: bigint, buyAmount: bigint) => ({
    sell: amounts.formatAmount(sellAmount, order.sellToken, usdPerAtom?.sell),
    buy: amounts.formatAmount(buyAmount, order.buyToken, usdPerAtom?.buy),
  });
  const executed = valueExecuted(order, fills);
  const rows = [
    { name: "Signed: the limit", ...toCells(order.sellAmount, order.buyAmount) },
    ...quote == null
      ? []
      : [{ name: "Quoted, before fees", ...toCells(quote.sellAmount, quote.buyAmount) }],
    {
      name: "Executed",
      sell: amounts.addDollars(executed.sell, order.sellToken),
      buy: amounts.addDollars(executed.buy, order.buyToken),
    },
  ];
  return {
    id: "amounts",
    title: "Signed, quoted, executed",
    facts: toFacts({
      "Tolerance requested": tolerance?.askedBps == null ? null : toBpsCell(tolerance.askedBps),
      "Tolerance signed": toSignedCell(tolerance),
    }),
    table: buildTable(rows, [
      textColumn("", ({ name }) => cell(name)),
      numberColumn("Sells", ({ sell }) => sell),
      numberColumn("Buys", ({ buy }) => buy),
    ]),
  };
}

/** Executed amounts of an order, with their value in US dollars by the auctions of its fills. */
function valueExecuted(
  { executedSellAmount, executedBuyAmount }: Order,
  fills: readonly ReportedFill[],
): Readonly<Record<"sell" | "buy", ValuedAmount>> {
  const value = (atoms: bigint, side: "sell" | "buy") => {
    const parts = fills.map(({ usdPerAtom, ...fill }) => ({
      atoms: fill[`${side}Amount`],
      usdPerAtom: usdPerAtom?.[side],
    }));
    // A fill that is not known yet would be missing in the sum.
    const isWhole = parts.reduce((sum, part) => sum + part.atoms, 0n) === atoms;
    return { atoms, dollars: isWhole ? sumDollars(parts) : null };
  };
  return { sell: value(executedSellAmount, "sell"), buy: value(executedBuyAmount, "buy") };
}

/**
 * Formats the tolerance of the limit below its quote: than what the trader was shown, or before volume fees where
 * those are not known, as of an order that is not filled.
 */
function toSignedCell(tolerance: OrderReport["tolerance"]): Cell | null {
  if (tolerance === null) return null;
  const { userShown, net } = tolerance;
  if (!isNotComputable(userShown)) return toBpsCell(userShown.signedBps);
  if (isNotComputable(net)) {
    return cell(
      net.reason === "zero_baseline" ? "Its quote gives nothing after network costs" : net.detail,
    );
  }
  return { text: `${toBpsCell(net.signedBps).text}, before volume fees` };
}

/** The status of an order as a label; with its filled part, if that is neither nothing nor all. */
export function toFilledStatusCell(status: string, order: FilledAmounts): Cell {
  const label = toStatusCell(status);
  return status === "fulfilled" || order.executedBuyAmount === 0n
    ? label
    : { ...label, text: `${label.text}, ${formatFilledShare(order)} filled` };
}

/** The status of an order, and what it is to sell for what, or has. */
export function buildOrderLead(
  { order, status, fills, usdPerAtom }: OrderReport,
  amounts: CellFormatter,
): Pick<PageContent, "label" | "lead"> {
  if (order === null || status === null) return {};
  const { kind, sellToken, buyToken, sellAmount, buyAmount } = order;
  const isFilled = order.executedBuyAmount > 0n;
  const valued = isFilled ? valueExecuted(order, fills) : {
    sell: { atoms: sellAmount, dollars: valueInDollars(sellAmount, usdPerAtom?.sell) },
    buy: { atoms: buyAmount, dollars: valueInDollars(buyAmount, usdPerAtom?.buy) },
  };
  const verb = isClosedStatus(order.status) ? "Was to sell" : "Sell";
  const verbs = isFilled || fills.length > 0
    ? ["Sold", "→ received"]
    : kind === "sell"
    ? [verb, "→ at least"]
    : [`${verb} at most`, "→"];
  return {
    label: toFilledStatusCell(status.reported, order),
    lead: [
      cell(verbs[0]),
      amounts.linkAmount(valued.sell, sellToken),
      cell(verbs[1]),
      amounts.linkAmount(valued.buy, buyToken),
    ],
  };
}

/** Builds the facts beside the verdict of an order: what happened to it, then its terms and the evidence. */
export function buildOrderFacts(report: OrderReport, amounts: CellFormatter): Fact[] {
  const { uid, verdict, deployment, order, status, ...details } = report;
  const { replaces, replacedBy, evidence, state, placement, refund, deposit } = details;
  const uidFacts = toFacts({ UID: toUidCell(uid) });
  const verdictFacts = toFacts({ Verdict: cell(verdict), ...buildDeploymentFacts(deployment) });
  if (order === null || status === null) {
    return [...uidFacts, ...buildPartFacts(report, amounts), ...verdictFacts];
  }
  const { owner } = order;
  const receiver = resolveReceiver(order);
  const terms = [
    ...uidFacts,
    ...toFacts({
      Order: cell(formatTerms(order)),
      Owner: toAccountCell(owner),
      "EthFlow contract": deposit === null ? null : toAccountCell(deposit.contract),
      Created: toAgedCell(order.creationDate, report),
      "Valid until": toAgedCell(readValidUntil(order), report),
      "Placed in": placement === null ? null : toTransactionCell(placement.txHash),
    }),
    ...verdictFacts,
    ...toFacts({
      Evidence: cell(formatEvidence(evidence)),
      Searched: evidence.walked && cell(formatWalk(evidence.walked, report.auctions)),
      Simulation: evidence.simulation?.tenderlyUrl == null
        ? null
        : cell(evidence.simulation.tenderlyUrl),
      "As of": toAsOfCell(report),
    }),
  ];
  return [
    ...buildCancellationFact(report),
    ...buildSettlementFacts(report, order, amounts),
    ...buildAttemptFacts(report),
    ...listFunds(details).flatMap((fundsReport) =>
      buildFundsFacts(fundsReport, order.sellToken, amounts)
    ),
    ...toFacts({
      Receiver: sameHex(receiver, owner)
        ? null
        : { ...toAccountCell(receiver), after: ", not its owner" },
      "Contract now": state === null ? null : cell(formatState(state, order.ethflowData != null)),
      ...buildDepositFact(deposit, order, amounts),
      "Refunded in": deposit?.refundTxHash == null
        ? null
        : { ...toTransactionCell(deposit.refundTxHash), isWhole: true },
      "Refunded by": refund?.refunder == null ? null : toAccountCell(refund.refunder),
      Replaces: replaces === null ? null : { ...toUidCell(replaces), isWhole: true },
      "Replaced by": replacedBy === null ? null : { ...toUidCell(replacedBy), isWhole: true },
      Status: status.agrees ? null : cell(`${status.reported}, but not by the rules`),
      Simulated: toSimulationCell(evidence),
    }),
    ...terms.map((fact) => ({ ...fact, isTerm: true })),
  ];
}

/** The time of a cancellation, where an event has it. */
function buildCancellationFact(report: OrderReport): Fact[] {
  const cancellation = report.timeline.find(({ kind }) => kind === "cancelled");
  return cancellation?.at == null
    ? []
    : toFacts({ "Cancelled at": toAgedCell(cancellation.at, report) });
}

/** Formats which amount an order fixes, whether it may be filled in parts, and the class that its app declares. */
function formatTerms(order: Order): string {
  const { kind, partiallyFillable, class: orderClass } = order;
  const declared = parseOrderAppData(order)?.metadata?.orderClass?.orderClass;
  const terms = `${kind}, ${partiallyFillable ? "in parts or whole" : "fill or kill"}`;
  if (orderClass === "liquidity") return `${terms}; a liquidity order`;
  return declared === undefined ? terms : `${terms}; ${declared}, as its app declares`;
}

/** The filled part of an order that may be filled in parts, with its amounts and a bar. */
function toFilledCell(order: Order, amounts: CellFormatter): Cell {
  const share = formatFilledShare(order);
  const [filled, total] = readFilled(order);
  const isSell = order.kind === "sell";
  const token = isSell ? order.sellToken : order.buyToken;
  const [done, whole] = [filled, total].map((atoms) => amounts.formatAmount(atoms, token));
  const unit = whole!.text.slice(whole!.text.indexOf(" "));
  const doneText = done!.text.replace(unit, () => "");
  return {
    text: `${share}: ${doneText} of ${whole!.text} ${isSell ? "sold" : "bought"}`,
    exact: `${filled} of ${whole!.exact}`,
    share: total === 0n ? 0 : ratioToNumber(ratio(filled, total)),
  };
}

/** Builds the fact about the unsold amount of an EthFlow order, and its holder. */
function buildDepositFact(
  deposit: ReportedDeposit | null,
  order: Order,
  amounts: CellFormatter,
): Record<string, Cell> {
  if (deposit === null || deposit.state === "spent" || !isDepositOver(order)) return {};
  const { unsoldAtoms, state } = deposit;
  const amount = amounts.formatAmount(unsoldAtoms, NATIVE_TOKEN_ADDRESS);
  return {
    [`Its ${formatDepositName(deposit)}`]: state === "held"
      ? { ...amount, text: `${amount.text}, still in the EthFlow contract`, tone: "bad" }
      : { ...amount, text: `${amount.text}, returned` },
  };
}

/** Expiry in the UIDs of all EthFlow orders, which end earlier. */
const ETHFLOW_VALID_TO = 2 ** 32 - 1;

/** Builds what the UID of an unknown order names, or the facts about the terms of an unposted part of a TWAP, and where the TWAP was created. */
function buildPartFacts({ uid, programmatic }: OrderReport, amounts: CellFormatter): Fact[] {
  if (programmatic === null) {
    const { owner, validTo } = parseOrderUid(uid);
    return toFacts({
      "Owner by its UID": toAccountCell(owner),
      "Valid until by its UID": validTo === ETHFLOW_VALID_TO
        ? null
        : toTimeCell(toInstant(validTo)),
    });
  }
  const { owner, txHash, terms } = programmatic;
  return toFacts({
    "Created in": txHash === null ? null : { ...toTransactionCell(txHash), isWhole: true },
    Owner: toAccountCell(owner),
    "Each part sells": terms && amounts.formatAmount(terms.partSellAmount, terms.sellToken),
    "For at least": terms && amounts.formatAmount(terms.minPartLimit, terms.buyToken),
  });
}

/** Formats the result of a simulated settlement, in the words of the service, without the data behind them. */
function toSimulationCell({ simulation }: OrderReport["evidence"]): Cell | null {
  if (simulation === null) return null;
  const { error } = simulation;
  if (error == null) return { text: "no error", tone: "good" };
  return { text: error.replaceAll(/,? data: "?0x[0-9a-f]*"?/gi, ""), exact: error, tone: "bad" };
}

/** The time of the responses: that or later, if they have none. */
export function toAsOfCell({ asOf, evidence }: Pick<OrderReport, "asOf" | "evidence">): Cell {
  return evidence.isTimed ? toTimeCell(asOf) : toTimeCell(asOf, null);
}

/** A time with its age, or the time left until it, if the responses have a time. */
export function toAgedCell(
  time: Temporal.Instant,
  { asOf, evidence }: Pick<OrderReport, "asOf" | "evidence">,
): Cell {
  const age = asOf === null || !evidence.isTimed ? "" : formatAge(time, asOf);
  return {
    ...toTimeCell(time),
    ...age !== "" && !/^(?:in )?0 s/.test(age) && { after: ` (${age})` },
  };
}

/** Characters of the outcome of an attempt among the facts; its section has all of it. */
const MAX_OUTCOME_LENGTH = 120;

/** The last attempt to settle an order that failed, and the number of those before it. */
function buildAttemptFacts({ auctions }: OrderReport): Fact[] {
  const failures = auctions.flatMap((auction) =>
    (auction.attempts ?? []).flatMap((attempt) =>
      isFailedOutcome(attempt.outcome) ? [{ auction, attempt }] : []
    )
  );
  const last = failures.at(-1);
  if (last === undefined) return [];
  const { auction: { auctionId, bids }, attempt, attempt: { solver, outcome, endBlock } } = last;
  const bid = findAttemptedBid(bids, attempt);
  const end = endBlock == null ? "" : `, ended in block ${endBlock}`;
  const earlierText = failures.length === 1 ? "" : `, and ${failures.length - 1} before`;
  return toFacts({
    "Failed attempt": {
      ...toSolverCell(solver, bid?.solverName ?? null),
      after: ` in auction ${auctionId}: ${
        sanitizeText(describeOutcome(String(outcome)), MAX_OUTCOME_LENGTH)
      }${end}${earlierText}`,
      tone: "bad",
    },
  });
}

/** Words for the basis of a time. */
const BASIS_WORDS: Readonly<Record<TimelineBasis, string>> = {
  block: "by its block",
  event: "when the service indexed it",
  reported: "as reported",
  bracketed: "between these times",
  derived: "derived",
};

/** The time of the last fill with its age and its basis; `null` if it is unknown. */
function toFillTimeCell(report: OrderReport, fill: ReportedFill) {
  const entry = findFillEntry(report, fill);
  if (entry === undefined || entry.at === null || entry.basis === null) return null;
  const { at: time, latestAt, basis } = entry;
  const { after: age = "" } = toAgedCell(latestAt ?? time, report);
  const words = BASIS_WORDS[basis];
  return {
    ...toTimeCell(time, latestAt),
    after: age === "" ? ` (${words})` : `${age.slice(0, -1)}, ${words})`,
  };
}

/** The price of all fills, with its distance to the limit and to the quote. */
function toRateCell(fills: readonly ReportedFill[], order: Order, amounts: CellFormatter) {
  const { executedSellAmount: soldAmount, executedBuyAmount: boughtAmount } = order;
  const rate = amounts.formatRates(order, soldAmount, boughtAmount);
  const overLimit = surplusBpsOfLimit(orderFill(order), order);
  const fromQuote = fills.length === 1
    ? fills[0]!.slippages.gross
    : slippage(orderFill(order), order, order.quote, "gross");
  const phrases = [
    ...isNotComputable(overLimit) ? [] : [`${toBpsCell(overLimit).text} over the limit`],
    ...isNotComputable(fromQuote)
      ? []
      : [`${toBpsCell(fromQuote.bps).text} from the quote before fees`],
  ];
  if (phrases.length === 0) return rate;
  return rate === null ? cell(phrases.join(", ")) : { ...rate, after: ` (${phrases.join(", ")})` };
}

/** Builds the facts about the price, transaction, time and solver of an order's fills, beside its limit. */
function buildSettlementFacts(report: OrderReport, order: Order, amounts: CellFormatter): Fact[] {
  const { fills } = report;
  const { quote } = order;
  const limit = amounts.formatRates(order, order.sellAmount, order.buyAmount);
  const quoted = quote == null
    ? null
    : amounts.formatRates(order, quote.sellAmount, quote.buyAmount);
  const rates = {
    "Limit rate": limit,
    "Quoted rate": quoted === null ? null : { ...quoted, after: " before fees" },
  };
  const { executedSurplusFee, executedFee = executedSurplusFee, executedBuyAmount } = order;
  const fees = executedFee == null ? null : formatFees(executedFee, order, fills, amounts);
  const last = fills.at(-1);
  if (last === undefined) {
    // The totals of its fills, where no response has the fills.
    const isFilled = executedBuyAmount > 0n;
    const onlyFill = isFilled && !order.partiallyFillable ? toOnlyFill(order) : null;
    return toFacts({
      ...buildBidFacts(report, order, amounts),
      Rate: isFilled ? toRateCell(fills, order, amounts) : null,
      Surplus: onlyFill === null || isNotComputable(onlyFill.surplusAtoms)
        ? null
        : toSurplusCell([onlyFill], order, amounts),
      Fees: isFilled ? fees : null,
      Filled: order.partiallyFillable ? toFilledCell(order, amounts) : null,
      ...rates,
    });
  }
  const earlierCount = fills.length - 1;
  const solvers = new Map(
    fills.flatMap(({ solver, solverName }) => solver === null ? [] : [[solver, solverName]]),
  );
  const names = [...solvers].map(([solver, name]) => toSolverCell(solver, name));
  const suffix = earlierCount === 0 ? "" : ` and ${earlierCount} before`;
  return toFacts({
    Rate: toRateCell(fills, order, amounts),
    Surplus: report.cause === "jit_liquidity"
      ? cell("none is counted for liquidity of a solver")
      : toSurplusCell(fills, order, amounts),
    Fees: fees,
    Filled: order.partiallyFillable ? toFilledCell(order, amounts) : null,
    Transaction: last.txHash === null
      ? null
      : { ...toTransactionCell(last.txHash), isWhole: true, after: suffix },
    "Filled at": toFillTimeCell(report, last),
    Solver: names.length < 2 ? names[0] ?? null : cell(names.map(({ text }) => text).join(", ")),
    ...rates,
  });
}

/** The fees of an order; in US dollars too, if it was filled once. */
function formatFees(
  executedFee: bigint,
  { executedFeeToken, sellToken, buyToken }: Order,
  fills: readonly ReportedFill[],
  amounts: CellFormatter,
): Cell {
  const token = executedFeeToken ?? sellToken;
  const { sell = null, buy = null } = fills.length === 1 ? fills[0]!.usdPerAtom ?? {} : {};
  const usdPerAtom = sameHex(token, sellToken) ? sell : sameHex(token, buyToken) ? buy : null;
  const fees = amounts.formatAmount(executedFee, token, usdPerAtom);
  // Of an old order, it may mean that its fees are not stored.
  return executedFee === 0n ? { ...fees, after: ", as the service reports it" } : fees;
}

/** Stages in whose auction somebody bid, and which no fill has ended. */
const BID_STAGES: ReadonlySet<unknown> = new Set(["executing", "solved"]);

/** The bid of the last auction that had any: the one that won, otherwise the best. */
function buildBidFacts(report: OrderReport, order: Order, amounts: CellFormatter) {
  const { auctions, stage, stageBids, evidence } = report;
  const formatPrice = ({ sellAmount, buyAmount, overLimitBps }: ReportedStageBid) => [
    `${amounts.formatAmount(sellAmount, order.sellToken).text} for ${
      amounts.formatAmount(buyAmount, order.buyToken).text
    }`,
    ...overLimitBps === null ? [] : [`${toBpsCell(overLimitBps).text} over the limit`],
  ];
  const [stageBid] = stageBids;
  // Without a debug report, the last auction may be visible in the stage alone.
  if (
    stageBid !== undefined && evidence.debugReport !== "present" && BID_STAGES.has(stage?.reported)
  ) {
    const noteText = [" in the latest auction", ...formatPrice(stageBid)].join(", ");
    return {
      "Best bid": { ...toSolverCell(stageBid.solver, stageBid.solverName), after: noteText },
    };
  }
  const bids = auctions.findLast(({ bids }) => bids.length > 0)?.bids ?? [];
  const bid = bids.find(({ isWinner }) => isWinner) ??
    bids.toSorted((a, b) => a.ranking - b.ranking)[0];
  if (bid === undefined) return {};
  const { auctionId, solver, solverName, isWinner, filteredOut } = bid;
  const behindAtoms = bid.behindWinnerAtoms ?? 0n;
  const phrases = [
    ` in auction ${auctionId}`,
    ...formatPrice(bid),
    ...filteredOut ? ["filtered out"] : [],
    ...behindAtoms > 0n
      ? [`${amounts.formatAmount(behindAtoms, surplusToken(order)).text} behind the winner`]
      : [],
  ];
  return {
    [isWinner ? "Won by" : "Best bid"]: {
      ...toSolverCell(solver, solverName),
      after: phrases.join(", "),
    },
  };
}

/** A fill with its surplus. */
type SurplusFill = Pick<ReportedFill, "sellAmount" | "surplusAtoms" | "usdPerAtom">;

/** The fill of an order that cannot be filled in parts, from the order alone. */
function toOnlyFill(order: Order): SurplusFill {
  const fill = orderFill(order);
  return { ...fill, surplusAtoms: settledSurplus(fill, order), usdPerAtom: null };
}

/** The surplus of all fills; its share of the limit where the roles of the fills do not change it. */
function toSurplusCell(fills: readonly SurplusFill[], order: Order, amounts: CellFormatter): Cell {
  const token = surplusToken(order);
  let sum = 0n;
  for (const { surplusAtoms } of fills) {
    if (isNotComputable(surplusAtoms)) return cell(surplusAtoms.detail);
    sum += surplusAtoms;
  }
  const side = order.kind === "sell" ? "buy" : "sell";
  const dollars = sumDollars(fills.map(({ surplusAtoms, usdPerAtom }) => ({
    atoms: isNotComputable(surplusAtoms) ? 0n : surplusAtoms,
    usdPerAtom: usdPerAtom?.[side],
  })));
  const amount = amounts.addDollars({ atoms: sum, dollars }, token);
  if (!areAllFills(order, fills)) {
    return { ...amount, text: `${amount.text} of the fills that are known` };
  }
  const bps = surplusBpsOfLimit(orderFill(order), order);
  if (isNotComputable(bps) || sum === 0n) return amount;
  return { ...amount, text: `${amount.text}, ${toBpsCell(bps).text} of the limit` };
}

function formatEvidence({ debugReport, node }: OrderReport["evidence"]): string {
  const responses = debugReport === "present" ? "debug report" : "public responses";
  return `${responses}${node ? ", a node" : ""}`;
}

/** Lists past and present funds of the owner, oldest first. */
export function listFunds(
  { earlierFunds, funds }: Pick<OrderReport, "earlierFunds" | "funds">,
): readonly ReportedFunds[] {
  return funds === null ? earlierFunds : [...earlierFunds, funds];
}

function buildFundsFacts(funds: ReportedFunds, token: string, amounts: CellFormatter): Fact[] {
  const { balanceAtoms, nativeAtoms, allowanceAtoms, moment, block, at: readAt } = funds;
  const compareFunds = (heldCell: Cell, missingAtoms: bigint): Cell => {
    const missingCell = amounts.formatAmount(missingAtoms, token);
    const exact = `in block ${block}, ${formatInstant(readAt)}`;
    if (missingAtoms === 0n) {
      return { ...heldCell, exact: `${heldCell.exact}; ${exact}`, tone: "good" };
    }
    const neededCell = amounts.formatAmount(funds.neededAtoms, token);
    return {
      text: `${heldCell.text}; ${neededCell.text} needed, ${missingCell.text} missing`,
      exact: `${heldCell.exact}; ${missingCell.exact} missing ${exact}`,
      tone: "bad",
    };
  };
  const isPartly = funds.neededAtoms < funds.remainingAtoms;
  const blockText = moment === "now" ? "now" : `in block ${block}`;
  const balance = amounts.formatAmount(balanceAtoms + nativeAtoms, token);
  const allowance = amounts.formatAmount(allowanceAtoms, token);
  const isUnlimited = funds.missingAllowanceAtoms === 0n && allowanceAtoms >= UNLIMITED_FROM;
  return toFacts({
    [`Balance ${blockText}`]: compareFunds(balance, funds.missingBalanceAtoms),
    [`Allowance ${blockText}`]: compareFunds(
      isUnlimited ? { ...allowance, text: "unlimited" } : allowance,
      funds.missingAllowanceAtoms,
    ),
    "Left to sell": isPartly ? amounts.formatAmount(funds.remainingAtoms, token) : null,
  });
}
