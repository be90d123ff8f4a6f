import type { SignedOrder } from "../wire/read_bodies.ts";
import type { Market } from "./market.ts";

/** A signature as the settlement contract takes it: on the chain its owner comes first. */
export function settledSignature(
  { signingScheme, signature }: SignedOrder,
  owner: string,
): string {
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
