import { findSettledSolutions } from "../../metrics/orders/fills.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { computeOrderUid, hashAppData, type OrderDomain } from "../../evm/mod.ts";
import { findDomain, tryRecoverSigner } from "../../evm/orders/sign_order.ts";
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
import { measureByBaseline } from "../../metrics/quotes/quote_baseline.ts";
import { findAgreedSolverName } from "../../networks/solvers.ts";
import type { Competition, DebugAuction, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { type Decimal, HexMap, ratioToNumber, sameHex } from "../../units/mod.ts";
import type {
  ReportedAppData,
  ReportedAuction,
  ReportedBid,
  ReportedFill,
  ReportedIdentity,
  ReportedPairOffer,
} from "./order_report.ts";
import type { AuctionEvidence, AuctionOutcome } from "./verdicts.ts";

/** What the fills of a report are computed from. */
interface FillAnswers {
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
  readonly nameOf: NameOf;
}

/** Every fill with its surplus, slippage, fees and their audit. */
export function reportFills(
  fills: readonly OrderFillFacts[],
  answers: FillAnswers,
): ReportedFill[] {
  return fills.flatMap((fill) => {
    const trade = answers.trades.find(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    );
    return trade === undefined ? [] : [reportFill(fill, trade, answers)];
  });
}

function reportFill(fill: OrderFillFacts, trade: Trade, answers: FillAnswers): ReportedFill {
  const { order, auctions, nameOf } = answers;
  const auction = auctions.find(({ fills }) =>
    fills.some(({ blockNumber, logIndex }) =>
      blockNumber === fill.blockNumber && logIndex === fill.logIndex
    )
  );
  const deadline = auction?.deadlineBlock ?? null;
  const solver = solverOf(fill, auction, answers);
  const executedFee = feeOf(fill, answers);
  const options = { ...roleOf(auction?.role), ...executedFee === undefined ? {} : { executedFee } };
  return {
    ...fill,
    auctionId: auction?.auctionId ?? fill.auctionId,
    solver,
    solverName: solver === null ? null : nameOf(solver),
    blocksLate: deadline === null ? null : fill.blockNumber - deadline,
    surplusAtoms: settledSurplus(trade, order, auction?.role),
    slippages: measureByBaseline((baseline) =>
      slippage(trade, order, order.quote, baseline, roleOf(auction?.role))
    ),
    parts: decomposeSlippage(trade, order, options),
    networkFee: networkFee(trade, order, options),
    audit: auditFees(trade, order),
  };
}

function roleOf(role: AuctionRole | undefined): { readonly role?: AuctionRole } {
  return role === undefined ? {} : { role };
}

/** The winner whose settlement has the fill; the only winner that bid on the order, without hashes. */
function solverOf(
  { txHash }: OrderFillFacts,
  auction: AuctionEvidence | undefined,
  { competitions, order: { uid: orderUid } }: FillAnswers,
): string | null {
  const competition = competitions.find(({ auctionId }) => auctionId === auction?.auctionId);
  const settled = txHash === null ? [] : findSettledSolutions(competition?.solutions ?? [], txHash);
  const own = settled.find(({ orders }) => orders.some(({ id }) => sameHex(id, orderUid)));
  if (own !== undefined || settled.length > 0) return (own ?? settled[0]!).solverAddress;
  const winners = auction?.bids.filter(({ isWinner }) => isWinner) ?? [];
  return winners.length === 1 ? winners[0]!.solver : null;
}

/** All fees of one fill: of its execution, or of the order if it has filled once. */
function feeOf(
  { blockNumber, auctionId }: OrderFillFacts,
  { order, trades, debugReport }: FillAnswers,
): bigint | undefined {
  const auction = debugReport?.auctions.find(({ id }) => id === auctionId);
  const executions = auction?.executions.filter((each) => each.blockNumber === blockNumber) ?? [];
  if (executions.length === 1) return executions[0]!.executedFee;
  return trades.length === 1 ? order.executedFee : undefined;
}

/** Finds the name of a solver; `null` where it is unknown. */
export type NameOf = (address: string) => string | null;

/** Names of solvers: those that are passed, then those of a recorded deployment, then those that ship. */
export function namesOf(
  solvers: ReadonlyMap<string, string> | undefined,
  { network, transport }: OrderBook,
): NameOf {
  const own = new HexMap(solvers ?? []);
  const deployed = new HexMap(deployedNames(transport));
  return (address) =>
    own.get(address) ?? deployed.get(address) ?? findAgreedSolverName(address, network?.name);
}

function deployedNames(transport: object): [string, string][] {
  const deployment: unknown = "deployment" in transport ? transport.deployment : undefined;
  const solvers: unknown = Object(deployment).solvers;
  return (Array.isArray(solvers) ? solvers : []).flatMap((solver: unknown) => {
    const { address, name } = Object(solver);
    return typeof address === "string" && typeof name === "string" ? [[address, name]] : [];
  });
}

/** What auctions are reported with; competitions may be of any auctions. */
type AuctionContext = Pick<FillAnswers, "order" | "competitions" | "nameOf">;

/** The auctions of a report, each with its outcome and bids. */
export function reportAuctions(
  auctions: readonly AuctionEvidence[],
  outcomes: readonly AuctionOutcome[],
  context: AuctionContext,
): ReportedAuction[] {
  const { order, competitions } = context;
  return auctions.map(({ auctionId, prices, ...auction }, index) => {
    const over = prices === null ? null : marketOverLimitBps(order, prices);
    const competition = competitions.find((each) => each.auctionId === auctionId);
    return {
      auctionId,
      block: auction.block,
      deadlineBlock: auction.deadlineBlock,
      outcome: outcomes[index]!,
      role: auction.role,
      bids: auction.bids.map((bid) => reportBid(bid, auction, context)),
      attempts: auction.attempts,
      marketOverLimitBps: over === null || isNotComputable(over) ? null : over,
      pairOffer: competition === undefined ? null : reportOffer(competition, context),
    };
  });
}

function reportOffer(
  competition: Competition,
  { order, nameOf }: AuctionContext,
): ReportedPairOffer | null {
  const offer = bestPairOffer(competition, order);
  if (offer === null) return null;
  const over = surplusBpsOfLimit(offer, order);
  return {
    ...offer,
    solverName: nameOf(offer.solver),
    overLimitBps: isNotComputable(over) ? null : over,
  };
}

function reportBid(
  bid: AuctionEvidence["bids"][number],
  { bids }: Pick<AuctionEvidence, "bids">,
  { order, nameOf }: AuctionContext,
): ReportedBid {
  const over = surplusBpsOfLimit(bid, order);
  const winner = bids.find(({ isWinner }) => isWinner);
  return {
    ...bid,
    solverName: nameOf(bid.solver),
    overLimitBps: isNotComputable(over) ? null : ratioToNumber(over),
    behindWinnerAtoms: winner === undefined ? null : behind(bid, winner, order),
  };
}

/** What the price of the winner gives more than a bid, for the amounts of the bid. */
function behind(
  bid: AuctionEvidence["bids"][number],
  winner: AuctionEvidence["bids"][number],
  order: Order,
): bigint {
  if (bid === winner) return 0n;
  const priced = { auctionId: bid.auctionId, bids: [{ ...winner, isWinner: false }] };
  return leftOnTheTable(bid, order, priced)?.atoms ?? 0n;
}

/** What judging the auctions of an order needs. */
interface AuctionAnswers extends Pick<FillAnswers, "order" | "debugReport" | "competitions"> {
  /** Owners whose orders capture surplus although no auction lists them; `null` if unknown. */
  readonly capturingOwners: readonly string[] | null;
}

/** The auctions of an order with everything that judging them needs, in the same order. */
export function auctionEvidence(
  auctions: readonly OrderAuction[],
  { order, debugReport, competitions, capturingOwners }: AuctionAnswers,
): AuctionEvidence[] {
  const owners = { surplusCapturingJitOrderOwners: capturingOwners };
  const read = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  const reported = new Map(debugReport?.auctions.map((auction) => [auction.id, auction]));
  return auctions.map((auction) => {
    const competition = read.get(auction.auctionId);
    const report = reported.get(auction.auctionId);
    return {
      ...auction,
      // A debug report has only the auctions that listed the order.
      role: report === undefined ? auctionRole(order, competition?.auction, owners) : "listed",
      prices: pricesOf(order, report?.nativePrices ?? competition?.auction.prices ?? {}),
      attempts: report === undefined ? null : ownAttempts(report),
    };
  });
}

function pricesOf(
  { sellToken, buyToken }: Order,
  prices: Readonly<Record<string, bigint | Decimal>>,
): AuctionEvidence["prices"] {
  const byToken = new HexMap(Object.entries(prices));
  const [sell, buy] = [byToken.get(sellToken), byToken.get(buyToken)];
  return sell === undefined || buy === undefined ? null : { sell, buy };
}

/** A report lists the attempts of the whole auction: these are of the winners that hold the order. */
function ownAttempts({ proposedSolutions, settlementAttempts }: DebugAuction) {
  const winners = new Set(
    proposedSolutions.filter(({ isWinner }) => isWinner).map(({ solutionUid }) => solutionUid),
  );
  return settlementAttempts.filter(({ solutionUid }) => winners.has(solutionUid));
}

/** Recomputes the UID of an order and the account that signed it. */
export async function reportIdentity(
  book: OrderBook,
  uid: string,
  order: Order,
): Promise<ReportedIdentity> {
  const domain = domainOf(book, uid, order);
  const computedUid = computeOrderUid(domain, order);
  const signer = await tryRecoverSigner(domain, order);
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

/** The domain of an order's UID; that of the book if there is none. */
export function domainOf({ domain }: OrderBook, uid: string, order: Order): OrderDomain {
  return findDomain(domain, uid, order) ?? domain;
}

/** The app data of an order: its document, whether it has its hash, and the hooks in it. */
export function reportAppData(order: Order): ReportedAppData {
  const document = order.fullAppData ?? null;
  const decoded = parseOrderAppData(order);
  const hooks = decoded?.metadata?.hooks;
  const moments = ["pre", "post"] as const;
  return {
    hash: order.appData,
    document,
    isHashRight: document === null ? null : sameHex(hashAppData(document), order.appData),
    appCode: decoded?.appCode ?? null,
    hooks: moments.flatMap((moment) =>
      (hooks?.[moment] ?? []).map(({ target, gasLimit, callData }) => ({
        moment,
        target,
        gasLimit: String(gasLimit),
        callData,
      }))
    ),
  };
}
