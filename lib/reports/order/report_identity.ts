import type { OrderBook } from "../../client/order_book.ts";
import { computeOrderUid, hashAppData, type OrderDomain } from "../../evm/mod.ts";
import { domainOfUid, signerOf } from "../../evm/signing/order_identity.ts";
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

/** The domain of an order's UID; that of the book if there is none. */
export function domainOf({ domain }: OrderBook, uid: string, order: Order): OrderDomain {
  return domainOfUid(domain, uid, order) ?? domain;
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
