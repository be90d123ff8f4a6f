import type { DebugReport, Order } from "orderlens";
import { storedQuoteFee } from "orderlens/metrics";
import type { OrderCause } from "orderlens/reports";
import {
  groupRows,
  type StoredAuction,
  type StoredEvent,
  type StoredTrade,
  type Truth,
} from "./truth.ts";

/** Finds what decided the fate of an order by the service's own rows. */
export interface StoredCauses {
  /**
   * The cause; `null` where the rows do not tell: they were read after the answer, or do not have what
   * happened on the chain.
   *
   * @param order The order as it was answered.
   * @param report The answered debug report; `null` without one.
   */
  find(order: Order, report: DebugReport | null): OrderCause | null;
}

/** Reads the rows of a run; `null` if they lack a table that decides. */
export function indexStoredCauses(truth: Truth): StoredCauses | null {
  const { order_events: events, orders } = truth;
  if (events === undefined || orders === undefined) return null;
  const rows = new Rows(truth);
  return {
    find: (order, report) => {
      const uid = order.uid.toLowerCase();
      const orderEvents = (rows.events.get(uid) ?? []).toSorted((a, b) =>
        Temporal.Instant.compare(a.timestamp, b.timestamp)
      );
      const isLater = report !== null && (orderEvents.length !== report.events.length ||
        rows.listAuctions(uid).length !== report.auctions.length);
      if (isLater) return null;
      return rows.findEnd(order) ?? rows.findPending(order, orderEvents);
    },
  };
}

class Rows {
  readonly events;
  readonly #trades;
  readonly #listings = new Map<string, StoredAuction[]>();
  readonly #auctions;
  readonly #bids;
  readonly #solutions;
  readonly #truth: Truth;

  constructor(truth: Truth) {
    this.#truth = truth;
    this.events = groupRows(truth.order_events, ({ order_uid }) => order_uid);
    this.#trades = groupRows(truth.trades, ({ order_uid }) => order_uid);
    this.#auctions = new Map(truth.competition_auctions?.map((row) => [row.id, row]));
    this.#bids = groupRows(truth.proposed_trade_executions, ({ order_uid }) => order_uid);
    this.#solutions = new Map(
      truth.proposed_solutions?.map((row) => [`${row.auction_id}:${row.uid}`, row]),
    );
    for (const auction of truth.competition_auctions ?? []) {
      for (const uid of auction.order_uids ?? []) {
        this.#listings.set(uid, [...this.#listings.get(uid) ?? [], auction]);
      }
    }
  }

  listAuctions(uid: string): readonly StoredAuction[] {
    return this.#listings.get(uid) ?? [];
  }

  findEnd({ uid, owner, status, onchainOrderData, ethflowData }: Order): OrderCause | null {
    const last = this.#findLastTrade(uid);
    const auction = last === undefined ? undefined : this.#findAuction(last);
    if (auction !== undefined && !(auction.order_uids ?? []).includes(uid)) {
      const owners = auction.surplus_capturing_jit_order_owners ?? [];
      return owners.includes(owner) ? "jit_capturing" : "jit_liquidity";
    }
    if (status === "fulfilled") {
      if (last === undefined) return null;
      return auction !== undefined && last.block_number > auction.deadline
        ? "filled_late"
        : "filled";
    }
    if (status === "cancelled") return this.#isReplaced(uid) ? "replaced" : "cancelled";
    if (ethflowData?.refundTxHash != null) return "refunded";
    return onchainOrderData?.placementError == null ? null : "placement_failed";
  }

  findPending(order: Order, events: readonly StoredEvent[]): OrderCause | null {
    if (order.status === "presignaturePending") return "presignature_missing";
    const last = events.at(-1);
    if (last === undefined) return null;
    if (last.label === "invalid") {
      const isUnsigned = last.reason === "invalid_signature" && order.signingScheme === "presign";
      return isUnsigned ? "presignature_missing" : "invalid";
    }
    const isHeld = last.label === "filtered" && last.reason === "in_flight";
    if (last.label === "filtered" && !isHeld) return "filtered";
    if (last.label === "cancelled") return null;
    const filledIn = Math.max(
      -1,
      ...(this.#trades.get(order.uid) ?? []).map((trade) => this.#findAuction(trade)?.id ?? -1),
    );
    const auction = this.listAuctions(order.uid)
      .filter(({ id }) => id > filledIn).sort((a, b) => a.id - b.id).at(-1);
    const cause = auction === undefined ? null : this.#judgeAuction(order, auction);
    if (isHeld) return cause === "executing" || cause === "won_not_settled" ? cause : "filtered";
    if (auction !== undefined) return cause;
    if (last.label !== "created" && last.label !== "traded") return "ready_in_no_stored_auction";
    return order.validFrom == null ? "never_in_an_auction" : null;
  }

  #judgeAuction(order: Order, auction: StoredAuction): OrderCause | null {
    const bids = (this.#bids.get(order.uid) ?? []).filter(({ auction_id }) =>
      auction_id === auction.id
    ).map(({ solution_uid }) => this.#solutions.get(`${auction.id}:${solution_uid}`)!);
    const winner = bids.find(({ is_winner }) => is_winner);
    if (winner !== undefined) {
      if (order.status !== "open") return "won_not_settled";
      const attempt = this.#truth.settlement_executions?.find(({ auction_id, solution_uid }) =>
        auction_id === auction.id && solution_uid === winner.uid
      );
      return attempt?.outcome == null ? "executing" : "won_not_settled";
    }
    if (bids.length > 0) {
      return bids.every(({ filtered_out }) => filtered_out) ? "bids_unfair" : "outbid";
    }
    if (order.quote != null) {
      const { sellAmount, buyAmount } = order.quote;
      const fee = storedQuoteFee(order.quote);
      if (fee === null) return "no_bid_limit_beyond_market";
      const isMet = order.kind === "sell"
        ? order.sellAmount * (buyAmount - fee * buyAmount / sellAmount) >=
          sellAmount * order.buyAmount
        : order.sellAmount * buyAmount >= (sellAmount + fee) * order.buyAmount;
      return isMet ? "no_bid_at_a_fair_limit" : "no_bid_limit_beyond_market";
    }
    const price = (token: string) => {
      const value = auction.price_values?.[auction.price_tokens?.indexOf(token) ?? -1];
      return value === undefined ? null : BigInt(value);
    };
    const [sell, buy] = [price(order.sellToken), price(order.buyToken)];
    if (sell === null || buy === null) return "no_bid_at_a_fair_limit";
    return order.buyAmount * buy > order.sellAmount * sell
      ? "no_bid_limit_beyond_market"
      : "no_bid_at_a_fair_limit";
  }

  #findLastTrade(uid: string): StoredTrade | undefined {
    return (this.#trades.get(uid) ?? []).toSorted((a, b) =>
      a.block_number - b.block_number || a.log_index - b.log_index
    ).at(-1);
  }

  /** A settlement is indexed after the trades of its transaction, at a later log of the same block. */
  #findAuction({ block_number, log_index }: StoredTrade): StoredAuction | undefined {
    const settlement = this.#truth.settlements?.filter((row) =>
      row.block_number === block_number && row.log_index > log_index
    ).toSorted((a, b) => a.log_index - b.log_index)[0];
    const id = settlement?.auction_id ?? null;
    return id === null ? undefined : this.#auctions.get(id);
  }

  #isReplaced(uid: string): boolean {
    return (this.#truth.app_data ?? []).some(({ full_app_data }) => {
      const bytes = full_app_data.slice(2).match(/../g) ?? [];
      const text = new TextDecoder().decode(
        Uint8Array.from(bytes, (pair) => Number.parseInt(pair, 16)),
      );
      return text.toLowerCase().includes("replacedorder") && text.toLowerCase().includes(uid);
    });
  }
}
