import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa, type ParsedOrder } from "../wire/read_order_creation.ts";
import { recoverOrReject } from "../wire/recover_or_reject.ts";
import { rejection } from "../wire/reply.ts";

/** A signed order with its claimed signers. */
export interface SignatureClaim {
  /** The order as received. */
  readonly read: ParsedOrder;
  /** The signed digest. */
  readonly digest: string;
  /** Signer that the app data names; `null` if it names none. */
  readonly namedSigner: string | null;
}

/**
 * Determines who signed an order.
 *
 * @throws {Rejection} 400 with a type, if the signature is invalid or another account's.
 */
export async function checkSigner(market: Market, claim: SignatureClaim): Promise<string> {
  const { read: { terms, from }, digest, namedSigner } = claim;
  const signer = isEcdsa(terms.signingScheme)
    ? await recoverOrReject(() => recoverSigner(digest, terms), "invalid signature")
    : undefined;
  if (from !== undefined && namedSigner !== null && from !== namedSigner) {
    throw rejection(
      400,
      "AppdataFromMismatch",
      `from address ${from} cannot be different from metadata.signer ${namedSigner} specified in the app data`,
    );
  }
  const claimed = from ?? namedSigner ?? signer;
  if (claimed === undefined) {
    throw rejection(400, "MissingFrom", "From address must be specified for on-chain signature");
  }
  if (signer !== undefined && signer !== claimed) {
    throw rejection(
      400,
      "WrongOwner",
      `recovered signer ${signer} from signing hash ${digest} does not match from address`,
    );
  }
  const { signingScheme, signature } = terms;
  if (signingScheme === "eip1271") {
    if (await isSignedByContract(market, { owner: claimed, digest, signature })) return claimed;
    throw rejection(
      400,
      "InvalidEip1271Signature",
      `signature for computed order hash ${digest} is not valid`,
    );
  }
  return claimed;
}
