import { marketPosition, type OrderLimit, storedQuoteFee } from "../../../metrics/mod.ts";
import type { FeePolicy, OrderQuote, PartnerFee } from "../../../schemas/mod.ts";

/** Volume fee of every order. */
export const VOLUME_FACTOR = 0.0002;
/** The same in basis points, as quotes tell it. */
export const VOLUME_FEE_BPS = "2";

const SHARE = { factor: 0.5, maxVolumeFactor: 0.0098 };
/** The most that partners may take together, as a volume factor. */
const PARTNER_CAP = 0.01;
const BPS = 10_000;

/** What decides the fee policies of an order. */
export interface PolicyFacts {
  /** Its limit. */
  readonly order: OrderLimit;
  /** The quote stored with it. */
  readonly quote: OrderQuote | null;
  /** Fees that its app data document asks for. */
  readonly partnerFees: readonly PartnerFee[];
}

/**
 * The fee policies of an order, in the order they are applied: half of the improvement over the quote
 * of one in the market, half of the surplus of another; the volume fee; then the partners' fees, until
 * their cap is used up.
 */
export function feePoliciesOf({ order, quote, partnerFees }: PolicyFacts): FeePolicy[] {
  const fee = quote === null ? null : storedQuoteFee(quote);
  const isInMarket = marketPosition(order, quote).position === "in_market";
  const policies: FeePolicy[] = [
    isInMarket && quote !== null && fee !== null
      ? {
        priceImprovement: {
          ...SHARE,
          quote: { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee },
        },
      }
      : { surplus: SHARE },
    { volume: { factor: VOLUME_FACTOR } },
  ];
  let taken = 0;
  for (const partner of partnerFees) {
    // Doubles may leave a little less than nothing.
    const left = Math.max(0, (1 + PARTNER_CAP) / (1 + taken) - 1);
    const { policy, cap } = partnerPolicy(partner, left, { quote, fee });
    policies.push(policy);
    taken = (1 + taken) * (1 + cap) - 1;
  }
  return policies;
}

function partnerPolicy(
  partner: PartnerFee,
  left: number,
  { quote, fee }: { quote: OrderQuote | null; fee: bigint | null },
): { policy: FeePolicy; cap: number } {
  if ("surplusBps" in partner) {
    const cap = atMost(partner.maxVolumeBps / BPS, left);
    const factor = atMost(partner.surplusBps / BPS, MOST_OF_SURPLUS);
    return { policy: { surplus: { factor, maxVolumeFactor: cap } }, cap };
  }
  if ("priceImprovementBps" in partner) {
    const cap = atMost(partner.maxVolumeBps / BPS, left);
    const factor = atMost(partner.priceImprovementBps / BPS, MOST_OF_SURPLUS);
    const policy = quote === null || fee === null
      ? { surplus: { factor, maxVolumeFactor: cap } }
      : {
        priceImprovement: {
          factor,
          maxVolumeFactor: cap,
          quote: { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee },
        },
      };
    return { policy, cap };
  }
  const asked = "volumeBps" in partner ? partner.volumeBps : partner.bps;
  const cap = atMost(asked / BPS, left);
  return { policy: { volume: { factor: cap } }, cap };
}

/** A factor of 1 would leave nothing to compute the fee from. */
const MOST_OF_SURPLUS = 0.99;

function atMost(factor: number, cap: number): number {
  return factor < cap ? factor : cap;
}
