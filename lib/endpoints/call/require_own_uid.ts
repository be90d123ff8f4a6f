import type { Order } from "../../schemas/mod.ts";
import { requireSame } from "./require_same.ts";
import { uidParts } from "./uid_parts.ts";

/**
 * Rejects an order whose UID has another owner or expiry than the order itself. For EthFlow orders,
 * both have the contract and the expiry that it signs.
 *
 * @param request The request, as formatted by `requestLine`.
 * @throws {MismatchError} If they differ.
 */
export function requireOwnUid(request: string, { uid, owner, validTo }: Order): void {
  const named = uidParts(uid);
  requireSame(request, { field: `owner in order ${uid}`, asked: named.owner, answered: owner });
  requireSame(request, {
    field: `validTo in order ${uid}`,
    asked: named.validTo,
    answered: validTo,
  });
}
