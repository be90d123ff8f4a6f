/** The largest amount that fits into the 256-bit words of the EVM, in atoms. */
export const LARGEST_AMOUNT = 2n ** 256n - 1n;
