import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { OrderKind } from "../../schemas/mod.ts";
import { bpsToRatio, type Decimal, mulDivDown, type Ratio } from "../../units/mod.ts";
import { BPS } from "../not_computable.ts";

/**
 * The fields of a response of `POST quote` that {@linkcode quoteStages} uses. A `QuoteResponse` has
 * them.
 */
export interface StagedAnswer {
  /** Order parameters, net of network and protocol fees. */
  readonly quote: {
    /** The fixed amount. */
    readonly kind: OrderKind;
    /** Sell-token atoms, without `feeAmount`. */
    readonly sellAmount: bigint;
    /** Buy-token atoms. */
    readonly buyAmount: bigint;
    /** Network fee, in sell-token atoms. */
    readonly feeAmount: bigint;
  };
  /** Protocol volume fee in basis points; absent if there is none. */
  readonly protocolFeeBps?: Decimal | undefined;
}

/** Amounts that a client subtracts itself before signing. */
export interface QuoteStagesOptions {
  /**
   * Tolerance, in basis points from 0 to below 10,000; text if it has a fraction.
   *
   * @default {0}
   */
  readonly slippageBps?: number | string;
  /**
   * Volume fee of the partner, in basis points from 0 to below 10,000; text if it has a fraction.
   *
   * @default {0}
   */
  readonly partnerFeeBps?: number | string;
}

const OPTIONS: OptionRules<QuoteStagesOptions> = { slippageBps: BPS, partnerFeeBps: BPS };

/** The two amounts of an order at one stage of its quote. */
export interface StageAmounts {
  /** Sell-token atoms. */
  readonly sellAmount: bigint;
  /** Buy-token atoms. */
  readonly buyAmount: bigint;
}

/** A quote by its stages, from the bare price to the signed amounts. */
export interface QuoteStages {
  /** The fixed amount. */
  readonly kind: OrderKind;
  /** The bare price, before any fee. */
  readonly beforeAllFees: StageAmounts;
  /** After the protocol's volume fee. */
  readonly afterProtocolFees: StageAmounts;
  /** After the network fee too: the response of the service. */
  readonly afterNetworkCosts: StageAmounts;
  /** After the partner's fee too. */
  readonly afterPartnerFees: StageAmounts;
  /** After the tolerance too: the worst accepted price. */
  readonly afterSlippage: StageAmounts;
  /** The limit to sign: it includes the whole fixed amount, and `feeAmount` is 0. */
  readonly amountsToSign: StageAmounts;
  /**
   * The stage that is signed: the unchanged quote, or the quote after the client's own partner fee or
   * tolerance. Each is valid; only the first leaves no room for a worse price.
   */
  readonly signedStage: "quote" | "afterPartnerFees" | "afterSlippage";
  /** The amount that each step deducts. */
  readonly costs: {
    /** Protocol volume fee, in atoms of the surplus token. */
    readonly protocolFeeAtoms: bigint;
    /** Network fee, in sell-token atoms. */
    readonly networkFeeSellAtoms: bigint;
    /** Network fee in buy-token atoms, at the price of the response. */
    readonly networkFeeBuyAtoms: bigint;
    /** Partner fee, in atoms of the surplus token. */
    readonly partnerFeeAtoms: bigint;
    /** Tolerance, in atoms of the surplus token. */
    readonly slippageAtoms: bigint;
  };
}

/**
 * Computes the stages between a quote's bare price and the amounts to sign.
 *
 * With `(s, b, f)` the amounts and the fee of the response, and `p`, `r`, `t` the protocol fee,
 * partner fee and tolerance as fractions of one:
 *
 * | | sell | buy |
 * | --- | --- | --- |
 * | protocol fee `P` | `floor(b * p / (1 - p))` | `floor((s + f) * p / (1 + p))` |
 * | before all fees | `(s + f, b + floor(b * f / s) + P)` | `(s - P, b)` |
 * | after protocol fees | `(s + f, b + floor(b * f / s))` | `(s, b)` |
 * | after network costs | `(s, b)` | `(s + f, b)` |
 * | after partner fees | `(s, b - R)`, `R = floor(r * buy before all fees)` | `(s + f + R, b)`, `R = floor(r * sell before all fees)` |
 * | after slippage | `(s, q - floor(t * q))` with `q` the buy amount above | `(q + floor(t * q), b)` with `q` the sell amount above |
 * | to sign | `(s + f, buy after slippage)` | `(sell after slippage, b)` |
 *
 * Every amount is rounded down to whole atoms when it is computed, as in the service's SDK; basis
 * points are read as decimal text.
 *
 * The bare price of a purchase is the gross quote that the service stores with the order. That of a
 * sale is smaller by `P * f / s` plus at most two atoms: the SDK adds both fees to the response,
 * whereas the service deducts one after the other.
 *
 * @param response The response; amounts in atoms.
 * @param options Tolerance and partner fee of the client; if both are 0, the quote is signed
 * unchanged.
 * @returns Atoms at each stage.
 * @throws {InputError} If basis points are out of range, or the response has an amount of 0.
 * @see {@link https://github.com/cowprotocol/cow-sdk/tree/1b53cdd28d7c0cccd48587a8099c7501391cdf91/packages/order-book/src/quoteAmountsAndCosts | quoteAmountsAndCosts in the service's SDK}
 *
 * @example A sale of 100 with a network fee of 4 and a tolerance of one percent
 * ```ts
 * import { quoteStages } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const stages = quoteStages({
 *   quote: { kind: "sell", sellAmount: 96n, feeAmount: 4n, buyAmount: 960n },
 * }, { slippageBps: 100 });
 *
 * assertEquals(stages.beforeAllFees, { sellAmount: 100n, buyAmount: 1_000n });
 * assertEquals(stages.amountsToSign, { sellAmount: 100n, buyAmount: 951n });
 * assertEquals(stages.signedStage, "afterSlippage");
 * ```
 */
export function quoteStages(response: StagedAnswer, options: QuoteStagesOptions = {}): QuoteStages {
  checkOptions(options, OPTIONS, "Cannot compute the stages of a quote");
  const { slippageBps = 0, partnerFeeBps = 0 } = options;
  const { kind, sellAmount, buyAmount, feeAmount } = response.quote;
  if (sellAmount <= 0n || buyAmount <= 0n || feeAmount < 0n) {
    throw new InputError("Cannot compute the stages of a quote that trades nothing", {
      facts: { sellAmount, buyAmount, feeAmount },
      remedy: "Request a new quote",
    });
  }
  const protocolFee = parseFraction("protocolFeeBps", response.protocolFeeBps?.toString() ?? 0);
  const partnerFee = parseFraction("partnerFeeBps", partnerFeeBps);
  const slippage = parseFraction("slippageBps", slippageBps);
  const isSell = kind === "sell";
  const soldAtoms = sellAmount + feeAmount;
  const networkFeeBuyAtoms = mulDivDown(buyAmount, feeAmount, sellAmount);
  const { numerator: p, denominator: unit } = protocolFee;
  const protocolFeeAtoms = isSell
    ? mulDivDown(buyAmount, p, unit - p)
    : mulDivDown(soldAtoms, p, unit + p);

  const bare = isSell
    ? buyAmount + networkFeeBuyAtoms + protocolFeeAtoms
    : sellAmount - protocolFeeAtoms;
  const partnerFeeAtoms = takeShare(requirePositive(bare), partnerFee);
  const afterPartner = requirePositive(
    isSell ? buyAmount - partnerFeeAtoms : soldAtoms + partnerFeeAtoms,
  );
  const slippageAtoms = takeShare(afterPartner, slippage);
  const worst = requirePositive(
    isSell ? afterPartner - slippageAtoms : afterPartner + slippageAtoms,
  );
  const toAmounts = (openAmount: bigint, soldAmount: bigint): StageAmounts =>
    isSell
      ? { sellAmount: soldAmount, buyAmount: openAmount }
      : { sellAmount: openAmount, buyAmount };
  return {
    kind,
    beforeAllFees: toAmounts(bare, soldAtoms),
    afterProtocolFees: toAmounts(isSell ? buyAmount + networkFeeBuyAtoms : sellAmount, soldAtoms),
    afterNetworkCosts: toAmounts(isSell ? buyAmount : soldAtoms, sellAmount),
    afterPartnerFees: toAmounts(afterPartner, sellAmount),
    afterSlippage: toAmounts(worst, sellAmount),
    amountsToSign: toAmounts(worst, soldAtoms),
    signedStage: slippageAtoms > 0n
      ? "afterSlippage"
      : partnerFeeAtoms > 0n
      ? "afterPartnerFees"
      : "quote",
    costs: {
      protocolFeeAtoms,
      networkFeeSellAtoms: feeAmount,
      networkFeeBuyAtoms,
      partnerFeeAtoms,
      slippageAtoms,
    },
  };
}

function requirePositive(amount: bigint): bigint {
  if (amount > 0n) return amount;
  throw new InputError(
    `Cannot compute the stages of a quote: after fees, ${amount} atoms are left`,
    { remedy: "Lower the partner fee or the tolerance, or trade a larger amount" },
  );
}

function takeShare(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return mulDivDown(amount, numerator, denominator);
}

function parseFraction(name: string, bps: number | string): Ratio {
  const fraction = bpsToRatio(bps);
  if (fraction.numerator >= 0n && fraction.numerator < fraction.denominator) return fraction;
  throw new InputError(`Cannot compute the stages of a quote with ${name} ${bps}`, {
    remedy: "Pass basis points of at least 0 and below 10000; 100 are one percent",
  });
}
