import {
  type Fill,
  isNotComputable,
  type NetworkFee,
  networkFee,
  recomputeFees,
  surplusToken,
} from "../../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../../schemas/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import type { ExecutedFees, UniformPair } from "../state/solution.ts";

/** Fees of an execution; `null` where they cannot be computed or what it pays does not cover them. */
export function executedFees(
  { signed, origin }: BookOrder,
  fill: Fill,
  price: UniformPair,
): ExecutedFees | null {
  const { policies, quote } = origin;
  const token = surplusToken(signed);
  const protocolFees: ExecutedProtocolFee[] = [];
  for (const [at, fee] of recomputeFees(fill, signed, { policies, quote }).entries()) {
    if (isNotComputable(fee)) return null;
    protocolFees.push({ policy: policies[at]!, amount: fee.atoms, token });
  }
  const all = networkFee(fill, signed, {
    protocolFees,
    settlement: {
      tokens: [signed.sellToken, signed.buyToken],
      clearingPrices: [price.sell, price.buy],
    },
  });
  return isCharged(all) ? { protocolFees, executedFee: all.executedFee } : null;
}

function isCharged(all: ReturnType<typeof networkFee>): all is NetworkFee {
  return !isNotComputable(all) && all.networkAtoms.low >= 0n;
}
