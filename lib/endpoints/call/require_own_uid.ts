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
  requireOwnOwner(request, uid, owner);
  requireSame(request, {
    field: `validTo in order ${uid}`,
    asked: uidParts(uid).validTo,
    answered: validTo,
  });
}

/**
 * Refuses a record of an order whose UID names another owner than the record.
 *
 * @param request The request, as `requestLine` writes it.
 * @throws {MismatchError} If they differ.
 */
export function requireOwnOwner(request: string, uid: string, owner: string): void {
  requireSame(request, {
    field: `owner in order ${uid}`,
    asked: uidParts(uid).owner,
    answered: owner,
  });
}
