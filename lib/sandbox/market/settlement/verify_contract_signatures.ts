import { parseOrderUid } from "../../../evm/mod.ts";
import { isSignedByContract } from "./is_signed_by_contract.ts";
import type { Market } from "../state/market.ts";
import { WALLET_CONTRACT } from "../traders/wallet_contract.ts";

/**
 * Verifies the contract signatures of open orders again, as the service does before each auction. The
 * market's own wallet contract is skipped: its answer never changes.
 */
export async function verifyContractSignatures(market: Market): Promise<void> {
  for (const order of market.book.open) {
    const { owner, uid, signed: { signature, signingScheme } } = order;
    if (signingScheme !== "eip1271" || owner === WALLET_CONTRACT) continue;
    const { digest } = parseOrderUid(uid);
    order.isSignatureRevoked = !await isSignedByContract(market, { owner, digest, signature });
  }
}
