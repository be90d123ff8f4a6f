import type { OrderLimit } from "orderlens/metrics";
import type { FeePolicy, PolicyQuote } from "orderlens/schemas";

/** What is left of a fill after fees, and what each policy took. */
export interface Charged {
  /** Amount of the surplus token after all fees. */
  after: bigint;
  /** Fee of each policy, in the order they were applied. */
  fees: bigint[];
}

/** A fill before fees. */
export interface Gross {
  order: OrderLimit;
  /** The fixed amount: sold by a sell order, bought by a buy order. */
  executed: bigint;
  /** The open amount before fees: bought by a sell order, sold by a buy order. */
  before: bigint;
}

/** `f / (1 ∓ f)` times 10^18 in doubles, to the nearest integer, ties to even. */
function wad(multiplier: number): bigint {
  const product = multiplier * 1e18;
  if (product >= 2 ** 52) return BigInt(product);
  // Below 2^52 adding 2^52 leaves no bits for a fraction: the sum rounds half to even.
  return BigInt(product + 2 ** 52 - 2 ** 52);
}

function share(amount: bigint, multiplier: number): bigint {
  return amount * wad(multiplier) / 10n ** 18n;
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return a / b + (a % b > 0n ? 1n : 0n);
}

/** What surplus is counted from: the limit scaled to the fill, or the quote's in its place. */
function baseline({ order, executed }: Gross, quote: PolicyQuote | undefined): bigint {
  const { kind, sellAmount: S, buyAmount: B } = order;
  if (kind === "sell") {
    const net = quote && quote.buyAmount - quote.fee * quote.buyAmount / quote.sellAmount;
    const quoted = quote && net !== undefined ? net * S / quote.sellAmount : 0n;
    return ceilDiv(executed * (quoted > B ? quoted : B), S);
  }
  const quoted = quote && (quote.sellAmount + quote.fee) * B / quote.buyAmount;
  return (quoted !== undefined && quoted < S ? quoted : S) * executed / B;
}

/** What a policy takes if the open amount is `after` once it has. */
function feeAt(after: bigint, gross: Gross, policy: FeePolicy): bigint {
  const isSell = gross.order.kind === "sell";
  const ofVolume = (f: number) => share(after, isSell ? f / (1 - f) : f / (1 + f));
  if (policy.volume !== undefined) return ofVolume(policy.volume.factor);
  const terms = policy.surplus ?? policy.priceImprovement;
  if (terms === undefined) throw new Error("a policy of an unknown kind cannot be charged");
  const from = baseline(gross, policy.priceImprovement?.quote);
  const better = isSell ? after - from : from - after;
  const fee = share(better < 0n ? 0n : better, terms.factor / (1 - terms.factor));
  const cap = ofVolume(terms.maxVolumeFactor);
  return fee < cap ? fee : cap;
}

/**
 * Charges policies first to last on the open amount before fees, as a solver does: each takes the
 * whole number of atoms that its own rule names for what it leaves. Where no number does, because a
 * rule jumps over it, the fill is made an atom worse and charged anew.
 */
export function chargeFees(gross: Gross, policies: readonly FeePolicy[]): Charged {
  const worse = gross.order.kind === "sell" ? -1n : 1n;
  for (let before = gross.before;; before += worse) {
    const fees: bigint[] = [];
    let left = before;
    for (const policy of policies) {
      const fee = fittingFee(left, gross, policy);
      if (fee === undefined) break;
      fees.push(fee);
      left += worse * fee;
    }
    if (fees.length === policies.length) return { after: left, fees };
  }
}

/** The fee with `fee = feeAt(before ∓ fee)`: taking more never makes the rule ask for more, by one. */
function fittingFee(before: bigint, gross: Gross, policy: FeePolicy): bigint | undefined {
  const isSell = gross.order.kind === "sell";
  const excess = (fee: bigint) => fee - feeAt(isSell ? before - fee : before + fee, gross, policy);
  let low = 0n;
  let high = before;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (excess(middle) < 0n) low = middle + 1n;
    else high = middle;
  }
  return excess(low) === 0n ? low : undefined;
}
