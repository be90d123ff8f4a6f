import { orderDigest } from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { mulDivDown } from "../../units/mod.ts";
import type { BookOrder, OrderInteractions, SignedOrder } from "../market/state/book_order.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa } from "../wire/read_order_creation.ts";

/** An order that is tried alone, settled at its own limit. */
export interface Trial {
  /** What is signed. */
  readonly signed: SignedOrder;
  /** Who is to have signed it, in lower case. */
  readonly owner: string;
  /** Contract calls around the trade. */
  readonly interactions: OrderInteractions;
  /** What is executed, in atoms of the fixed token. */
  readonly executedAmount: bigint;
  /** The order in the book, where it is there. */
  readonly known: BookOrder | undefined;
  /** Block that it is tried at. */
  readonly blockNumber: number;
}

/** Why the settlement contract would not settle the order; `null` where it would. */
export async function revertReason(market: Market, trial: Trial): Promise<string | null> {
  const { signed, known, executedAmount } = trial;
  const signer = await signerOf(market, trial);
  if (typeof signer !== "string") return signer.reason;
  if (signed.validTo < market.time.seconds) return "GPv2: order expired";
  if (executedAmount <= 0n || (!signed.partiallyFillable && known?.fills.length)) {
    return "GPv2: order filled";
  }
  const sold = signed.kind === "sell"
    ? executedAmount
    : mulDivDown(executedAmount, signed.sellAmount, signed.buyAmount);
  return market.ledger.balanceOf(signer, signed.sellToken) < sold
    ? "ERC20: transfer amount exceeds balance"
    : null;
}

/** Whose order it is by its signature, or why there is nobody. */
async function signerOf(
  market: Market,
  { signed, owner, known }: Trial,
): Promise<string | { reason: string }> {
  const digest = orderDigest(market.domain, signed);
  if (signed.signingScheme === "presign") {
    return known?.isPreSigned === true ? owner : { reason: "GPv2: order not presigned" };
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
