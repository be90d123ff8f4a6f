/** Text that is known to be `0x` and hex digits, under the type that viem has for it. */
export function hexText(text: string): `0x${string}` {
  return text as `0x${string}`;
}
