import {
  type AuctionRole,
  auctionRole,
  type ClearingPrices,
  type KnownTime,
} from "../../metrics/mod.ts";
import {
  fillTime,
  findReportedAuctionId,
  indexAuctionsOfFills,
  matchIndexedTimes,
} from "../../metrics/orders/fills.ts";
import {
  determineUnlistedRole,
  listOrderAuctions,
  type OrderAuction,
} from "../../metrics/orders/order_bids.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { type Decimal, HexMap, sameHex } from "../../units/mod.ts";
import { fillTimeColumns, gaps, integer, solver, text } from "./columns.ts";
import type { Column } from "./frame.ts";
import { findSettlingSolver } from "./lookups.ts";
import {
  findPriceSides,
  findVolumeSide,
  pairColumn,
  priceSidesColumn,
  tradedColumns,
} from "./order_columns.ts";
import { findRoleSource, type RoleSource, selectRoles } from "./instance_facts.ts";
import { lookUp, type ReadRecords } from "./records.ts";

/** One fill with its order, and its auction and settlement where known. */
export interface KnownFill {
  /** The order. */
  readonly order: Order;
  /** The fill. */
  readonly trade: Trade;
  /** Auction it was settled from; `null` if neither debug report nor competition names it. */
  readonly auctionId: number | null;
  /** Address of the solver that settled; `null` if unknown. */
  readonly solver: string | null;
  /** The auction with the bids on the order; `null` if no competition or debug report has it. */
  readonly auction: OrderAuction | null;
  /** Native prices of tokens in that auction, by address. */
  readonly prices: HexMap<bigint | Decimal>;
  /** The decoded settlement. */
  readonly settlement: ClearingPrices | undefined;
  /** All fees of this fill, in sell-token atoms, from the debug report. */
  readonly executedFee: bigint | undefined;
  /**
   * Role of the order in that auction; if the auction is unknown, that of `auctionRole` without it.
   */
  readonly role: AuctionRole;
  /** Source of that role; `null` if the role is unknown. */
  readonly roleSource: RoleSource | null;
  /** Time at which the fill was indexed, shortly after its block; `null` without a debug report. */
  readonly indexedAt: Temporal.Instant | null;
  /** Time of the fill: by its block, its indexing or an interval; `null` if unknown. */
  readonly filledAt: KnownTime | null;
}

/** Finds all fills of the records, each with its auction and settlement where known. */
export function findKnownFills(input: ReadRecords): KnownFill[] {
  const { records = [], times } = input;
  const competitions = lookUp(input, "competitions") ?? [];
  const findAuction = indexAuctionsOfFills(competitions);
  const byId = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  const priceMaps = new Map<Competition, HexMap<bigint | Decimal>>();
  const settlements = new HexMap(input.settlements);
  const fills: KnownFill[] = [];
  for (const { order, trades, debugReport = null } of records) {
    const orderTrades = Array.from(trades).filter(({ orderUid }) => sameHex(orderUid, order.uid))
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
    const indexedTimesOfTrades = matchIndexedTimes(orderTrades, debugReport);
    for (const [index, trade] of orderTrades.entries()) {
      const hash = trade.txHash ?? undefined;
      const competition = findAuction(trade);
      const reportAuction = findReportedAuction(trade, debugReport);
      const auctionId = reportAuction?.id ?? competition?.auctionId ?? null;
      const roles = selectRoles(input, auctionId);
      const role = competition === undefined && isOutsideReport(trade, debugReport)
        ? determineUnlistedRole(order.uid, roles)
        : auctionRole(order, competition?.auction, roles);
      fills.push({
        order,
        trade,
        auctionId,
        auction: buildOrderAuction(auctionId, order.uid, {
          reportAuction: reportAuction,
          competition: auctionId === null ? undefined : byId.get(auctionId),
        }),
        solver: reportAuction?.proposedSolutions.find(({ isWinner }) => isWinner)?.solver ??
          findSettlingSolver(trade, competition),
        prices: reportAuction === undefined ? indexPrices(competition, priceMaps) : new HexMap(
          Object.entries({ ...competition?.auction.prices, ...reportAuction.nativePrices }),
        ),
        settlement: hash === undefined ? undefined : settlements.get(hash),
        executedFee: reportAuction?.executions.find(({ blockNumber }) =>
          blockNumber === trade.blockNumber
        )?.executedFee,
        role,
        roleSource: findRoleSource(input, auctionId, {
          role,
          hasAuction: reportAuction !== undefined || (competition?.auction.orders.length ?? 0) > 0,
        }),
        indexedAt: indexedTimesOfTrades[index]!,
        filledAt: fillTime(trade, { times, indexedAt: indexedTimesOfTrades[index], order }),
      });
    }
  }
  return fills;
}

function findReportedAuction(
  trade: Trade,
  report: DebugReport | null,
): DebugReport["auctions"][number] | undefined {
  const auctionId = findReportedAuctionId(trade, report);
  return auctionId === null ? undefined : report?.auctions.find(({ id }) => id === auctionId);
}

/**
 * Whether the auction of a fill did not list the order: a report contains all auctions that did.
 */
function isOutsideReport(trade: Trade, report: DebugReport | null): boolean {
  return findReportedAuctionId(trade, report) !== null &&
    findReportedAuction(trade, report) === undefined;
}

/** Builds the bids on an order in the auction of a fill: those of the report, if it has that auction. */
function buildOrderAuction(
  auctionId: number | null,
  uid: string,
  { reportAuction, competition }: {
    readonly reportAuction: DebugReport["auctions"][number] | undefined;
    readonly competition: Competition | undefined;
  },
): OrderAuction | null {
  if (auctionId === null) return null;
  const auctions = listOrderAuctions(uid, {
    ...reportAuction !== undefined
      ? { debugReport: { auctions: [reportAuction] } }
      : competition !== undefined && { competitions: [competition] },
    fills: [],
  });
  return auctions[0] ?? null;
}

/** Indexes the native prices of a competition, once for all of its fills. */
function indexPrices(
  competition: Competition | undefined,
  cache: Map<Competition, HexMap<bigint | Decimal>>,
): HexMap<bigint | Decimal> {
  if (competition === undefined) return new HexMap();
  let prices = cache.get(competition);
  if (prices === undefined) {
    prices = new HexMap(Object.entries(competition.auction.prices));
    cache.set(competition, prices);
  }
  return prices;
}

/** The fill of a row, and its order. */
export const FILL_COLUMNS: readonly Column<KnownFill>[] = [
  text("order_uid", { source: "order.uid", cell: ({ order }) => order.uid }),
  integer("block_number", {
    source: "trade.blockNumber: of the settlement",
    cell: ({ trade }) => trade.blockNumber,
  }),
  integer("log_index", {
    source: "trade.logIndex: of the event in its block",
    cell: ({ trade }) => trade.logIndex,
  }),
  ...fillTimeColumns<KnownFill>(({ filledAt }) => filledAt),
  text("tx_hash", { source: "trade.txHash", cell: ({ trade }) => trade.txHash }),
  integer("auction_id", {
    source: "auction it was settled from, according to debug report or competition",
    cell: ({ auctionId }) => auctionId,
  }),
  text("kind", { source: "order.kind", cell: ({ order }) => order.kind }),
  pairColumn(({ order }) => order),
];

/** The solver that settled a fill. */
export const FILL_SOLVER_COLUMNS: readonly Column<KnownFill>[] = solver<KnownFill>("solver", {
  source: "solver of the winning solution with the order, from debug report or competition",
  solver: (fill) => fill.solver,
});

/** Role of the order of a fill, and its source. */
export const FILL_ROLE_COLUMNS: readonly Column<KnownFill>[] = [
  text("role", {
    source: "auctionRole of the order: listed, or of a solver: capturing, liquidity, or unknown",
    cell: ({ role }) => role,
  }),
  text("role_source", {
    source:
      "auction if it lists the order, as it or the order's debug report says, order if neither is " +
      "known and its own fields are those of a listed one, instance if the owners that the instance " +
      "names decide, option if those that were passed do; null if the role is unknown",
    cell: ({ roleSource }) => roleSource,
  }),
];

const traded = tradedColumns<KnownFill>(({ order }) => order);

/** The amounts that a fill exchanged. */
export const FILL_AMOUNTS: readonly Column<KnownFill>[] = [
  ...traded.sold("sell_amount", {
    source: "trade.sellAmount: all fees included",
    atoms: ({ trade }) => trade.sellAmount,
  }),
  ...traded.bought("buy_amount", {
    source: "trade.buyAmount: after all fees",
    atoms: ({ trade }) => trade.buyAmount,
  }),
];

/** Gaps of a fill without competitions, debug reports and times. */
export const FILL_GAPS: Column<KnownFill> = gaps(
  "auction if neither competitions nor debug reports name the one it was settled from (solver and " +
    "native amounts are then null), fill_time if neither `times` nor a debug report says when it " +
    "happened",
  ({ auctionId, filledAt }) => [
    auctionId === null && "auction",
    filledAt === null && "fill_time",
  ],
);

/** Source and amount of the volume of a fill. */
export const VOLUME = {
  source: "what was sold, without the legacy fee, at the native price of the auction; what was " +
    "bought if the sell token has no price",
  amount: ({ trade, order, prices }: KnownFill) => findVolumeSide(trade, order, prices),
};

/** Whether the native prices of a fill agree. */
export const FILL_PRICE_SIDES: Column<KnownFill> = priceSidesColumn(findFillPriceSides);

/** Compares both sides of a fill at the native prices of its auction; `null` without both prices. */
export function findFillPriceSides({ trade, order, prices }: KnownFill) {
  return findPriceSides(trade, order, prices);
}
