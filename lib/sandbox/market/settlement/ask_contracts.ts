import { parseOrderUid } from "../../../evm/mod.ts";
import { isSignedByContract } from "./is_signed_by_contract.ts";
import type { Market } from "../state/market.ts";
import { WALLET_CONTRACT } from "../traders/wallet_contract.ts";

/**
 * Asks the contracts that signed open orders whether the signatures are still theirs, as the service
 * does before each auction. The market's own contract is not asked: it never changes its mind.
 */
export async function askContracts(market: Market): Promise<void> {
  for (const order of market.book.open) {
    const { owner, uid, signed: { signature, signingScheme } } = order;
    if (signingScheme !== "eip1271" || owner === WALLET_CONTRACT) continue;
    const { digest } = parseOrderUid(uid);
    order.isDisowned = !await isSignedByContract(market, { owner, digest, signature });
  }
}
