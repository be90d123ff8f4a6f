import { mapInOrder, uidParts } from "../../endpoints/calls.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { getAppData } from "../../endpoints/facts.ts";
import { getAccountOrders, getTrades } from "../../endpoints/order_lists.ts";
import { getDebugReport } from "../../endpoints/orders.ts";
import {
  NotFoundError,
  NotRecordedError,
  UnauthorizedError,
  UnavailableError,
} from "../../errors/mod.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { splitJsonArray } from "../../recordings/recorded_lists.ts";
import { SELECTED_ORDERS } from "../layout/files.ts";
import type { Item, Outcome } from "../state/export_state.ts";
import { settledBy, startBlockOf } from "./ask_competitions.ts";
import {
  ABSENT,
  askEach,
  type Asking,
  type AskOne,
  blockKey,
  Capture,
  type Ending,
  failureOf,
  isFinalCompetition,
  isGone,
  NO_EXPIRY,
  present,
} from "./asking.ts";

/** Asks for the orders of an account. */
export const askAccount: AskOne = async ({ transport }, { key }, signal) => {
  const next: Ending["next"][number][] = [];
  for await (const { uid } of getAccountOrders(transport, key, { signal })) {
    next.push({ kind: "order", key: uid.toLowerCase() });
  }
  return { state: "present", isFinal: false, next };
};

/** Asks for the fills of orders one by one, or by account where that is less. */
export async function* askFills(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const transport = await withOwnerTrades(asking, items);
  yield* askEach({ ...asking, transport }, items, askTrades);
}

const askTrades: AskOne = async (asking, item, signal) => {
  const { needs, state, now, transport } = asking;
  const { key, shard } = item;
  const trades = await Array.fromAsync(getTrades(transport, { orderUid: key }, { signal }));
  const hashes = new Set(trades.flatMap(({ txHash }) => txHash?.toLowerCase() ?? []));
  // Auctions of single orders are found by their settlements; those of a range are asked for by id.
  const next = shard === SELECTED_ORDERS ? [...hashes] : [];
  const areIndexed = trades.every(({ txHash }) => txHash !== null) || isGone(key, item, now());
  const blocks = needs.has("blocks") ? trades.map(({ blockNumber }) => blockNumber) : [];
  return {
    ...present(areIndexed && isOrderFinal(state, key)),
    next: [
      ...next.map((hash) => ({ kind: "transaction", key: hash } as const)),
      ...settledBy(asking, next),
      ...blocks.map((block) => ({ kind: "block", key: blockKey(block, shard) } as const)),
    ],
  };
};

/** Asks for the auction of a settlement. */
export const askTransaction: AskOne = async (asking, item, signal) => {
  try {
    const competition = await getCompetition(asking.transport, item.key, { signal });
    return {
      ...present(isFinalCompetition(competition, item, asking.now())),
      next: startBlockOf(asking, competition, item),
    };
  } catch (error) {
    if (error instanceof NotFoundError) return { ...ABSENT, isFinal: false };
    throw error;
  }
};

/** Asks for a document. */
export const askAppData: AskOne = async ({ transport }, { key }, signal) => {
  try {
    await getAppData(transport, key, { signal });
    return present(true);
  } catch (error) {
    if (error instanceof NotFoundError) return ABSENT;
    throw error;
  }
};

/**
 * Asks for debug reports until the deployment refuses one, as all public ones do: then no more are
 * asked for.
 */
export async function* askReports(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { state } = asking;
  if (state.meta("reportsRefused") !== null) return;
  try {
    yield* askEach(asking, items, askReport);
  } catch (error) {
    if (!(error instanceof RefusedReports)) throw error;
    state.inOneStep(() => {
      state.setMeta("reportsRefused", error.message);
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    });
  }
}

/** Why a deployment has no reports. */
class RefusedReports extends Error {}

const askReport: AskOne = async ({ state, now, transport }, item, signal) => {
  // The end of a settlement attempt is noted after the order is fulfilled.
  const { key } = item;
  const isFinal = isGone(key, item, now()) && isOrderFinal(state, key);
  try {
    await getDebugReport(transport, key, { signal });
    return present(isFinal);
  } catch (error) {
    const isMissing = error instanceof NotFoundError ||
      error instanceof NotRecordedError && error.isRouteRecorded;
    if (isMissing) return { ...ABSENT, isFinal };
    const isRefused = error instanceof UnauthorizedError || error instanceof UnavailableError ||
      error instanceof NotRecordedError;
    if (isRefused) throw new RefusedReports(error.code);
    throw error;
  }
};

function isOrderFinal(state: Asking["state"], uid: string): boolean {
  const sql = "SELECT 1 FROM items WHERE kind = 'order' AND key = ? AND isFinal = 1";
  return state.row(sql, uid) !== undefined;
}

/** Pages of an account's trades that are asked for; the service reads all rows before a page anew. */
const MOST_PAGES = 20;
/** Orders of an account from which its pages are asked for: fewer are asked for one by one. */
const LEAST_ORDERS = 8;
const ROWS_A_PAGE = 1_000;

/**
 * A transport that answers for the trades of some orders from the pages of their accounts, where an
 * account has so many of the orders that its pages are at most half as many requests. Each answer is
 * what the service sends for the order alone, character for character.
 *
 * Orders without a trade in the pages are asked for one by one, as are those of accounts with more
 * pages than that, and of EthFlow.
 */
async function withOwnerTrades(asking: Asking, items: readonly Item[]): Promise<Transport> {
  const answers = new Map<string, string>();
  const { concurrency, signal, transport } = asking;
  const read = async ([owner, uids]: [string, string[]], ended: AbortSignal) => {
    const mostPages = Math.min(MOST_PAGES, Math.floor(uids.length / 2));
    try {
      const trades = await tradesByOwner(transport, { owner, mostPages, signal: ended });
      return uids.flatMap((uid) => trades?.has(uid) ? [[uid, trades.get(uid)!] as const] : []);
    } catch (error) {
      // What the pages of an account do not give, its orders may.
      failureOf(asking, error, ended);
      return [];
    }
  };
  for await (const trades of mapInOrder(groupsOf(items), read, { concurrency, signal })) {
    for (const [uid, body] of trades) answers.set(pathOf(uid), body);
  }
  if (answers.size === 0) return transport;
  const contentType = "application/json";
  const headers = new Headers({ "content-type": contentType });
  return {
    baseUrl: transport.baseUrl,
    async send(request: HttpRequest): Promise<HttpResponse> {
      const body = request.method === "GET" ? answers.get(request.path) : undefined;
      if (body === undefined) return await transport.send(request);
      return { status: 200, contentType, headers, body };
    },
  };
}

/** The accounts with many of the orders, and these. */
function groupsOf(items: readonly Item[]): [owner: string, uids: string[]][] {
  const uids = items.map(({ key }) => key)
    .filter((uid) => uidParts(uid).validTo !== NO_EXPIRY);
  return [...Map.groupBy(uids, (uid) => uidParts(uid).owner)]
    .filter(([, own]) => own.length >= LEAST_ORDERS);
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
  { owner, mostPages, rowsAPage = ROWS_A_PAGE, signal }: {
    readonly owner: string;
    readonly mostPages: number;
    readonly rowsAPage?: number;
    readonly signal: AbortSignal;
  },
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
  const byOrder = Map.groupBy(elements.values(), ({ uid }) => uid);
  return new Map(
    [...byOrder].filter(([, all]) => all.length < ROWS_A_PAGE)
      .map(([uid, all]) => [uid, `[${all.map(({ element }) => element).join(",")}]`]),
  );
}

/** The first page of an order's trades, as `getTrades` asks for it. */
function pathOf(uid: string): string {
  return `/api/v2/trades?orderUid=${uid}&offset=0&limit=${ROWS_A_PAGE}`;
}
