import { recoverSigner } from "../../../evm/signing/recover_signer.ts";
import { DEVELOPMENT_ACCOUNTS } from "../state/development_accounts.ts";
import type { SignatureVerifier } from "../state/market.ts";

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
