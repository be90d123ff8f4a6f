import { connect } from "orderlens";
import type { Clock, HttpRequest, HttpResponse } from "orderlens/http";
import type { Replay } from "orderlens/recordings";
import { OrderBook } from "../../lib/client/order_book.ts";

/** A book of a recording whose answers are changed on their way, or only listened to. */
export function changedBook(
  recording: Pick<Replay, "baseUrl" | "deployment" | "send">,
  change: (request: HttpRequest, response: HttpResponse) => HttpResponse = (_, same) => same,
  clock?: Clock,
): OrderBook {
  const { baseUrl, deployment } = recording;
  const send = async (request: HttpRequest) => change(request, await recording.send(request));
  return connect({ baseUrl, deployment, send }, clock === undefined ? {} : { clock });
}

/** The same book as one of an environment, which no recording tells. */
export function ofEnvironment(book: OrderBook, environment: "production" | "staging"): OrderBook {
  const { transport, network, chainId, settlementContract, clock } = book;
  return new OrderBook({ transport, network, environment, chainId, settlementContract, clock });
}

/** A book of a recording whose answers are altered on their way: path and parsed body in. */
export function alteredBook(
  recording: Replay,
  // deno-lint-ignore no-explicit-any -- any field of an answer may be altered
  alter: (path: string, body: any) => void,
): OrderBook {
  return changedBook(recording, ({ path }, response) => {
    if (response.status !== 200) return response;
    const body = JSON.parse(response.body);
    alter(path, body);
    return { ...response, body: JSON.stringify(body) };
  });
}
