/** Well-formed values that no sandbox has. */
export const MISSING = {
  uid: `0x${"ab".repeat(56)}`,
  hash: `0x${"cd".repeat(32)}`,
  address: `0x${"ef".repeat(20)}`,
};
/** Address that stands for the native token. */
export const NATIVE_TOKEN = `0x${"ee".repeat(20)}`;
/** An expiry beyond every limit, in unix seconds. */
export const FOR_EVER = 4_000_000_000;
/** A price that nobody pays for a WETH, in atoms of DAI. */
export const TOO_DEAR = 10n ** 24n;
