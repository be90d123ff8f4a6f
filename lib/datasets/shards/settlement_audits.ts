import type { OnchainSettlement } from "../../evm/mod.ts";
import {
  compareSettlement,
  type SettlementAudit,
} from "../../metrics/settlements/settlement_audit.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { createSettlementReader, type SettlementResponses } from "./node_settlement.ts";
import type { AuditOutcome } from "../../tables/mod.ts";
import type { TableContext } from "./table_context.ts";

/** What settlements are compared with: the records of a file, or of a dataset. */
interface ReportedRecords {
  /** Auctions; each names its settlements. */
  readonly competitions: Iterable<Competition>;
  /** Orders. */
  readonly orders: Iterable<Order>;
  /** Fills. */
  readonly trades: Iterable<Trade>;
  /** UIDs of the orders whose fills were answered, in lower case. */
  readonly answeredFills: ReadonlySet<string>;
}

/** Where settlements are, besides their records. */
export type AuditContext = Pick<TableContext, "source" | "wrappedNativeToken">;

/**
 * Audits settlements from kept answers alone, sorted by hash.
 *
 * What the records lack is not compared, and the audit says so: an order that solvers bid on before
 * stands with its fills in the file of an earlier auction.
 */
export async function auditSettlements(
  kept: Iterable<SettlementResponses>,
  records: ReportedRecords,
  { source, wrappedNativeToken }: AuditContext,
): Promise<AuditOutcome[]> {
  const settlements = [...kept].sort((a, b) => a.txHash < b.txHash ? -1 : 1);
  if (settlements.length === 0) return [];
  const read = await createSettlementReader(source.settlementContract);
  const reported = new RecordIndex(records);
  const chain = {
    chainId: source.chainId,
    settlementContract: source.settlementContract,
    ...wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  };
  return settlements.map(({ txHash, transaction = null, receipt = null }) => {
    const found = read(txHash, [{ result: transaction }, { result: receipt }]);
    const named = found.is === "settlement" ? found.settlement.auctionId : null;
    const competition = reported.findCompetition(txHash, named);
    const about = { txHash, auctionId: competition?.auctionId ?? null };
    if (found.is !== "settlement") return { ...about, audit: null, why: found.why };
    const audit = reported.compare(found.settlement, { ...chain, competition });
    return { ...about, auctionId: about.auctionId ?? audit.auctionId, audit, why: null };
  });
}

/** The records, to look them up by settlement. */
class RecordIndex {
  readonly #competitions = new HexMap<Competition>();
  readonly #byId = new Map<number, Competition>();
  readonly #orders = new HexMap<Order>();
  readonly #fills = new HexMap<Trade[]>();
  /** Whether all fills of an order are known. */
  readonly #areFillsKnown = new HexMap<boolean>();

  constructor({ competitions, orders, trades, answeredFills }: ReportedRecords) {
    for (const competition of competitions) {
      this.#byId.set(competition.auctionId, competition);
      for (const hash of competition.transactionHashes) {
        if (!this.#competitions.has(hash)) this.#competitions.set(hash, competition);
      }
    }
    for (const order of orders) {
      this.#orders.set(order.uid, order);
      // Fills are asked for only where an order says that there are some.
      const { executedSellAmount, executedBuyAmount } = order;
      if (executedSellAmount === 0n && executedBuyAmount === 0n) {
        this.#areFillsKnown.set(order.uid, true);
      }
    }
    for (const uid of answeredFills) this.#areFillsKnown.set(uid, true);
    for (const trade of trades) {
      const { txHash, orderUid } = trade;
      if (txHash === null) {
        this.#areFillsKnown.set(orderUid, false);
        continue;
      }
      const fills = this.#fills.get(txHash) ?? [];
      this.#fills.set(txHash, fills);
      fills.push(trade);
    }
  }

  /** The auction that names a transaction; otherwise the one that its calldata names. */
  findCompetition(txHash: string, named: number | null): Competition | null {
    return this.#competitions.get(txHash) ?? this.#byId.get(named ?? NaN) ?? null;
  }

  compare(
    settlement: OnchainSettlement,
    known: Omit<Parameters<typeof compareSettlement>[1], "trades" | "orders">,
  ): SettlementAudit {
    const uids = settlement.events.flatMap((one) => one.event === "Trade" ? [one.orderUid] : []);
    const withoutFills = uids.filter((uid) => this.#areFillsKnown.get(uid) !== true);
    const withoutOrder = uids.filter((uid) => !this.#orders.has(uid));
    const hasFills = withoutFills.length < uids.length || uids.length === 0;
    const hasOrders = withoutOrder.length < uids.length || uids.length === 0;
    const audit = compareSettlement(settlement, {
      ...known,
      ...hasFills ? { trades: this.#fills.get(settlement.txHash) ?? [] } : {},
      ...hasOrders ? { orders: this.#orders } : {},
    });
    const unknown = new Set(withoutFills.map((uid) => uid.toLowerCase()));
    return {
      ...audit,
      differences: audit.differences.filter(({ what, uid }) =>
        what !== "fill_not_reported" || !unknown.has(uid?.toLowerCase() ?? "")
      ),
      unverified: [
        ...audit.unverified,
        ...hasFills ? describeMissing("fills", withoutFills.length, uids.length) : [],
        ...hasOrders ? describeMissing("orders", withoutOrder.length, uids.length) : [],
      ],
    };
  }
}

function describeMissing(what: "fills" | "orders", missing: number, all: number): string[] {
  return missing === 0 ? [] : [`The ${what} of ${missing} of ${all} trades are not in the file`];
}
