import { orderDigest } from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { mulDivDown } from "../../units/mod.ts";
import type { BookOrder, OrderInteractions, SignedOrder } from "../market/state/book_order.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa } from "../wire/read_order_creation.ts";

/** An order to simulate alone, settled at its limit price. */
export interface SimulatedOrder {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Claimed signer, in lower case. */
  readonly owner: string;
  /** Contract calls around the trade. */
  readonly interactions: OrderInteractions;
  /** Executed amount, in atoms of the fixed token. */
  readonly executedAmount: bigint;
  /** The order in the book; `undefined` if it is not there. */
  readonly bookOrder: BookOrder | undefined;
  /** Block of the simulation. */
  readonly blockNumber: number;
}

/** Why the settlement contract would revert; `null` if it would settle the order. */
export async function revertReason(
  market: Market,
  simulated: SimulatedOrder,
): Promise<string | null> {
  const { signed, bookOrder, executedAmount } = simulated;
  const signer = await signerOf(market, simulated);
  if (typeof signer !== "string") return signer.reason;
  if (signed.validTo < market.time.seconds) return "GPv2: order expired";
  if (executedAmount <= 0n || (!signed.partiallyFillable && bookOrder?.fills.length)) {
    return "GPv2: order filled";
  }
  const sold = signed.kind === "sell"
    ? executedAmount
    : mulDivDown(executedAmount, signed.sellAmount, signed.buyAmount);
  return market.ledger.balanceOf(signer, signed.sellToken) < sold
    ? "ERC20: transfer amount exceeds balance"
    : null;
}

/** The signer according to the signature, or why there is none. */
async function signerOf(
  market: Market,
  { signed, owner, bookOrder }: SimulatedOrder,
): Promise<string | { reason: string }> {
  const digest = orderDigest(market.domain, signed);
  if (signed.signingScheme === "presign") {
    return bookOrder?.isPreSigned === true ? owner : { reason: "GPv2: order not presigned" };
  }
  if (!isEcdsa(signed.signingScheme)) {
    const claim = { owner, digest, signature: signed.signature };
    return await isSignedByContract(market, claim)
      ? owner
      : { reason: "GPv2: invalid eip1271 signature" };
  }
  try {
    return await recoverSigner(digest, signed);
  } catch {
    return { reason: "GPv2: invalid ecdsa signature" };
  }
}
