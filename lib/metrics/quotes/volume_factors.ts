import type { FeePolicy } from "../../schemas/mod.ts";

/**
 * The factors of the volume fees among the fees of a fill, protocol and partner alike, in the order
 * they were applied.
 *
 * @param fees Fees as trades name them.
 * @returns `[]` where no fee is on the volume; `undefined` where the fees are not known, or one of
 * them has no policy or one of an unknown kind, which may be on the volume.
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
