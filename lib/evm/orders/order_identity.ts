import { InputError } from "../../errors/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { computeOrderUid } from "./order_digest.ts";
import { type OrderDomain, orderDomain } from "./order_uid.ts";
import { recoverOrderSigner } from "./sign_order.ts";

/**
 * The domain in which the fields of an order have its UID: that of the deployment, or that of the
 * contract which the order names. Staging has used two contracts, and solvers' orders name one that
 * need not be the deployment's.
 *
 * @returns `null` if they have another UID in both.
 */
export function domainOfUid(domain: OrderDomain, uid: string, order: Order): OrderDomain | null {
  const { chainId } = domain;
  const own = order.settlementContract;
  const domains = [
    domain,
    ...own === undefined ? [] : [orderDomain({ chainId, settlementContract: own })],
  ];
  return domains.find((one) => sameHex(computeOrderUid(one, order), uid)) ?? null;
}

/** The signer; `null` if only the chain can tell, or the signature is no signature. */
export async function signerOf(domain: OrderDomain, order: Order): Promise<string | null> {
  try {
    return await recoverOrderSigner(domain, order);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
