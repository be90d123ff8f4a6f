import type { SignedOrder } from "../state/book_order.ts";

/** A signature as the settlement contract takes it: on the chain its owner comes first. */
export function settledSignature(
  { signingScheme, signature }: SignedOrder,
  owner: string,
): string {
  if (signingScheme === "presign") return owner;
  return signingScheme === "eip1271" ? `${owner}${signature.slice(2)}` : signature;
}
