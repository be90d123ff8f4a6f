/** The largest amount that the chain's words of 256 bits hold, in atoms. */
export const LARGEST_AMOUNT = 2n ** 256n - 1n;
