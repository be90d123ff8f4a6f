import { InputError, NotFoundError, UnconfirmedOrderError } from "../errors/mod.ts";
import type { Transport } from "../http/mod.ts";
import type { OrderCreation } from "../schemas/mod.ts";
import { type CallOptions, getOrder, postOrder } from "../endpoints/mod.ts";
import { hashAppData } from "../evm/app_data/hash_app_data.ts";
import { computeOrderUid } from "../evm/orders/compute_order_uid.ts";
import type { OrderDomain } from "../evm/orders/order_domain.ts";
import { recoverOrderSigner } from "../evm/signing/recover_order_signer.ts";
import { isOutcomeUnknown } from "./is_outcome_unknown.ts";

/**
 * Places a signed order. Without a usable answer, looks up whether it exists; it is never sent
 * twice.
 *
 * @param transport Transport that sends the request.
 * @param domain Domain in which the order is signed, which determines its UID.
 * @param order The signed order.
 * @returns The order's UID, computed from its own fields.
 * @throws {UnconfirmedOrderError} If the answer was lost, reports an internal error, cannot be
 *   read, or names another UID; says whether the order exists.
 * @throws {InputError} If the order cannot be written; nothing is sent.
 * @throws {ServiceError} If the service rejects it.
 */
export async function createOrder(
  { transport, domain }: { transport: Transport; domain: OrderDomain },
  order: OrderCreation,
  options: CallOptions = {},
): Promise<string> {
  const uid = await uidOf(domain, order);
  try {
    const returned = await postOrder(transport, order, { ...options, uid });
    return uid ?? returned;
  } catch (cause) {
    if (options.signal?.aborted || !isOutcomeUnknown(cause) || uid === undefined) throw cause;
    const found = await lookUp(transport, uid, options);
    throw new UnconfirmedOrderError({ uid, cause, ...found });
  }
}

/** The UID that the service assigns to the order, or `undefined` if it cannot have accepted it. */
async function uidOf(domain: OrderDomain, order: OrderCreation): Promise<string | undefined> {
  const { appData, appDataHash } = order;
  try {
    const isHash = /^0x[0-9a-fA-F]{64}$/.test(appData);
    const signed = {
      ...order,
      appData: appDataHash ?? (isHash ? appData : hashAppData(appData)),
    };
    const owner = order.from ?? await recoverOrderSigner(domain, signed);
    return owner === null ? undefined : computeOrderUid(domain, signed, owner);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

async function lookUp(
  transport: Transport,
  uid: string,
  options: CallOptions,
): Promise<{ exists: boolean | null; status?: string; lookUpError?: unknown }> {
  try {
    const { status } = await getOrder(transport, uid, options);
    return { exists: true, status };
  } catch (lookUpError) {
    options.signal?.throwIfAborted();
    return lookUpError instanceof NotFoundError ? { exists: false } : { exists: null, lookUpError };
  }
}
