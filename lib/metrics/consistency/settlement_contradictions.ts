import type { Competition, DebugReport, Order, Solution, Trade } from "../../schemas/mod.ts";
import { type Decimal, formatInstant, sameHex } from "../../units/mod.ts";
import { findSettledSolutions, MAX_REPORTED_TRADES } from "../orders/fills.ts";
import { findNativePrice } from "../prices/price_interval.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";
import { formatFill } from "./order_contradictions.ts";

/**
 * Compares a fill with the solution that settled it: the amounts of its order there are those of the
 * fill, to the atom.
 *
 * A solver may settle several winning solutions in one transaction, so any of them may have
 * the order. A solution without it is no contradiction where no solution of the auction has it: the
 * service leaves out orders that a solver brought (JIT) and whose tokens it does not know.
 *
 * @param trade The fill.
 * @param competition The auction whose solutions name the transaction of the fill.
 */
export function* compareWithSolutions(
  trade: Trade,
  { auctionId, solutions }: Competition,
): Generator<Contradiction> {
  const { txHash, orderUid } = trade;
  if (txHash === null) return;
  const settling = findSettledSolutions(solutions, txHash);
  if (settling.length === 0) return;
  const amounts = settling.flatMap((solution) => findBids(solution, orderUid));
  const fill = formatAmounts(trade.sellAmount, trade.buyAmount);
  const stated = `amounts in the solution that settled auction ${auctionId}`;
  if (amounts.length === 0) {
    if (!solutions.some((solution) => findBids(solution, orderUid).length > 0)) return;
    yield* compareFacts("solution_amounts", formatFill(trade), ["trade amounts", fill], [
      stated,
      "none: other solutions have the order",
    ]);
    return;
  }
  const bids = amounts.map(({ sellAmount, buyAmount }) => formatAmounts(sellAmount, buyAmount));
  if (bids.includes(fill)) return;
  yield* compareFacts("solution_amounts", formatFill(trade), ["trade amounts", fill], [
    stated,
    bids.join(" or "),
  ]);
}

/**
 * Compares the solutions that settled with the fills of an order whose fills are all known: a
 * settlement of a solution fills each of its orders.
 *
 * @param order The order.
 * @param trades All of its fills.
 * @param competition An auction with bids on the order.
 */
export function* compareSettledBids(
  order: Order,
  trades: readonly Trade[],
  { auctionId, solutions }: Competition,
): Generator<Contradiction> {
  for (const solution of solutions) {
    const { txHash } = solution;
    if (txHash == null || findBids(solution, order.uid).length === 0) continue;
    if (trades.some((trade) => trade.txHash === null || sameHex(trade.txHash, txHash))) continue;
    yield* compareFacts(
      "solution_amounts",
      `order ${order.uid}`,
      [`solution of auction ${auctionId} that has the order`, `settled in ${txHash}`],
      ["trade.txHash of its fills", trades.map((trade) => trade.txHash).join(", ") || "none"],
    );
  }
}

function findBids({ orders }: Solution, uid: string) {
  return orders.filter(({ id }) => sameHex(id, uid));
}

function formatAmounts(sellAmount: bigint, buyAmount: bigint): string {
  return `${sellAmount} sold, ${buyAmount} bought`;
}

/** Gas of a settlement's receipt. */
export interface ReceiptGas {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Gas used times its price, in wei; `null` if the price is unknown. */
  readonly gasCost: bigint | null;
  /** Number of trades of the settlement. */
  readonly tradeCount: number;
}

/**
 * Compares `trade.gasCost` with the receipt: the service splits gas used times its effective price
 * equally over the user trades of the transaction, rounded down (services#4540). How many of its
 * trades are users' is not in the receipt, so any number of them up to all may divide it.
 */
export function* compareGasCost(trade: Trade, gas: ReceiptGas): Generator<Contradiction> {
  const { gasCost } = trade;
  const total = gas.gasCost;
  if (gasCost == null || total === null || gas.tradeCount === 0) return;
  for (let count = 1n; count <= BigInt(gas.tradeCount); count++) {
    if (total / count === gasCost) return;
  }
  yield* compareFacts("gas_cost", formatFill(trade), ["trade.gasCost", gasCost], [
    `gas cost of receipt ${gas.txHash} over ${gas.tradeCount} trades`,
    total / BigInt(gas.tradeCount),
  ]);
}

/**
 * Compares a debug report with the order, its fills and the solutions of its auctions.
 *
 * A report may be later than the order: it may have more fills, which are not compared.
 *
 * @param order The order.
 * @param report Its debug report.
 * @param records Its fills, `null` if they are unknown; and available auctions.
 */
export function* compareReport(
  order: Order,
  report: DebugReport,
  records: {
    readonly trades: readonly Trade[] | null;
    readonly competitions: ReadonlyMap<number, Competition>;
  },
): Generator<Contradiction> {
  yield* compareReportedOrder(order, report.order);
  yield* compareExecutedFee(order, report, records.trades);
  if (records.trades !== null) {
    yield* compareReportedFills(report, records.trades);
    yield* compareReportedFees(report, records.trades);
  }
  yield* compareReportedSolutions(report, records.competitions);
}

/** Terms and facts of an order that never change after its creation. */
const LASTING_FIELDS = [
  "creationDate",
  "owner",
  "sellToken",
  "buyToken",
  "receiver",
  "sellAmount",
  "buyAmount",
  "validTo",
  "appData",
  "feeAmount",
  "kind",
  "partiallyFillable",
  "signingScheme",
  "class",
  "settlementContract",
  "executedFeeToken",
] as const satisfies readonly (keyof Order)[];

/** Facts of a stored quote, which never change. */
const QUOTE_FIELDS = [
  "sellAmount",
  "buyAmount",
  "solver",
  "gasAmount",
  "gasPrice",
  "sellTokenPrice",
  "feeAmount",
  "verified",
] as const satisfies readonly (keyof NonNullable<Order["quote"]>)[];

function* compareReportedOrder(order: Order, reportedOrder: Order): Generator<Contradiction> {
  const subject = `order ${order.uid}`;
  for (const field of LASTING_FIELDS) {
    const [first, second] = [order[field], reportedOrder[field]];
    if (first === second || first === undefined || second === undefined) continue;
    if (first instanceof Temporal.Instant && first.equals(Object(second))) continue;
    yield* compareFacts("report_order", subject, [`order.${field}`, toFact(first)], [
      `${field} of the debug report's order`,
      toFact(second),
    ]);
  }
  const [quote, reportedQuote] = [order.quote, reportedOrder.quote];
  // The service hides parts of a quote while its order is open.
  for (const field of QUOTE_FIELDS) {
    const [first, second] = [quote?.[field], reportedQuote?.[field]];
    if (first === second || first === undefined || second === undefined) continue;
    if (String(first) === String(second)) continue;
    yield* compareFacts("report_order", subject, [`order.quote.${field}`, toFact(first)], [
      `quote.${field} of the debug report's order`,
      toFact(second),
    ]);
  }
}

function toFact(value: unknown): bigint | string {
  if (value instanceof Temporal.Instant) return formatInstant(value);
  return typeof value === "bigint" ? value : String(value);
}

function* compareReportedFills(
  report: DebugReport,
  trades: readonly Trade[],
): Generator<Contradiction> {
  const byLog = new Map(trades.map((trade) => [formatLog(trade), trade]));
  for (const reportedTrade of report.trades) {
    const trade = byLog.get(formatLog(reportedTrade));
    if (trade === undefined) continue;
    const pairs = [
      ["sellAmount", trade.sellAmount, reportedTrade.sellAmount],
      ["buyAmount", trade.buyAmount, reportedTrade.buyAmount],
      ["txHash", trade.txHash, reportedTrade.txHash ?? trade.txHash],
    ] as const;
    for (const [field, first, second] of pairs) {
      if (first === null || first === second) continue;
      yield* compareFacts("report_fills", formatFill(trade), [`trade.${field}`, first], [
        `${field} of the debug report's trade`,
        second,
      ]);
    }
  }
  const reportedLogs = new Set(report.trades.map(formatLog));
  const missingTrades = report.trades.length >= MAX_REPORTED_TRADES
    ? []
    : trades.filter((trade) => !reportedLogs.has(formatLog(trade)));
  for (const trade of missingTrades) {
    yield* compareFacts("report_fills", formatFill(trade), ["trade", "there"], [
      `trades of the debug report, ${report.trades.length} of them`,
      "without it",
    ]);
  }
}

function formatLog(
  { blockNumber, logIndex }: { readonly blockNumber: number; readonly logIndex: number },
): string {
  return `${blockNumber} ${logIndex}`;
}

/** Compares the fee of an order with those of its executions, where the report has one for each fill. */
function* compareExecutedFee(
  { uid, executedFee }: Order,
  { auctions }: DebugReport,
  trades: readonly Trade[] | null,
): Generator<Contradiction> {
  const executions = auctions.flatMap((auction) => auction.executions);
  if (executedFee === undefined || executions.length !== trades?.length) return;
  const sum = executions.reduce((total, execution) => total + execution.executedFee, 0n);
  if (sum === executedFee) return;
  yield* compareFacts("report_executions", `order ${uid}`, ["order.executedFee", executedFee], [
    `sum of executedFee of ${executions.length} executions of the debug report`,
    sum,
  ]);
}

/** Compares the fees of executions with those of fills, where a block has one fill of the order. */
function* compareReportedFees(
  report: DebugReport,
  trades: readonly Trade[],
): Generator<Contradiction> {
  if (trades.length === 0) return;
  if (report.auctions.every(({ executions }) => executions.length === 0)) return;
  const byBlock = Map.groupBy(trades, ({ blockNumber }) => blockNumber);
  for (const { id, executions } of report.auctions) {
    for (const { blockNumber, protocolFees } of executions) {
      const [trade, ...more] = byBlock.get(blockNumber) ?? [];
      if (trade?.executedProtocolFees === undefined || more.length > 0) continue;
      const fees = trade.executedProtocolFees;
      const areEqual = fees.length === protocolFees.length &&
        fees.every(({ amount, token }, index) =>
          amount === protocolFees[index]!.amount && sameHex(token, protocolFees[index]!.token)
        );
      if (areEqual) continue;
      const [chargedFees, reportedFees] = [fees, protocolFees].map((charges) =>
        charges.map(({ amount, token }) => `${amount} ${token.toLowerCase()}`).join(", ") || "none"
      );
      yield* compareFacts(
        "report_executions",
        formatFill(trade),
        ["trade.executedProtocolFees", chargedFees!],
        [
          `protocolFees of the debug report's execution of auction ${id}`,
          reportedFees!,
        ],
      );
    }
  }
}

function* compareReportedSolutions(
  report: DebugReport,
  competitions: ReadonlyMap<number, Competition>,
): Generator<Contradiction> {
  for (const auction of report.auctions) {
    const competition = competitions.get(auction.id);
    if (competition === undefined) continue;
    const { auctionStartBlock, auctionDeadlineBlock, solutions } = competition;
    const formatSource = (field: string) =>
      `${field} of the debug report of order ${report.orderUid}`;
    const blocks = [
      ["auctionStartBlock", auctionStartBlock, auction.block],
      ["auctionDeadlineBlock", auctionDeadlineBlock, auction.deadline],
    ] as const;
    for (const [field, first, second] of blocks) {
      if (first === second || first === undefined) continue;
      yield* compareFacts("report_solutions", `auction ${auction.id}`, [field, BigInt(first)], [
        formatSource(field),
        BigInt(second),
      ]);
    }
    for (const [token, reportedPrice] of Object.entries(auction.nativePrices)) {
      const price = findNativePrice(competition.auction, token);
      if (price === undefined || isSamePrice(price, reportedPrice)) continue;
      yield* compareFacts("report_solutions", `auction ${auction.id}`, [
        `native price of ${token}`,
        price,
      ], [formatSource(`native price of ${token}`), toFact(reportedPrice)]);
    }
    for (const proposed of auction.proposedSolutions) {
      const { ranking } = proposed;
      const solution = solutions[ranking - 1]?.ranking === ranking
        ? solutions[ranking - 1]
        : solutions.find((candidate) => candidate.ranking === ranking);
      const bid = solution?.orders.find(({ id }) => sameHex(id, report.orderUid));
      if (solution === undefined || bid === undefined) {
        yield* compareFacts(
          "report_solutions",
          `auction ${auction.id}, ranking ${ranking}`,
          [formatSource("solution"), "executes the order"],
          ["solution of the competition", solution === undefined ? "none" : "without the order"],
        );
        continue;
      }
      const isSame = solution.score === proposed.score &&
        solution.isWinner === proposed.isWinner && bid.sellAmount === proposed.executedSell &&
        bid.buyAmount === proposed.executedBuy && sameHex(solution.solverAddress, proposed.solver);
      if (isSame) continue;
      const pairs = [
        ["solver", solution.solverAddress, proposed.solver],
        ["score", solution.score, proposed.score],
        ["isWinner", solution.isWinner, proposed.isWinner],
        ["sell amount", bid.sellAmount, proposed.executedSell],
        ["buy amount", bid.buyAmount, proposed.executedBuy],
      ] as const;
      for (const [field, first, second] of pairs) {
        yield* compareFacts(
          "report_solutions",
          `auction ${auction.id}, ranking ${ranking}`,
          [`${field} of the solution`, first],
          [formatSource(field), second],
        );
      }
    }
  }
}

function isSamePrice(price: bigint, reportedPrice: bigint | Decimal): boolean {
  return typeof reportedPrice === "bigint"
    ? reportedPrice === price
    : reportedPrice.coefficient === price * 10n ** BigInt(reportedPrice.scale);
}
