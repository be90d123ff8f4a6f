import { marketPosition, type OrderLimit, storedQuoteFee } from "../../metrics/mod.ts";
import type { FeePolicy, OrderQuote, PartnerFee } from "../../schemas/mod.ts";
import { mulDivDown, nativeValue } from "../../units/mod.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";
import { wrapNativeToken } from "./ledger.ts";

/** Factor of the volume fee that every order pays. */
export const VOLUME_FACTOR = 0.0002;
/** That volume fee in basis points, as quotes report it. */
export const VOLUME_FEE_BPS = "2";

const SHARE = { factor: 0.5, maxVolumeFactor: 0.0098 };
/** Maximum of all partner fees together, as a volume factor. */
const PARTNER_CAP = 0.01;
const BPS = 10_000;

/** Facts that determine the fee policies of an order. */
interface PolicyFacts {
  /** Its limit. */
  readonly order: OrderLimit;
  /** The quote stored with it. */
  readonly quote: OrderQuote | null;
  /** Partner fees of its app data. */
  readonly partnerFees: readonly PartnerFee[];
}

/**
 * Creates the fee policies of an order, in the sequence of their application: half of the price
 * improvement of an in-market order, half of the surplus of others; the volume fee; then partner fees up to their
 * cap.
 */
export function createFeePolicies({ order, quote, partnerFees }: PolicyFacts): FeePolicy[] {
  const isInMarket = marketPosition(order, quote).position === "in_market";
  const policies: FeePolicy[] = [
    isInMarket ? createImprovementPolicy(SHARE, quote) : { surplus: SHARE },
    { volume: { factor: VOLUME_FACTOR } },
  ];
  let charged = 0;
  for (const partner of partnerFees) {
    // Rounding of doubles can yield a value slightly below 0.
    const available = Math.max(0, (1 + PARTNER_CAP) / (1 + charged) - 1);
    const { policy, cap } = createPartnerPolicy(partner, available, quote);
    policies.push(policy);
    charged = (1 + charged) * (1 + cap) - 1;
  }
  return policies;
}

/** Creates a share of the improvement over the quote; of the surplus without one. */
function createImprovementPolicy(share: typeof SHARE, quote: OrderQuote | null): FeePolicy {
  const fee = quote === null ? null : storedQuoteFee(quote);
  if (quote === null || fee === null) return { surplus: share };
  const { sellAmount, buyAmount } = quote;
  return { priceImprovement: { ...share, quote: { sellAmount, buyAmount, fee } } };
}

function createPartnerPolicy(
  partner: PartnerFee,
  available: number,
  quote: OrderQuote | null,
): { policy: FeePolicy; cap: number } {
  if ("volumeBps" in partner || "bps" in partner) {
    const volumeBps = "volumeBps" in partner ? partner.volumeBps : partner.bps;
    const cap = Math.min(volumeBps / BPS, available);
    return { policy: { volume: { factor: cap } }, cap };
  }
  const cap = Math.min(partner.maxVolumeBps / BPS, available);
  const createShare = (bps: number) => ({
    factor: Math.min(bps / BPS, MAX_SURPLUS_FACTOR),
    maxVolumeFactor: cap,
  });
  const policy = "surplusBps" in partner
    ? { surplus: createShare(partner.surplusBps) }
    : createImprovementPolicy(createShare(partner.priceImprovementBps), quote);
  return { policy, cap };
}

/** Maximum share of surplus: with a factor of 1, the fee cannot be computed. */
const MAX_SURPLUS_FACTOR = 0.99;

/**
 * Caps on the penalty for winning an order and not settling it, as in CIP-87: the smaller of a
 * share of the order's volume and a fixed amount.
 */
export interface SandboxPenaltyCaps {
  /**
   * Share of the volume in basis points: a whole number from 0 to 10,000. The volume is the amount at
   * the limit, in native atoms: bought by a sell order, sold by a buy order.
   *
   * @default {4}
   */
  readonly volumeBps?: number;
  /** The largest cap, in native atoms. @default {5_000_000_000_000_000n} */
  readonly maxAtoms?: bigint;
}

/** Calculates the penalty cap of an order at the prices of an auction; `null` if orders have none. */
export function calculatePenaltyCap(
  caps: SandboxPenaltyCaps | null,
  { kind, sellToken, sellAmount, buyToken, buyAmount }: SignedOrder,
  prices: Readonly<Record<string, bigint>>,
): bigint | null {
  if (caps === null) return null;
  const { volumeBps = 4, maxAtoms = 5_000_000_000_000_000n } = caps;
  const [token, amount] = kind === "sell" ? [buyToken, buyAmount] : [sellToken, sellAmount];
  const price = prices[wrapNativeToken(token)];
  if (price === undefined) return maxAtoms;
  const cap = mulDivDown(nativeValue(amount, price), BigInt(volumeBps), BigInt(BPS));
  return cap < maxAtoms ? cap : maxAtoms;
}
