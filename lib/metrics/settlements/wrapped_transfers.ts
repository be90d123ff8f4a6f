import type { TokenTransfer } from "../../evm/mod.ts";
import { NETWORKS } from "../../networks/networks.ts";

/** The account of transfers that create or destroy atoms. */
export const NOBODY = `0x${"0".repeat(40)}`;

/** The wrapped native token of a network; those of the public networks if it is unknown. */
export function wrappedTokens(
  { wrappedNativeToken }: { readonly wrappedNativeToken?: string | undefined },
): readonly string[] {
  return wrappedNativeToken === undefined
    ? Object.values(NETWORKS).map((one) => one.wrappedNativeToken.address)
    : [wrappedNativeToken];
}

/** Whether a `Transfer` is of the same atoms as another log: some wrapped tokens emit both. */
export function isSameFlow(one: TokenTransfer, other: TokenTransfer): boolean {
  return one.event === "Transfer" && one.token === other.token && one.atoms === other.atoms &&
    one.from === other.from && one.to === other.to;
}
