import { isNotComputable } from "../../metrics/mod.ts";
import { readRemaining } from "../../metrics/orders/lifecycle_facts.ts";
import type { Order } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import {
  compareRatios,
  formatBps,
  formatPercent,
  mulDivDown,
  mulDivUp,
  type Ratio,
  ratio,
} from "../../units/mod.ts";
import { findMedianRatio } from "../../units/ratio.ts";
import type {
  DistanceSummary,
  LimitDistance,
  OrderReport,
  ReportedAuction,
} from "./order_report.ts";
import { isUnbid } from "./verdicts.ts";

/** Measures how far the limit was from the market where nobody bid; `null` if every auction at hand had a bid. */
export function measureDistance(auctions: readonly ReportedAuction[]): LimitDistance | null {
  const unbid = selectUnbid(auctions);
  if (unbid.length === 0) return null;
  const prices = unbid.flatMap(({ marketOverLimitBps }) => marketOverLimitBps ?? []);
  const offers = unbid.flatMap(({ pairOffer }) => pairOffer?.overLimitBps ?? []);
  const text = `${formatPrices(prices, unbid.length)}${formatOffers(offers)}`;
  return {
    auctions: unbid.length,
    nativePrices: summarize(prices),
    pairOffers: summarize(offers),
    text,
  };
}

/** Selects the auctions in which nobody bid on the order. */
export function selectUnbid(auctions: readonly ReportedAuction[]): ReportedAuction[] {
  return auctions.filter(({ outcome }) => isUnbid(outcome));
}

function summarize(distances: readonly Ratio[]): DistanceSummary | null {
  const sorted = distances.toSorted(compareRatios);
  const [lowestBps, highestBps] = [sorted[0], sorted.at(-1)];
  if (lowestBps === undefined || highestBps === undefined) return null;
  const beyond = distances.filter(isBeyond).length;
  return {
    known: sorted.length,
    beyond,
    medianBps: findMedianRatio(sorted)!,
    lowestBps,
    highestBps,
  };
}

/** Whether a limit asks for more than a price gives. */
function isBeyond(distanceBps: Ratio | null): distanceBps is Ratio {
  return distanceBps !== null && distanceBps.numerator < 0n;
}

function formatPrices(distances: readonly Ratio[], count: number): string {
  if (distances.length === 0) {
    return `Distance of the limit from the market unknown: no native prices of both tokens are at hand in ${
      formatShare(count, count, "without a bid")
    }`;
  }
  const beyond = distances.filter(isBeyond);
  const within = distances.length - beyond.length;
  if (beyond.length === 0) {
    return `Limit ${formatSizes(distances)} within native prices in ${
      formatShare(within, count, "without a bid")
    }, before fees and network costs`;
  }
  const withinText = within === 0 ? "" : `, and within them in ${within}`;
  return `Limit ${formatSizes(beyond)} beyond native prices in ${
    formatShare(beyond.length, count, "without a bid")
  }${withinText}`;
}

function formatOffers(distances: readonly Ratio[]): string {
  if (distances.length === 0) return "";
  const beyond = distances.filter(isBeyond);
  const subject = "the best price that solvers offered other orders of the pair";
  const format = (count: number) => formatShare(count, distances.length, "with one");
  return beyond.length === 0
    ? `; ${subject} met it in ${format(distances.length)}`
    : `; ${formatSizes(beyond)} beyond ${subject} in ${format(beyond.length)}`;
}

/** Formats a number of auctions among all of a kind: `its only auction without a bid`. */
function formatShare(count: number, total: number, kind: string): string {
  if (total === 1) return `the only auction ${kind}`;
  return count === total
    ? `${total === 2 ? "both" : `all ${total}`} auctions ${kind}`
    : `${count} of ${pluralize(total, "auction")} ${kind}`;
}

/** The median without its sign, with the range if it has one. */
function formatSizes(distances: readonly Ratio[]): string {
  const { medianBps, lowestBps, highestBps } = summarize(distances)!;
  const [median, low, high] = [medianBps, lowestBps, highestBps]
    .map((distance) => formatDistance(distance, "halfEven"));
  if (low === high) return median!;
  const [near, far] = isBeyond(lowestBps) ? [high, low] : [low, high];
  return `${median} (median; ${near} to ${far})`;
}

/** Facts that show whether a limit is too tight. */
interface LimitFacts extends Pick<OrderReport, "auctions" | "tolerance" | "fills"> {
  readonly order: Order;
  /** Writes an amount in atoms of the sell token. */
  readonly formatSell: (atoms: bigint) => string;
  /** Writes an amount in atoms of the buy token. */
  readonly formatBuy: (atoms: bigint) => string;
}

/** Distances from this on, a thousand times, are of limits that hardly bound anything. */
const MAX_BPS = 10_000_000n;

/** A distance without its sign; what an order has to give is rounded up, so that it would be enough. */
function formatDistance(
  { numerator, denominator }: Ratio,
  rounding: "halfEven" | "ceil",
): string {
  const size = { numerator: numerator < 0n ? -numerator : numerator, denominator };
  const isHuge = rounding === "halfEven" && size.numerator > MAX_BPS * denominator;
  if (isHuge) return `over ${MAX_BPS.toLocaleString("en-US")} bps`;
  const text = formatBps(size, { digits: 2, rounding, grouping: "," });
  return text.replace(/\.?0+ bps$/, " bps");
}

/**
 * Measures a limit by its distance from the best price that a solver offered for the pair in the last auction, from
 * the order's own quote, and from the native prices of that auction. The first that is short is the one to meet.
 */
export function explainLimit(facts: LimitFacts) {
  const { auctions, tolerance, order } = facts;
  const last = auctions.at(-1)?.outcome.startsWith("no_bid") ? auctions.at(-1) : undefined;
  const market = last?.marketOverLimitBps ?? null;
  const offer = last?.pairOffer?.overLimitBps ?? null;
  // Later than its quote is what solvers bid: their bids meet its limit, if they count.
  const isMet = auctions.some(({ bids }) => bids.some(({ filteredOut }) => !filteredOut));
  const net = isMet ? null : tolerance?.net ?? null;
  // Signed below its quote, an order has a tolerance; signed above it, less than none.
  const signedBps = net === null || isNotComputable(net) ? null : net.signedBps;
  const quoteBps = !isBeyond(offer) && isBeyond(signedBps)
    ? toLimitShare(signedBps, order.kind)
    : null;
  const marketBps = isBeyond(market) ? negate(market) : null;
  const bps = isBeyond(offer) ? negate(offer) : quoteBps ?? (offer === null ? marketBps : null);
  const isFarther = quoteBps !== null && marketBps !== null &&
    compareRatios(marketBps, quoteBps) > 0;
  const marketLimit = isFarther ? formatLooserLimit(facts, marketBps) : "";
  // What shows that it is too tight comes first.
  const explanation = [
    !isBeyond(offer)
      ? null
      : `a limit looser by about ${formatDistance(offer, "ceil")} would have ` +
        `met the best price that a solver offered for this pair in auction ${last!.auctionId}`,
    quoteBps === null
      ? null
      : `a limit looser by about ${
        formatDistance(quoteBps, "ceil")
      } would have met its quote after ` +
        "network costs",
    market === null
      ? null
      : marketBps !== null
      ? `its limit is ${formatDistance(market, "halfEven")} beyond the native prices of auction ` +
        `${last!.auctionId}${marketLimit === "" ? "" : ` (${marketLimit})`}`
      : `its limit is ${formatDistance(market, "halfEven")} within the native prices of auction ` +
        `${last!.auctionId}, before fees and network costs`,
    offer === null || isBeyond(offer)
      ? null
      : "a solver offered another order of this pair a price that meets it in auction " +
        `${last!.auctionId}`,
  ].filter((sentence) => sentence !== null).join("; ");
  return { explanation, bps, isTooTight: bps !== null };
}

function negate({ numerator, denominator }: Ratio): Ratio {
  return { numerator: -numerator, denominator };
}

/** A distance from the quote that is below zero, in basis points of the quote, as one of the limit above zero. */
function toLimitShare({ numerator, denominator }: Ratio, kind: Order["kind"]): Ratio {
  const wholeBps = 10_000n * denominator;
  return {
    numerator: -numerator * 10_000n,
    denominator: kind === "sell" ? wholeBps - numerator : wholeBps + numerator,
  };
}

/** Significant digits of a suggested limit, which pages show unrounded. */
const LIMIT_DIGITS = 8;

/**
 * Formats the limit that is looser by a distance, of what is left to trade; rounded so that it is at least that
 * loose, and empty where that leaves nothing to buy.
 */
function formatLooserLimit({ order, formatSell, formatBuy }: LimitFacts, bps: Ratio): string {
  const { kind, sellAmount, buyAmount } = order;
  const [leftAtoms, totalAtoms] = readRemaining(order);
  const wholeBps = 10_000n * bps.denominator;
  if (kind === "sell") {
    if (bps.numerator >= wholeBps) return "";
    const atoms = mulDivDown(
      buyAmount,
      leftAtoms * (wholeBps - bps.numerator),
      totalAtoms * wholeBps,
    );
    // An order for nothing has no limit, and the service rejects it.
    if (atoms === 0n) return "";
    const unit = findDigitUnit(atoms);
    return `${formatBuy(atoms / unit * unit)} or less`;
  }
  const atoms = mulDivUp(sellAmount, leftAtoms * (wholeBps + bps.numerator), totalAtoms * wholeBps);
  const unit = findDigitUnit(atoms);
  return `${formatSell(mulDivUp(atoms, 1n, unit) * unit)} or more`;
}

/** The unit of the last digit of an amount with {@linkcode LIMIT_DIGITS}. */
function findDigitUnit(atoms: bigint): bigint {
  return 10n ** BigInt(Math.max(0, `${atoms}`.length - LIMIT_DIGITS));
}

/** Formats a looser limit, and what it is for, after a comma; empty without one. */
export function formatLooserTerms(facts: LimitFacts, bps: Ratio | null): string {
  const limit = bps === null ? "" : formatLooserLimit(facts, bps);
  if (limit === "") return "";
  const goal = facts.fills.length > 0
    ? "the rest"
    : `all that it ${facts.order.kind === "sell" ? "sells" : "buys"}`;
  return `, ${limit} for ${goal}`;
}

/** A signed tolerance from which on a limit hardly protects its order, in basis points. */
const MIN_LAX_BPS = 1_000n;

/** Warns of the limit of an order that is placed again, if it is far worse than its quote. */
export function formatLaxLimit(tolerance: OrderReport["tolerance"], kind: Order["kind"]): string {
  const net = tolerance?.net ?? null;
  if (net === null || isNotComputable(net)) return "";
  const { numerator, denominator } = net.signedBps;
  if (numerator < MIN_LAX_BPS * denominator) return "";
  const wholeBps = 10_000n * denominator;
  const share = ratio(kind === "sell" ? wholeBps - numerator : wholeBps + numerator, wholeBps);
  const isTiny = share.numerator * 10_000n < share.denominator;
  const shareText = isTiny
    ? "less than 0.01%"
    : formatPercent(share, { digits: 2, rounding: "halfEven" });
  return `; its limit allows ${shareText} of what its quote ${
    kind === "sell" ? "gives" : "asks"
  } after network costs`;
}

/** Formats how much worse than its quote an order was filled, if its limit hardly protected it. */
export function formatLoss(tolerance: OrderReport["tolerance"]): string {
  const net = tolerance?.net ?? null;
  const usedBps = net === null || isNotComputable(net) ? null : net.usedBps;
  if (usedBps === null || usedBps.numerator < MIN_LAX_BPS * usedBps.denominator) return "";
  return `; that is ${
    formatDistance(usedBps, "halfEven")
  } worse than its quote after network costs: ` +
    "a limit nearer to the quote would have ruled it out";
}
