/** Text that is known to be `0x` and hex digits, typed as in viem. */
export function hexText(text: string): `0x${string}` {
  return text as `0x${string}`;
}
