import type { SandboxDescription } from "../../lib/sandbox/mod.ts";

/** What of an order decides whether it can be reached. */
export interface UnreachableOrder {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly validTo: number;
}

const A_MONTH_SEC = 30 * 24 * 3_600;

/** An order for twice what there is to be had, WETH for USDC and back in turn; each is another one. */
export function unreachableOrder(
  { tokens: [weth, usdc], now }: Pick<SandboxDescription, "tokens" | "now">,
  at: number,
): UnreachableOrder {
  const validTo = now + A_MONTH_SEC + at;
  return at % 2 === 0
    ? {
      sellToken: weth!.address,
      buyToken: usdc!.address,
      sellAmount: 10n ** 18n,
      buyAmount: 5_000n * 10n ** 6n,
      validTo,
    }
    : {
      sellToken: usdc!.address,
      buyToken: weth!.address,
      sellAmount: 2_500n * 10n ** 6n,
      buyAmount: 2n * 10n ** 18n,
      validTo,
    };
}
