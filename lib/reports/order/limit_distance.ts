import { compareRatios, type Ratio } from "../../units/mod.ts";
import { pluralize } from "../../units/format.ts";
import { findMedianRatio } from "../../units/ratio.ts";
import { formatDistance } from "./next_steps.ts";
import type { DistanceSummary, LimitDistance, ReportedAuction } from "./order_report.ts";
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

function isBeyond({ numerator }: Ratio): boolean {
  return numerator < 0n;
}

function formatPrices(distances: readonly Ratio[], count: number): string {
  const auctionsText = `of ${pluralize(count, "auction")} without a bid`;
  if (distances.length === 0) {
    return `Distance of the limit from the market unknown: native prices of both tokens are at hand in 0 ${auctionsText}`;
  }
  const beyond = distances.filter(isBeyond);
  const within = distances.length - beyond.length;
  if (beyond.length === 0) {
    return `Limit ${
      formatSizes(distances)
    } within native prices in ${within} ${auctionsText}, before ` +
      "fees and network costs";
  }
  const withinText = within === 0 ? "" : `, and within them in ${within}`;
  return `Limit ${
    formatSizes(beyond)
  } beyond native prices in ${beyond.length} ${auctionsText}${withinText}`;
}

function formatOffers(distances: readonly Ratio[]): string {
  if (distances.length === 0) return "";
  const beyond = distances.filter(isBeyond);
  const suffix = `of ${pluralize(distances.length, "auction")} with one`;
  const subject = "the best price that solvers offered other orders of the pair";
  return beyond.length === 0
    ? `; ${subject} met it in ${distances.length} ${suffix}`
    : `; ${formatSizes(beyond)} beyond ${subject} in ${beyond.length} ${suffix}`;
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
