import { mapInOrder } from "../../endpoints/call/map_in_order.ts";
import { uidParts } from "../../endpoints/call/uid_parts.ts";
import { getTrades } from "../../endpoints/orders/get_trades.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { splitJsonArray } from "../../recordings/split_json_array.ts";
import type { Item } from "../state/items.ts";
import { type Asking, failureOf } from "./asking.ts";
import { Capture } from "./capture.ts";

/** Pages of an account's trades that are asked for; the service reads all rows before a page anew. */
const MOST_PAGES = 20;
/** Orders of an account from which its pages are asked for: fewer are asked for one by one. */
const LEAST_ORDERS = 8;
const ROWS_A_PAGE = 1_000;
/** Signed expiry of every EthFlow order: their UIDs name the contract, and not the account. */
const ETH_FLOW_VALID_TO = 0xffff_ffff;

/** What to read of an account's trades. */
interface OwnerQuestion {
  /** The account. */
  readonly owner: string;
  /** Pages after which it is given up. */
  readonly mostPages: number;
  /** Rows of a page. @default {1000} */
  readonly rowsAPage?: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * A transport that answers for the trades of some orders from the pages of their accounts, where an
 * account has so many of the orders that its pages are at most half as many requests. Each answer is
 * what the service sends for the order alone, character for character.
 *
 * Orders without a trade in the pages are asked for one by one, as are those of accounts with more
 * pages than that, and of EthFlow.
 */
export async function withOwnerTrades(
  asking: Asking,
  items: readonly Item[],
): Promise<Transport> {
  const answers = new Map<string, string>();
  const { concurrency, signal, transport } = asking;
  const read = (group: OwnerGroup, ended: AbortSignal) => tradesOfGroup(asking, group, ended);
  for await (const trades of mapInOrder(groupsOf(items), read, { concurrency, signal })) {
    for (const [uid, body] of trades) answers.set(pathOf(uid), body);
  }
  return answers.size === 0 ? transport : new KnownTrades(transport, answers);
}

/** An account with many of the orders. */
interface OwnerGroup {
  readonly owner: string;
  readonly uids: ReadonlySet<string>;
}

function groupsOf(items: readonly Item[]): OwnerGroup[] {
  const groups = new Map<string, Set<string>>();
  for (const { key } of items) {
    const { owner, validTo } = uidParts(key);
    if (validTo === ETH_FLOW_VALID_TO) continue;
    const uids = groups.get(owner) ?? new Set();
    groups.set(owner, uids.add(key));
  }
  return [...groups].filter(([, uids]) => uids.size >= LEAST_ORDERS)
    .map(([owner, uids]) => ({ owner, uids }));
}

async function tradesOfGroup(
  asking: Asking,
  { owner, uids }: OwnerGroup,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const mostPages = Math.min(MOST_PAGES, Math.floor(uids.size / 2));
  try {
    const found = await tradesByOwner(asking.transport, { owner, mostPages, signal }) ?? new Map();
    return new Map([...found].filter(([uid]) => uids.has(uid)));
  } catch (error) {
    // What the pages of an account do not give, its orders may.
    failureOf(asking, error, signal);
    return new Map();
  }
}

/**
 * All trades of an account, by the UID of their order, each as the service answers for the order
 * alone. Trades that arrive while pages are read move the others back: each is taken once, by block,
 * log index and order, and none is passed over.
 *
 * @returns `null` if it has more pages.
 */
export async function tradesByOwner(
  transport: Transport,
  { owner, mostPages, rowsAPage = ROWS_A_PAGE, signal }: OwnerQuestion,
): Promise<Map<string, string> | null> {
  const capture = new Capture(transport);
  const elements = new Map<string, { uid: string; element: string }>();
  const collect = () => {
    for (const { responseBody } of capture.take()) {
      for (const element of splitJsonArray(responseBody) ?? []) {
        const { blockNumber, logIndex, orderUid } = Object(JSON.parse(element));
        const uid = String(orderUid).toLowerCase();
        elements.set(`${blockNumber} ${logIndex} ${uid}`, { uid, element });
      }
    }
  };
  const limit = mostPages * rowsAPage;
  // What cannot be read is kept as it is: its order has it, and fails by itself.
  const options = { signal, limit, pageSize: rowsAPage, onProgress: collect, onFailure: () => {} };
  let rows = 0;
  for await (const _ of getTrades(capture, { owner }, options)) rows++;
  if (rows === limit) return null;
  collect();
  const byOrder = new Map<string, string[]>();
  for (const { uid, element } of elements.values()) {
    byOrder.set(uid, [...byOrder.get(uid) ?? [], element]);
  }
  return new Map(
    [...byOrder].filter(([, all]) => all.length < ROWS_A_PAGE)
      .map(([uid, all]) => [uid, `[${all.join(",")}]`]),
  );
}

/** The first page of an order's trades, as `getTrades` asks for it. */
function pathOf(uid: string): string {
  return `/api/v2/trades?orderUid=${uid}&offset=0&limit=${ROWS_A_PAGE}`;
}

/** Answers for the trades of known orders, and passes on everything else. */
class KnownTrades implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  readonly #answers: ReadonlyMap<string, string>;

  constructor(transport: Transport, answers: ReadonlyMap<string, string>) {
    this.baseUrl = transport.baseUrl;
    this.#transport = transport;
    this.#answers = answers;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const body = request.method === "GET" ? this.#answers.get(request.path) : undefined;
    if (body === undefined) return await this.#transport.send(request);
    const contentType = "application/json";
    return {
      status: 200,
      contentType,
      headers: new Headers({ "content-type": contentType }),
      body,
    };
  }
}
