import { connect, type OrderBook } from "../../../lib/mod.ts";
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
  return connect({
    baseUrl: "canned://book",
    deployment: { chainId: domain.chainId, settlementContract: at.settlement },
    send: ({ path, body }) => {
      const answer = answerOf(path.split("?")[0]!, body);
      return Promise.resolve({
        status: answer === undefined ? 404 : 200,
        contentType: "application/json",
        headers: new Headers({ "content-type": "application/json" }),
        body: JSON.stringify(answer ?? { errorType: "NotFound", description: "not found" }),
      });
    },
  });
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
    ...{ owner: from, signature, invalidated: false, executedFeeAmount: "0" },
    ...{ executedBuyAmount: "0", executedSellAmount: "0", executedSellAmountBeforeFees: "0" },
    ...more,
  };
  const answers: Readonly<Record<string, unknown>> = {
    [`/api/v1/orders/${uid}`]: body,
    [`/api/v1/orders/${uid}/status`]: { type: "open" },
    [`/restricted/api/v1/debug/order/${uid}`]: {
      ...{ orderUid: uid, order: body, events, auctions: [], trades: [] },
    },
  };
  return bookThat(protocol, (place) => place === "/api/v2/trades" ? [] : answers[place]);
}
