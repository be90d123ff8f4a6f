import type { OnchainSettlement } from "../../evm/mod.ts";
import {
  compareSettlement,
  type SettlementAudit,
} from "../../metrics/settlements/settlement_audit.ts";
import type { Competition, Instance, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { createReader, type SettlementResponses } from "./node_settlement.ts";
import type { AuditOutcome } from "../../tables/mod.ts";
import type { TableContext } from "./table_context.ts";

/** Records to compare settlements with, of a file or of a dataset. */
interface ReportedRecords {
  /** Auctions; each names its settlements. */
  readonly competitions: Iterable<Competition>;
  readonly orders: Iterable<Order>;
  readonly trades: Iterable<Trade>;
  /** UIDs of orders with a response for their fills, in lower case. */
  readonly answeredFills: ReadonlySet<string>;
  /** Instances of auctions, which state whose orders outside of their lists capture surplus. */
  readonly instances: Iterable<Instance>;
}

export type AuditContext = Pick<TableContext, "source" | "wrappedNativeToken">;

/**
 * Audits settlements from stored responses alone, sorted by hash.
 *
 * Missing records are not compared, and the audit says so: an order that solvers bid on before is
 * with its fills in the file of an earlier auction.
 */
export async function auditSettlements(
  responses: Iterable<SettlementResponses>,
  records: ReportedRecords,
  { source, wrappedNativeToken }: AuditContext,
): Promise<AuditOutcome[]> {
  const settlements = [...responses].sort((a, b) => a.txHash < b.txHash ? -1 : 1);
  if (settlements.length === 0) return [];
  const readSettlement = await createReader(source.settlementContract);
  const index = new RecordIndex(records);
  const chain = {
    chainId: source.chainId,
    settlementContract: source.settlementContract,
    ...wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  };
  return settlements.map(({ txHash, transaction = null, receipt = null }) => {
    const parsed = readSettlement(txHash, [{ result: transaction }, { result: receipt }]);
    const calldataId = parsed.is === "settlement" ? parsed.settlement.auctionId : null;
    const competition = index.findCompetition(txHash, calldataId);
    const subject = { txHash, auctionId: competition?.auctionId ?? null };
    if (parsed.is !== "settlement") return { ...subject, audit: null, why: parsed.why };
    const audit = index.compare(parsed.settlement, { ...chain, competition });
    return { ...subject, auctionId: subject.auctionId ?? audit.auctionId, audit, why: null };
  });
}

class RecordIndex {
  readonly #competitions = new HexMap<Competition>();
  readonly #byId = new Map<number, Competition>();
  readonly #orders = new HexMap<Order>();
  readonly #fills = new HexMap<Trade[]>();
  readonly #areFillsKnown = new HexMap<boolean>();
  /** Owners of orders outside of the lists that capture surplus, by auction id. */
  readonly #capturingOwners: ReadonlyMap<number, readonly string[]>;

  constructor({ competitions, orders, trades, answeredFills, instances }: ReportedRecords) {
    this.#capturingOwners = new Map(
      Array.from(instances).flatMap(({ id, surplusCapturingJitOrderOwners: owners }) =>
        id == null || owners === undefined ? [] : [[id, owners]]
      ),
    );
    for (const competition of competitions) {
      this.#byId.set(competition.auctionId, competition);
      for (const hash of competition.transactionHashes) {
        if (!this.#competitions.has(hash)) this.#competitions.set(hash, competition);
      }
    }
    for (const order of orders) {
      this.#orders.set(order.uid, order);
      // Fills are requested only for orders that executed something.
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

  /** Finds the auction that names a transaction; otherwise the one that its calldata names. */
  findCompetition(txHash: string, calldataId: number | null): Competition | null {
    return this.#competitions.get(txHash) ?? this.#byId.get(calldataId ?? NaN) ?? null;
  }

  compare(
    settlement: OnchainSettlement,
    chain: Omit<NonNullable<Parameters<typeof compareSettlement>[1]>, "trades" | "orders">,
  ): SettlementAudit {
    const uids = settlement.events.flatMap((log) => log.event === "Trade" ? [log.orderUid] : []);
    const withoutFills = uids.filter((uid) => this.#areFillsKnown.get(uid) !== true);
    const withoutOrder = uids.filter((uid) => !this.#orders.has(uid));
    const areSomeFillsKnown = withoutFills.length < uids.length || uids.length === 0;
    const areSomeOrdersKnown = withoutOrder.length < uids.length || uids.length === 0;
    const owners = this.#capturingOwners.get(chain.competition?.auctionId ?? NaN);
    const audit = compareSettlement(settlement, {
      ...chain,
      ...owners !== undefined && { surplusCapturingJitOrderOwners: owners },
      ...areSomeFillsKnown ? { trades: this.#fills.get(settlement.txHash) ?? [] } : {},
      ...areSomeOrdersKnown ? { orders: this.#orders } : {},
    });
    const uncheckedUids = new Set(withoutFills.map((uid) => uid.toLowerCase()));
    return {
      ...audit,
      differences: audit.differences.filter(({ what, uid }) =>
        what !== "fill_not_reported" || !uncheckedUids.has(uid?.toLowerCase() ?? "")
      ),
      unverified: [
        ...audit.unverified,
        ...areSomeFillsKnown ? describeMissing("fills", withoutFills.length, uids.length) : [],
        ...areSomeOrdersKnown ? describeMissing("orders", withoutOrder.length, uids.length) : [],
      ],
    };
  }
}

function describeMissing(noun: "fills" | "orders", missing: number, total: number): string[] {
  return missing === 0 ? [] : [`The ${noun} of ${missing} of ${total} trades are not in the file`];
}
