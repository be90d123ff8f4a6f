import { marketPosition, type OrderLimit, storedQuoteFee } from "../../metrics/mod.ts";
import type { FeePolicy, OrderQuote, PartnerFee } from "../../schemas/mod.ts";

/** Factor of the volume fee that every order pays. */
export const VOLUME_FACTOR = 0.0002;
/** The same volume fee in basis points, as quotes report it. */
export const VOLUME_FEE_BPS = "2";

const SHARE = { factor: 0.5, maxVolumeFactor: 0.0098 };
/** Maximum of all partner fees together, as a volume factor. */
const PARTNER_CAP = 0.01;
const BPS = 10_000;

/** What determines the fee policies of an order. */
interface PolicyFacts {
  /** Its limit. */
  readonly order: OrderLimit;
  /** The quote stored with it. */
  readonly quote: OrderQuote | null;
  /** Partner fees of its app data. */
  readonly partnerFees: readonly PartnerFee[];
}

/**
 * The fee policies of an order, in the sequence of their application: half of the price improvement
 * of an in-market order, half of the surplus of others; the volume fee; then partner fees up to their
 * cap.
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
  let charged = 0;
  for (const partner of partnerFees) {
    // Rounding of doubles can yield a value slightly below 0.
    const available = Math.max(0, (1 + PARTNER_CAP) / (1 + charged) - 1);
    const { policy, cap } = partnerPolicy(partner, available, { quote, fee });
    policies.push(policy);
    charged = (1 + charged) * (1 + cap) - 1;
  }
  return policies;
}

function partnerPolicy(
  partner: PartnerFee,
  available: number,
  { quote, fee }: { quote: OrderQuote | null; fee: bigint | null },
): { policy: FeePolicy; cap: number } {
  if ("surplusBps" in partner) {
    const cap = atMost(partner.maxVolumeBps / BPS, available);
    const factor = atMost(partner.surplusBps / BPS, MAX_SURPLUS_FACTOR);
    return { policy: { surplus: { factor, maxVolumeFactor: cap } }, cap };
  }
  if ("priceImprovementBps" in partner) {
    const cap = atMost(partner.maxVolumeBps / BPS, available);
    const factor = atMost(partner.priceImprovementBps / BPS, MAX_SURPLUS_FACTOR);
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
  const volumeBps = "volumeBps" in partner ? partner.volumeBps : partner.bps;
  const cap = atMost(volumeBps / BPS, available);
  return { policy: { volume: { factor: cap } }, cap };
}

/** Maximum share of surplus: with a factor of 1, the fee cannot be computed. */
const MAX_SURPLUS_FACTOR = 0.99;

function atMost(factor: number, cap: number): number {
  return factor < cap ? factor : cap;
}
