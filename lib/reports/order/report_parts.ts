import { findSettledSolutions } from "../../metrics/orders/fills.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { computeOrderUid, type OrderDomain } from "../../evm/mod.ts";
import { isAppDataHash } from "../../evm/orders/app_data.ts";
import { findDomain, recoverOrderSignerOrNull } from "../../evm/orders/sign_order.ts";
import {
  type AuctionRole,
  auctionRole,
  auditFees,
  bestPairOffer,
  decomposeSlippage,
  isNotComputable,
  leftOnTheTable,
  marketOverLimitBps,
  networkFee,
  type OrderAuction,
  type OrderFillFacts,
  settledSurplus,
  slippage,
  surplusBpsOfLimit,
} from "../../metrics/mod.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import { listOwnAttempts } from "../../metrics/orders/lifecycle_facts.ts";
import { measureByBaseline } from "../../metrics/quotes/quote_baseline.ts";
import { findAgreedSolverName } from "../../networks/solvers.ts";
import type {
  Competition,
  CompetitionOrderStatus,
  DebugReport,
  Order,
  Trade,
} from "../../schemas/mod.ts";
import { type Decimal, HexMap, ratioToNumber, sameHex } from "../../units/mod.ts";
import { rateExchange } from "./dollar_amounts.ts";
import type {
  ReportedAppData,
  ReportedAuction,
  ReportedBid,
  ReportedFill,
  ReportedIdentity,
  ReportedPairOffer,
  ReportedStageBid,
} from "./order_report.ts";
import type { AuctionEvidence, AuctionOutcome } from "./verdicts.ts";

/** Records from which the fills of a report are computed. */
interface FillRecords {
  /** The order. */
  readonly order: Order;
  /** Its trades. */
  readonly trades: readonly Trade[];
  /** Its debug report; `null` without one. */
  readonly debugReport: DebugReport | null;
  /** Competitions that were read. */
  readonly competitions: readonly Competition[];
  /** Its auctions. */
  readonly auctions: readonly AuctionEvidence[];
  /** Names of solvers. */
  readonly findName: NameLookup;
  /** Network of the deployment; `null` without one. */
  readonly network: string | null;
}

/** Every fill with its surplus, slippage, fees and their audit. */
export function reportFills(
  fills: readonly OrderFillFacts[],
  records: FillRecords,
): ReportedFill[] {
  return fills.flatMap((fill) => {
    const trade = records.trades.find(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    );
    return trade === undefined ? [] : [reportFill(fill, trade, records)];
  });
}

function reportFill(fill: OrderFillFacts, trade: Trade, records: FillRecords): ReportedFill {
  const { order, auctions, findName } = records;
  const auction = auctions.find(({ fills }) =>
    fills.some(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    )
  );
  const deadline = auction?.deadlineBlock ?? null;
  const solver = findSolver(fill, auction, records);
  const executedFee = findExecutedFee(fill, records);
  const options = {
    ...toRoleOption(auction?.role),
    ...executedFee === undefined ? {} : { executedFee },
  };
  return {
    ...fill,
    auctionId: auction?.auctionId ?? fill.auctionId,
    solver,
    solverName: solver === null ? null : findName(solver),
    blocksLate: deadline === null ? null : fill.blockNumber - deadline,
    surplusAtoms: settledSurplus(trade, order, auction?.role),
    slippages: measureByBaseline((baseline) =>
      slippage(trade, order, order.quote, baseline, toRoleOption(auction?.role))
    ),
    parts: decomposeSlippage(trade, order, options),
    networkFee: networkFee(trade, order, options),
    audit: auditFees(trade, order),
    usdPerAtom: rateExchange(
      { ...order, sellAmount: trade.sellAmount, buyAmount: trade.buyAmount },
      auction?.auctionId ?? fill.auctionId,
      records,
    ),
  };
}

function toRoleOption(role: AuctionRole | undefined): { readonly role?: AuctionRole } {
  return role === undefined ? {} : { role };
}

/** The winner whose settlement has the fill; the only winner that bid on the order, without hashes. */
function findSolver(
  { txHash }: OrderFillFacts,
  auction: AuctionEvidence | undefined,
  { competitions, order: { uid: orderUid } }: FillRecords,
): string | null {
  const competition = competitions.find(({ auctionId }) => auctionId === auction?.auctionId);
  const settledSolutions = txHash === null
    ? []
    : findSettledSolutions(competition?.solutions ?? [], txHash);
  const ownSolution = settledSolutions.find(({ orders }) =>
    orders.some(({ id }) => sameHex(id, orderUid))
  );
  if (ownSolution !== undefined || settledSolutions.length > 0) {
    return (ownSolution ?? settledSolutions[0]!).solverAddress;
  }
  const winners = auction?.bids.filter(({ isWinner }) => isWinner) ?? [];
  return winners.length === 1 ? winners[0]!.solver : null;
}

/** All fees of one fill: of its execution, or of the order if it has filled once. */
function findExecutedFee(
  { blockNumber, auctionId }: OrderFillFacts,
  { order, trades, debugReport }: FillRecords,
): bigint | undefined {
  const auction = debugReport?.auctions.find(({ id }) => id === auctionId);
  const executions =
    auction?.executions.filter((execution) => execution.blockNumber === blockNumber) ?? [];
  if (executions.length === 1) return executions[0]!.executedFee;
  return trades.length === 1 ? order.executedFee : undefined;
}

/** Finds the name of a solver; `null` where it is unknown. */
export type NameLookup = (address: string) => string | null;

/** Names of solvers: those that are passed, then those of a recorded deployment, then those that ship. */
export function createNameLookup(
  solvers: ReadonlyMap<string, string> | undefined,
  { network, transport }: OrderBook,
): NameLookup {
  const passed = new HexMap(solvers ?? []);
  const deployed = new HexMap(readDeployedNames(transport));
  return (address) =>
    passed.get(address) ?? deployed.get(address) ?? findAgreedSolverName(address, network?.name);
}

function readDeployedNames(transport: object): [string, string][] {
  const deployment: unknown = "deployment" in transport ? transport.deployment : undefined;
  const solvers: unknown = Object(deployment).solvers;
  return (Array.isArray(solvers) ? solvers : []).flatMap((solver: unknown) => {
    const { address, name } = Object(solver);
    return typeof address === "string" && typeof name === "string" ? [[address, name]] : [];
  });
}

/** Context of reported auctions; competitions may be of any auctions. */
type AuctionContext = Pick<FillRecords, "order" | "competitions" | "findName">;

/** The auctions of a report, each with its outcome and bids. */
export function reportAuctions(
  auctions: readonly AuctionEvidence[],
  outcomes: readonly AuctionOutcome[],
  context: AuctionContext,
): ReportedAuction[] {
  const { order, competitions } = context;
  return auctions.map(({ auctionId, prices, ...auction }, index) => {
    const overLimit = prices === null ? null : marketOverLimitBps(order, prices);
    const competition = competitions.find((candidate) => candidate.auctionId === auctionId);
    return {
      auctionId,
      block: auction.block,
      deadlineBlock: auction.deadlineBlock,
      outcome: outcomes[index]!,
      role: auction.role,
      bids: auction.bids.map((bid) => reportBid(bid, auction, context)),
      attempts: auction.attempts,
      marketOverLimitBps: overLimit === null || isNotComputable(overLimit) ? null : overLimit,
      pairOffer: competition === undefined ? null : reportOffer(competition, context),
    };
  });
}

function reportOffer(
  competition: Competition,
  { order, findName }: AuctionContext,
): ReportedPairOffer | null {
  const offer = bestPairOffer(competition, order);
  if (offer === null) return null;
  const overLimit = surplusBpsOfLimit(offer, order);
  return {
    ...offer,
    solverName: findName(offer.solver),
    overLimitBps: isNotComputable(overLimit) ? null : overLimit,
  };
}

function reportBid(
  bid: AuctionEvidence["bids"][number],
  { bids }: Pick<AuctionEvidence, "bids">,
  { order, findName }: AuctionContext,
): ReportedBid {
  const overLimit = surplusBpsOfLimit(bid, order);
  const winner = bids.find(({ isWinner }) => isWinner);
  return {
    ...bid,
    solverName: findName(bid.solver),
    overLimitBps: isNotComputable(overLimit) ? null : ratioToNumber(overLimit),
    behindWinnerAtoms: winner === undefined ? null : countBehind(bid, winner, order),
  };
}

/** Reports the bids that a stage shows, best first: the service lists them worst first. */
export function reportStageBids(
  stage: CompetitionOrderStatus | null,
  { order, findName }: Pick<AuctionContext, "order" | "findName">,
): ReportedStageBid[] {
  return (stage?.value ?? []).toReversed().flatMap(({ solver, executedAmounts }) => {
    if (executedAmounts == null) return [];
    const amounts = { sellAmount: executedAmounts.sell, buyAmount: executedAmounts.buy };
    const overLimit = surplusBpsOfLimit(amounts, order);
    return [{
      solver,
      solverName: findName(solver),
      ...amounts,
      overLimitBps: isNotComputable(overLimit) ? null : ratioToNumber(overLimit),
    }];
  });
}

/** Computes the amount that the winner's price gives more than a bid, for the amounts of the bid. */
function countBehind(
  bid: AuctionEvidence["bids"][number],
  winner: AuctionEvidence["bids"][number],
  order: Order,
): bigint {
  if (bid === winner) return 0n;
  const priced = { auctionId: bid.auctionId, bids: [{ ...winner, isWinner: false }] };
  return leftOnTheTable(bid, order, priced)?.atoms ?? 0n;
}

/** Records for judging the auctions of an order. */
interface AuctionRecords extends Pick<FillRecords, "order" | "debugReport" | "competitions"> {
  /** Owners whose orders capture surplus although no auction lists them; `null` if unknown. */
  readonly capturingOwners: readonly string[] | null;
}

/** The auctions of an order with everything that judging them needs, in the same order. */
export function collectAuctionEvidence(
  auctions: readonly OrderAuction[],
  { order, debugReport, competitions, capturingOwners }: AuctionRecords,
): AuctionEvidence[] {
  const owners = { surplusCapturingJitOrderOwners: capturingOwners };
  const competitionsById = new Map(
    competitions.map((competition) => [competition.auctionId, competition]),
  );
  const reportsById = new Map(debugReport?.auctions.map((auction) => [auction.id, auction]));
  return auctions.map((auction) => {
    const competition = competitionsById.get(auction.auctionId);
    const report = reportsById.get(auction.auctionId);
    return {
      ...auction,
      // A debug report has only the auctions that listed the order.
      role: report === undefined ? auctionRole(order, competition?.auction, owners) : "listed",
      prices: findPrices(order, report?.nativePrices ?? competition?.auction.prices ?? {}),
      attempts: report === undefined ? null : listOwnAttempts(report),
    };
  });
}

function findPrices(
  { sellToken, buyToken }: Order,
  prices: Readonly<Record<string, bigint | Decimal>>,
): AuctionEvidence["prices"] {
  const byToken = new HexMap(Object.entries(prices));
  const [sell, buy] = [byToken.get(sellToken), byToken.get(buyToken)];
  return sell === undefined || buy === undefined ? null : { sell, buy };
}

/** Recomputes the UID of an order and the account that signed it. */
export async function reportIdentity(
  book: OrderBook,
  uid: string,
  order: Order,
): Promise<ReportedIdentity> {
  const domain = readDomain(book, uid, order);
  const computedUid = computeOrderUid(domain, order);
  const signer = await recoverOrderSignerOrNull(domain, order);
  return {
    computedUid,
    isUidRight: sameHex(computedUid, uid),
    settlementContract: domain.verifyingContract,
    signingScheme: order.signingScheme,
    signer,
    isSignerOwner: signer === null ? null : sameHex(signer, order.owner),
    onchainUser: order.onchainUser ?? order.onchainOrderData?.sender ?? null,
  };
}

/** Whether fills are together all that an order executed: some may not be indexed yet, or were not returned. */
export function areAllFills(
  { executedSellAmount }: Pick<Order, "executedSellAmount">,
  fills: readonly Pick<ReportedFill, "sellAmount">[],
): boolean {
  return fills.reduce((sum, { sellAmount }) => sum + sellAmount, 0n) === executedSellAmount;
}

/** The domain of an order's UID; that of the book if there is none. */
export function readDomain({ domain }: OrderBook, uid: string, order: Order): OrderDomain {
  return findDomain(domain, uid, order) ?? domain;
}

/** The app data of an order: its document, whether it has its hash, and the hooks in it. */
export function reportAppData(order: Order): ReportedAppData {
  const document = order.fullAppData ?? null;
  const parsedDocument = parseOrderAppData(order);
  const hooks = parsedDocument?.metadata?.hooks;
  const moments = ["pre", "post"] as const;
  return {
    hash: order.appData,
    document,
    isHashRight: document === null ? null : isAppDataHash(order.appData, document),
    appCode: parsedDocument?.appCode ?? null,
    hooks: moments.flatMap((moment) =>
      (hooks?.[moment] ?? []).map(({ target, gasLimit, callData, dappId }) => ({
        moment,
        target,
        gasLimit: String(gasLimit),
        callData,
        dappId: dappId ?? null,
      }))
    ),
  };
}
