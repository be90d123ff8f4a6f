/** How many orders the account of the benchmarks has. */
export const ACCOUNT_ORDERS = 10_000;

/** The latest auction of the benchmarks. */
export const AUCTIONS = 10_000;

/** The account of the benchmarks. */
export const ACCOUNT: string = `0x${"12".repeat(20)}`;

/** UID of the order of number `index`. */
export function uidOf(index: number): string {
  return `0x${index.toString(16).padStart(112, "0")}`;
}
