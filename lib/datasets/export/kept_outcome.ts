import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { NotFoundError } from "../../errors/mod.ts";
import type { RpcAnswer, RpcNode } from "../../evm/node/json_rpc.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import type { Exchange } from "../../recordings/exchange.ts";
import type { ItemAnswers } from "../state/item_answers.ts";
import type { FiledKind, Item, Outcome } from "../state/items.ts";
import { visibleEnding } from "./ask_competitions.ts";
import { outcomesOf } from "./ask_shard.ts";
import { ABSENT, askEach, type Asking, type Ending } from "./asking.ts";

/** How asking ends where only what was kept answers; `undefined` if that is not enough. */
export async function keptOutcome(
  asking: Asking,
  item: Item,
  { answers }: ItemAnswers,
): Promise<Outcome | undefined> {
  const kept = new KeptAnswers(answers);
  const own: Asking = { ...asking, transport: kept, node: kept, failures: { inRow: 0 } };
  const competitions = { ask: (items: readonly Item[]) => askEach(own, items, askCompetition) };
  try {
    const kind = item.kind as FiledKind;
    for await (const outcome of outcomesOf(kind, [item], { asking: own, competitions })) {
      if (outcome.answers.length > 0) return outcome;
    }
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
  }
  return undefined;

  async function askCompetition({ key }: Item, transport: Transport): Promise<Ending> {
    try {
      return visibleEnding(await getCompetition(transport, Number(key)), item, own);
    } catch (error) {
      if (error instanceof NotFoundError) return ABSENT;
      throw error;
    }
  }
}

/** The answers for one thing, in place of the service and of a node. */
class KeptAnswers implements Transport {
  readonly baseUrl = "kept://answers";
  readonly #answers: ReadonlyMap<string, Exchange>;

  constructor(answers: readonly Exchange[]) {
    this.#answers = new Map(
      answers.map((one) => [`${one.method} ${one.path} ${one.requestBody ?? ""}`, one]),
    );
  }

  send({ method, path, body }: HttpRequest): Promise<HttpResponse> {
    const found = this.#answers.get(`${method} ${path} ${body ?? ""}`);
    if (found === undefined) return Promise.reject(new NotKept());
    const { status, contentType, responseBody } = found;
    const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
    return Promise.resolve({ status, contentType, headers, body: responseBody });
  }

  readonly rpc: RpcNode = (calls) =>
    Promise.resolve(calls.map((call): RpcAnswer => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...call });
      const found = this.#answers.get(`POST /rpc ${body}`);
      return found === undefined
        ? { error: { code: -32_000, message: "not kept" } }
        : JSON.parse(found.responseBody);
    }));
}

/** An answer that follows from no kept one. */
class NotKept extends Error {}
