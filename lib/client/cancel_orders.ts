import { UnconfirmedCancellationError } from "../errors/mod.ts";
import type { Transport } from "../http/mod.ts";
import type { OrderCancellations } from "../schemas/mod.ts";
import { type CallOptions, deleteOrders, getOrdersByUids } from "../endpoints/mod.ts";
import { HexMap } from "../units/mod.ts";
import { isOutcomeUnknown } from "./is_outcome_unknown.ts";

/**
 * Cancels orders off-chain. Without a usable answer, looks up which of them are cancelled; the
 * cancellation is never sent twice.
 *
 * @param transport Transport that sends the request.
 * @param cancellations At most 128 UIDs with their owner's signature over exactly this list.
 * @throws {UnconfirmedCancellationError} If the answer was lost, reports an internal error, or
 *   cannot be read; holds the status of each order.
 * @throws {InputError} If there are more than 128 UIDs, or one is malformed; nothing is sent.
 * @throws {ServiceError} If the service rejects it.
 */
export async function cancelOrders(
  transport: Transport,
  cancellations: OrderCancellations,
  options: CallOptions = {},
): Promise<void> {
  try {
    await deleteOrders(transport, cancellations, options);
  } catch (cause) {
    if (options.signal?.aborted || !isOutcomeUnknown(cause)) throw cause;
    const found = await lookUp(transport, cancellations.orderUids, options);
    throw new UnconfirmedCancellationError({ cause, ...found });
  }
}

async function lookUp(
  transport: Transport,
  uids: readonly string[],
  options: CallOptions,
): Promise<{ statuses: Map<string, string | null>; lookUpError?: unknown }> {
  const statuses = new Map<string, string | null>(uids.map((uid) => [uid, null]));
  try {
    const { orders, missing } = await getOrdersByUids(transport, uids, options);
    const found = new HexMap<string>(missing.map((uid) => [uid, "missing"]));
    for (const { uid, status } of orders) found.set(uid, status);
    for (const uid of uids) statuses.set(uid, found.get(uid) ?? null);
    return { statuses };
  } catch (lookUpError) {
    options.signal?.throwIfAborted();
    return { statuses, lookUpError };
  }
}
