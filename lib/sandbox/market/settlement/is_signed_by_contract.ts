import type { Market } from "../state/market.ts";

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
