import { connect, type OrderBook } from "../../../lib/mod.ts";
import { FakeTransport, NOT_FOUND } from "../../endpoints/fake_transport.ts";
import type { SignedOrder } from "./batch.ts";
import type { Protocol } from "./protocol.ts";

/** What a deployment says of an order besides its terms. */
export interface BookedOrder extends Readonly<Record<string, unknown>> {
  /** Its events, oldest first. */
  readonly events: readonly object[];
  /** Its status. */
  readonly status: string;
  /** When it was created. */
  readonly creationDate: string;
}

/** A deployment that answers a path and a body; `undefined` is not found. */
export function bookThat(
  { at, domain }: Protocol,
  answerOf: (place: string, body: unknown) => unknown,
): OrderBook {
  const transport = new FakeTransport(({ path, body: asked }) => {
    const body = answerOf(path.split("?")[0]!, asked);
    return body === undefined ? NOT_FOUND : { contentType: "application/json", body };
  });
  return connect(transport, { chainId: domain.chainId, settlementContract: at.settlement });
}

/** A deployment whose only order has these events. */
export function bookOf(
  protocol: Protocol,
  { from, ...order }: SignedOrder,
  { events, ...more }: BookedOrder,
): OrderBook {
  const { signature, uid } = order;
  const body = {
    ...JSON.parse(JSON.stringify(order, (_, one) => typeof one === "bigint" ? `${one}` : one)),
    owner: from,
    signature,
    invalidated: false,
    executedFeeAmount: "0",
    executedBuyAmount: "0",
    executedSellAmount: "0",
    executedSellAmountBeforeFees: "0",
    ...more,
  };
  const answers: Readonly<Record<string, unknown>> = {
    [`/api/v1/orders/${uid}`]: body,
    [`/api/v1/orders/${uid}/status`]: { type: "open" },
    [`/restricted/api/v1/debug/order/${uid}`]: {
      orderUid: uid,
      order: body,
      events,
      auctions: [],
      trades: [],
    },
  };
  return bookThat(protocol, (place) => place === "/api/v2/trades" ? [] : answers[place]);
}
