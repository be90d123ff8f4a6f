import recorded from "../testdata/evm/orders.json" with { type: "json" };
import services from "../testdata/evm/services_vectors.json" with { type: "json" };

interface WireAmounts {
  sellAmount: string;
  buyAmount: string;
  feeAmount: string;
}

/** The order with its amounts as numbers, as decoders give them. */
export function withAmounts<T extends WireAmounts>(order: T) {
  return {
    ...order,
    sellAmount: BigInt(order.sellAmount),
    buyAmount: BigInt(order.buyAmount),
    feeAmount: BigInt(order.feeAmount),
  };
}

/** Orders of the local recordings, one of each way to sign. */
export const RECORDED_ORDERS = recorded.map(({ what, chainId, order }) => ({
  what,
  chainId,
  order: withAmounts(order),
}));

/** The order that the service's own tests hash and sign. */
export const SERVICES_ORDER = withAmounts(services.order);
