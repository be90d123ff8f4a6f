import { computeOrderUid, hashAppData, orderDomain } from "../../evm/mod.ts";
import { domainOfUid, signerOf } from "../../evm/signing/order_identity.ts";
import { sameHex } from "../../units/mod.ts";
import { auditFees, calculateStatus } from "../../metrics/mod.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import type { Tally } from "./recomputed.ts";

/** After every expiry that an order can have. */
const LATEST = Temporal.Instant.fromEpochMilliseconds(2 ** 33 * 1_000);

/** Recomputes each fee of a fill from its policy. */
export function recomputeFeesOf(trade: Trade, order: Order | undefined, tally: Tally): void {
  const fees = trade.executedProtocolFees;
  if (fees === undefined) return tally.skip("fees", "not_reported");
  if (order === undefined) return tally.skip("fees", "no_order", fees.length);
  const where = `order ${trade.orderUid}, block ${trade.blockNumber}, log ${trade.logIndex}`;
  for (const [place, fee] of auditFees(trade, order).fees.entries()) {
    if (fee.verdict === "exact") tally.agree("fees");
    else if (fee.verdict === "not_computable") tally.skip("fees", fee.reason);
    else {
      tally.differ(
        "fees",
        `${where}, fee ${place + 1} (${fee.kind}) is ${fee.reportedAtoms}, ` +
          `recomputed ${fee.recomputedAtoms}`,
      );
    }
  }
}

/**
 * Derives the status of an order. It depends on the moment of the answer, which answers do not name:
 * a status that one moment gives and another does not is possible, but not recomputed.
 */
export function recomputeStatus(order: Order, tally: Tally): void {
  const possible = new Set<string>([order.creationDate, LATEST].flatMap((now) => {
    const { status, ...undecided } = calculateStatus(order, { now });
    return status ?? ("oneOf" in undecided ? undecided.oneOf : []);
  }));
  if (!possible.has(order.status)) {
    tally.differ(
      "statuses",
      `order ${order.uid} is ${order.status}, recomputed ${[...possible].join(" or ")}`,
    );
  } else if (possible.size === 1) tally.agree("statuses");
  else tally.skip("statuses", "time_unknown");
}

/** Where the orders of a dataset are signed for. */
export interface OrderSource {
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract. */
  readonly settlementContract: string;
}

/**
 * Recomputes what commits to the fields of an order: its UID, the hash of its app data, its signer.
 */
export async function recomputeIdentity(
  order: Order,
  source: OrderSource,
  tally: Tally,
): Promise<void> {
  const { uid, owner, appData, fullAppData, signingScheme, signature } = order;
  const differ = (what: string) => tally.differ("orders", `order ${uid}: ${what}`);
  const deployed = orderDomain(source);
  const domain = domainOfUid(deployed, uid, order);
  if (domain === null) return differ(`its fields have the UID ${computeOrderUid(deployed, order)}`);
  if (fullAppData != null && !sameHex(hashAppData(fullAppData), appData)) {
    return differ(`its app data document has the hash ${hashAppData(fullAppData)}`);
  }
  if (signingScheme !== "eip712" && signingScheme !== "ethsign") {
    return tally.skip("orders", "contract_signature");
  }
  const signer = await signerOf(domain, order);
  if (signer !== null && sameHex(signer, owner)) return tally.agree("orders");
  differ(signer === null ? `${signature} is no signature` : `${signer} signed it, not its owner`);
}
