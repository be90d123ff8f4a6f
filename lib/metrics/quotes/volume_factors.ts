import type { FeePolicy } from "../../schemas/mod.ts";

/**
 * The factors of the volume fees among the fees of a fill, protocol and partner alike, in the order
 * they were applied.
 *
 * @param fees Fees of a trade.
 * @returns `[]` if no fee is a volume fee; `undefined` if the fees are unknown, or one of them has
 * no policy or a policy of an unknown kind, which may be a volume fee.
 */
export function volumeFactorsOf(
  fees: readonly { readonly policy?: FeePolicy | null | undefined }[] | undefined,
): readonly number[] | undefined {
  if (fees === undefined) return undefined;
  const factors: number[] = [];
  for (const { policy } of fees) {
    if (policy?.volume !== undefined) factors.push(policy.volume.factor);
    else if (policy?.surplus === undefined && policy?.priceImprovement === undefined) {
      return undefined;
    }
  }
  return factors;
}
