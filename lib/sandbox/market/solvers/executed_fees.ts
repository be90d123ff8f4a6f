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

/** Fees of an execution; `null` if they cannot be computed or are not covered. */
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
  const network = networkFee(fill, signed, {
    protocolFees,
    settlement: {
      tokens: [signed.sellToken, signed.buyToken],
      clearingPrices: [price.sell, price.buy],
    },
  });
  return isCovered(network) ? { protocolFees, executedFee: network.executedFee } : null;
}

function isCovered(fee: ReturnType<typeof networkFee>): fee is NetworkFee {
  return !isNotComputable(fee) && fee.networkAtoms.low >= 0n;
}
