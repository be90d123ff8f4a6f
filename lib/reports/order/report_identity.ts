import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import {
  computeOrderUid,
  hashAppData,
  type OrderDomain,
  orderDomain,
  recoverOrderSigner,
} from "../../evm/mod.ts";
import { orderAppData } from "../../metrics/orders/order_app_data.ts";
import type { Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { ReportedAppData, ReportedIdentity } from "./order_report.ts";

/** Recomputes the UID of an order and the account that signed it. */
export async function reportIdentity(
  book: OrderBook,
  uid: string,
  order: Order,
): Promise<ReportedIdentity> {
  const domain = domainOf(book, uid, order);
  const computedUid = computeOrderUid(domain, order);
  const signer = await signerOf(domain, order);
  return {
    computedUid,
    isUidRight: sameHex(computedUid, uid),
    settlementContract: domain.verifyingContract,
    signingScheme: order.signingScheme,
    signer,
    isSignerOwner: signer === null ? null : sameHex(signer, order.owner),
    onchainUser: order.onchainUser ?? order.onchainOrderData?.sender ?? null,
  };
}

/**
 * The domain that gives the UID asked for: that of the book, or that of the contract which the order
 * names. Staging has used two contracts, and solvers' orders name one that need not be the book's.
 */
export function domainOf({ domain, chainId }: OrderBook, uid: string, order: Order): OrderDomain {
  const { settlementContract } = order;
  if (settlementContract === undefined || sameHex(computeOrderUid(domain, order), uid)) {
    return domain;
  }
  const own = orderDomain({ chainId, settlementContract });
  return sameHex(computeOrderUid(own, order), uid) ? own : domain;
}

/** The signer; `null` if only the chain can tell, or the signature is no signature. */
async function signerOf(domain: OrderDomain, order: Order): Promise<string | null> {
  try {
    return await recoverOrderSigner(domain, order);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** The app data of an order: its document, whether it has its hash, and the hooks in it. */
export function reportAppData(order: Order): ReportedAppData {
  const document = order.fullAppData ?? null;
  const decoded = orderAppData(order);
  const hooks = decoded?.metadata?.hooks;
  const moments = ["pre", "post"] as const;
  return {
    hash: order.appData,
    document,
    isHashRight: document === null ? null : sameHex(hashAppData(document), order.appData),
    appCode: decoded?.appCode ?? null,
    hooks: moments.flatMap((moment) =>
      (hooks?.[moment] ?? []).map(({ target, gasLimit, callData }) => ({
        moment,
        target,
        gasLimit: String(gasLimit),
        callData,
      }))
    ),
  };
}
