import { recoverSigner } from "../../evm/orders/request_signature.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";
import type { BookOrder } from "./book_order.ts";
import { DEVELOPMENT_ACCOUNTS } from "./development_accounts.ts";
import type { Market, SignatureVerifier } from "./market.ts";

/** Cancels an order. Auctions exclude it from now on; a pending settlement may still fill it. */
export function cancelOrder(market: Market, order: BookOrder): void {
  if (order.isCancelled) return;
  order.isCancelled = true;
  order.addEvent("cancelled", market.time.stamp());
  market.book.end(order, market.block);
  market.notify(order.owner, "order_cancelled", {
    message: "Your order was cancelled",
    metadata: { orderUid: order.uid },
  });
}

/** A contract that trades in the market: it accepts signatures of its single owner. */
export const WALLET_CONTRACT = "0x1271000000000000000000000000000000000001";

/** The owner of the wallet contract. */
export const WALLET_OWNER = DEVELOPMENT_ACCOUNTS[8]!;

/** Whether the wallet contract accepts a signature. */
export const walletVerifier: SignatureVerifier = async (digest, signature) => {
  try {
    const signer = await recoverSigner(digest, { signature, signingScheme: "eip712" });
    return signer === WALLET_OWNER.address;
  } catch {
    return false;
  }
};

/** A signature as the settlement contract takes it: on the chain its owner comes first. */
export function settledSignature({ signingScheme, signature }: SignedOrder, owner: string): string {
  if (signingScheme === "presign") return owner;
  return signingScheme === "eip1271" ? `${owner}${signature.slice(2)}` : signature;
}

/** Whether a contract accepts a signature; `false` if its verifier throws. */
export async function isSignedByContract(
  market: Market,
  { owner, digest, signature }: { owner: string; digest: string; signature: string },
): Promise<boolean> {
  try {
    return await market.verifiers.get(owner)?.(digest, signature) ?? false;
  } catch {
    return false;
  }
}
