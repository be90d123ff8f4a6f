import { hideWholeSecrets } from "../../errors/secrets.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { type Exchange, printExchange } from "../../recordings/exchange.ts";
import { routeOf } from "../../recordings/request_key.ts";
import type { KeptAnswer } from "../state/items.ts";

/** Passes requests on, and has the exchanges that came of them. */
export class Capture implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  #taken = new Map<string, Exchange>();

  /** Wraps a transport. */
  constructor(transport: Transport) {
    this.baseUrl = transport.baseUrl;
    this.#transport = transport;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#transport.send(request);
    const { method, path, body } = request;
    const { status, contentType } = response;
    const key = `${method} ${path} ${body ?? ""}`;
    this.#taken.delete(key);
    this.#taken.set(key, {
      method,
      path: hideWholeSecrets(path),
      ...(body === undefined ? {} : { requestBody: body }),
      status,
      contentType,
      responseBody: hideWholeSecrets(response.body),
    });
    return response;
  }

  /** The exchanges since the last call; of each request the last, in the order of the requests. */
  take(): Exchange[] {
    const taken = [...this.#taken.values()];
    this.#taken = new Map();
    return taken;
  }

  /** The last exchange of one GET, which is then forgotten. */
  takeOf(path: string): Exchange | undefined {
    const key = `GET ${path} `;
    const exchange = this.#taken.get(key);
    this.#taken.delete(key);
    return exchange;
  }
}

/** An exchange as it is kept. */
export function keptAnswer(exchange: Exchange): KeptAnswer {
  const { method, path, status } = exchange;
  return { line: printExchange(exchange), route: `${method} ${routeOf(path)} ${status}` };
}
