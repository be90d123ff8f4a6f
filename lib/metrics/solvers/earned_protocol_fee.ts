import type { CompetitionAuction, Order, Trade } from "../../schemas/mod.ts";
import { type HexMap, nativeValue, sameHex } from "../../units/mod.ts";
import type { UidIndex } from "../by_uid.ts";
import { auctionRole } from "../orders/auction_role.ts";
import { partnerAppData } from "../orders/order_app_data.ts";
import { policyOrigins } from "../fees/policy_origins.ts";
import { priceOf } from "../prices/price_of.ts";
import type { OpenInterval } from "./reward_facts.ts";
import type { SolutionOutcome } from "./settlement_outcomes.ts";

/** Trades by settlement transaction, and orders by UID. */
export interface FeeSources {
  /** Trades by transaction. */
  readonly trades: HexMap<readonly Trade[]>;
  /** Orders by UID. */
  readonly orders: UidIndex<Order>;
}

/** Protocol fees in native atoms, and what is missing for an exact amount. */
export interface EarnedFee extends OpenInterval {
  /** What is missing; empty if `low` equals `high`. */
  readonly missing: ReadonlySet<"protocol_fees" | "fee_partner" | "price">;
}

/**
 * The protocol's fees from one winning solution, without partner fees: each protocol fee of its
 * executed trades at the auction's native price, `floor(amount * price / 10^18)`.
 *
 * A solution that was not settled earned nothing. A fee that may be a partner's is in `high` only;
 * an unknown trade, fee or price makes `high` unbounded.
 */
export function earnedProtocolFee(
  outcome: SolutionOutcome,
  auction: CompetitionAuction,
  { trades, orders }: FeeSources,
): EarnedFee {
  const missing = new Set<"protocol_fees" | "fee_partner" | "price">();
  if (outcome.result === "absent") return { low: 0n, high: 0n, missing };
  const own = outcome.txHash === null ? [] : trades.get(outcome.txHash) ?? [];
  let low = 0n;
  let high = 0n;
  for (const uid of outcome.orders) {
    const fees = own.find(({ orderUid }) => sameHex(orderUid, uid))?.executedProtocolFees;
    if (fees === undefined) {
      // An order that the auction does not list has no fee policies.
      if (auctionRole({ uid }, auction) === "listed") missing.add("protocol_fees");
      continue;
    }
    const order = orders.get(uid);
    const origins = policyOrigins(
      fees.map(({ policy }) => policy),
      order === undefined ? null : partnerAppData(order),
    );
    for (const [place, { amount, token }] of fees.entries()) {
      const origin = origins[place]?.origin;
      if (origin === "partner") continue;
      const price = priceOf(auction, token);
      if (price === undefined) {
        missing.add("price");
        continue;
      }
      const value = nativeValue(amount, price);
      high += value;
      if (origin === "protocol") low += value;
      else missing.add("fee_partner");
    }
  }
  const isOpen = missing.has("protocol_fees") || missing.has("price");
  return { low, high: isOpen ? null : high, missing };
}
