import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa, type ReadOrder } from "../wire/read_order_creation.ts";
import { recovered } from "../wire/recovered.ts";
import { refuse } from "../wire/reply.ts";

/** What tells who should have signed an order. */
export interface SignedClaim {
  /** The order as it came in. */
  readonly read: ReadOrder;
  /** What was signed. */
  readonly digest: string;
  /** Who must have signed it by its app data; `null` where that does not say. */
  readonly namedSigner: string | null;
}

/**
 * Who signed an order.
 *
 * @throws {Rejection} 400 with a type, where nobody or somebody else did.
 */
export async function checkSigner(market: Market, claim: SignedClaim): Promise<string> {
  const { read: { terms, from }, digest, namedSigner } = claim;
  const signer = isEcdsa(terms.signingScheme)
    ? await recovered(() => recoverSigner(digest, terms), "invalid signature")
    : undefined;
  if (from !== undefined && namedSigner !== null && from !== namedSigner) {
    throw refuse(
      400,
      "AppdataFromMismatch",
      `from address ${from} cannot be different from metadata.signer ${namedSigner} specified in the app data`,
    );
  }
  const claimed = from ?? namedSigner ?? signer;
  if (claimed === undefined) {
    throw refuse(400, "MissingFrom", "From address must be specified for on-chain signature");
  }
  if (signer !== undefined && signer !== claimed) {
    throw refuse(
      400,
      "WrongOwner",
      `recovered signer ${signer} from signing hash ${digest} does not match from address`,
    );
  }
  const { signingScheme, signature } = terms;
  if (signingScheme === "eip1271") {
    if (await isSignedByContract(market, { owner: claimed, digest, signature })) return claimed;
    throw refuse(
      400,
      "InvalidEip1271Signature",
      `signature for computed order hash ${digest} is not valid`,
    );
  }
  return claimed;
}
