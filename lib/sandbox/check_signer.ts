import { recoverSigner } from "../evm/recover_signer.ts";
import { InputError } from "../errors/mod.ts";
import type { Market } from "./market.ts";
import type { ReadOrder } from "./read_order_creation.ts";
import { refuse } from "./reply.ts";

/**
 * Who signed an order.
 *
 * @throws {Rejection} 400 with a type, where nobody or somebody else did.
 */
export async function checkSigner(
  market: Market,
  { terms, from }: ReadOrder,
  digest: string,
): Promise<string> {
  const { signature, signingScheme } = terms;
  if (signingScheme === "presign" || signingScheme === "eip1271") {
    if (from === null) {
      throw refuse(400, "MissingFrom", "From address must be specified for on-chain signature");
    }
    if (signingScheme === "eip1271") {
      await checkContract(market, { owner: from, digest, signature });
    }
    return from;
  }
  const signer = await recovered(digest, { signature, signingScheme });
  if (from !== null && from !== signer) {
    throw refuse(
      400,
      "WrongOwner",
      `recovered signer ${signer} from signing hash ${digest} does not match from address`,
    );
  }
  return signer;
}

async function recovered(
  digest: string,
  signed: { signature: string; signingScheme: string },
): Promise<string> {
  try {
    return await recoverSigner(digest, signed);
  } catch (error) {
    if (error instanceof InputError) throw refuse(400, "InvalidSignature", "invalid signature");
    throw error;
  }
}

async function checkContract(
  market: Market,
  { owner, digest, signature }: { owner: string; digest: string; signature: string },
): Promise<void> {
  const verifier = market.verifiers.get(owner);
  if (verifier !== undefined && await verifier(digest, signature)) return;
  throw refuse(
    400,
    "InvalidEip1271Signature",
    `signature for computed order hash ${digest} is not valid`,
  );
}
