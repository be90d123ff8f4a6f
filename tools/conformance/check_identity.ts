import { NETWORKS, type Order, parseOrderUid, sameHex } from "orderlens";
import { computeOrderUid, type OrderDomain, orderDomain, recoverOrderSigner } from "orderlens/evm";

/** Whether an order's UID and signature could be derived from its own fields. */
export type IdentityVerdict = "recovered" | "digest only" | "not derivable" | "wrong signer";

/** Former test networks of old recordings. */
const RETIRED_CHAIN_IDS = [4, 5];

const PRODUCTION_SETTLEMENT = NETWORKS.mainnet.contracts.settlement.production;

const CHAIN_IDS: readonly number[] = [
  ...Object.values(NETWORKS).map((network) => network.chainId),
  ...RETIRED_CHAIN_IDS,
];

const domains = new Map<string, OrderDomain>();

function cacheDomain(chainId: number, settlementContract: string): OrderDomain {
  const key = `${chainId} ${settlementContract}`;
  let domain = domains.get(key);
  if (domain === undefined) {
    domains.set(key, domain = orderDomain({ chainId, settlementContract }));
  }
  return domain;
}

/**
 * Derives the UID of an order from its fields, and its signer from an ECDSA signature.
 *
 * A body does not name its chain, so all known chains are tried: only one matches the digest. A JIT
 * order names the public contract wherever it was settled, so the contracts of other orders are tried
 * too.
 */
export async function checkIdentity(
  order: Order,
  contracts: Iterable<string> = [],
): Promise<IdentityVerdict> {
  const contract = order.settlementContract ?? PRODUCTION_SETTLEMENT;
  const { owner } = parseOrderUid(order.uid);
  for (const settlementContract of [contract, ...contracts]) {
    for (const chainId of CHAIN_IDS) {
      const domain = cacheDomain(chainId, settlementContract);
      if (!sameHex(computeOrderUid(domain, order, owner), order.uid)) continue;
      const signer = await recoverOrderSigner(domain, order);
      if (signer === null) return "digest only";
      return sameHex(signer, owner) ? "recovered" : "wrong signer";
    }
  }
  return "not derivable";
}
