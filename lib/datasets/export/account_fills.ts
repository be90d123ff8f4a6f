import { splitUid } from "../../endpoints/calls.ts";
import { isSuccess } from "../../endpoints/send.ts";
import { NotRecordedError, UnansweredError } from "../../errors/mod.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { splitJsonArray } from "../../recordings/recorded_lists.ts";
import { toJson, toResponse } from "../../recordings/request_key.ts";
import type { Order } from "../../schemas/mod.ts";
import type { Item } from "../state/export_state.ts";

/** Pages of an account that are read; the service reads all rows before a page again. */
const MAX_PAGES = 20;
export const ROWS_PER_PAGE = 1_000;
/** Cache size of all accounts, in characters; the oldest are evicted first. */
const MAX_CHARS = 32_000_000;
/** The first page of an order's fills, as `getTrades` requests it. */
const FIRST_PAGE = /^\/api\/v2\/trades\?orderUid=(0x[0-9a-f]{112})&offset=0&limit=1000$/;
const DIGITS = /^\d+$/;

interface AccountFillsOptions {
  /** Fewest orders for which an account is read: one, where later files may have more of its orders. */
  readonly minOrders: number;
  /** Maximum pages that are read of an account. @default {20} */
  readonly maxPages?: number;
  /** Rows of a page. @default {1000} */
  readonly rowsPerPage?: number;
}

/** The newest fills of an account. */
interface Account {
  /** Fills by UID of their order. */
  readonly fills: Map<string, Fill[]>;
  /** Whether there are no older fills. */
  readonly isWhole: boolean;
  /** Cached characters. */
  chars: number;
}

/** A fill as the service wrote it. */
interface Fill {
  readonly text: string;
  readonly block: number;
  readonly sell: bigint;
  readonly buy: bigint;
  readonly isIndexed: boolean;
}

/**
 * Fills of orders, from the pages of their accounts: an account is read once in a run, back to the
 * orders that are requested first, and serves the orders of later files from the cache. Each response
 * is what the service sends for the order alone, character for character.
 *
 * An order's fills are complete if they add up to what its record says was executed, or, where that was
 * requested in an earlier run, if the account has no more. Every other order is requested alone. The
 * account of an EthFlow order is the contract, which its UID names.
 */
export class AccountFills {
  readonly #options: Required<AccountFillsOptions>;
  readonly #executed = new Map<string, { readonly sell: bigint; readonly buy: bigint }>();
  readonly #accounts = new Map<string, Promise<Account>>();
  readonly #read = new Map<string, Account>();
  #chars = 0;

  constructor(options: AccountFillsOptions) {
    this.#options = { maxPages: MAX_PAGES, rowsPerPage: ROWS_PER_PAGE, ...options };
  }

  /** Notes the executed amounts of an order. */
  noteExecuted({ uid, executedSellAmount: sell, executedBuyAmount: buy }: Order): void {
    this.#executed.set(uid.toLowerCase(), { sell, buy });
  }

  /** Creates a transport that serves the fills of some orders from the pages of their accounts. */
  createTransport(transport: Transport, items: readonly Item[]): Transport {
    const groups = Map.groupBy(items.map(({ key }) => key), (uid) => splitUid(uid).owner);
    const respond = async (uid: string, request: HttpRequest) => {
      const { owner } = splitUid(uid);
      const uids = groups.get(owner) ?? [];
      const account = await this.#findAccount(transport, { owner, uids, request });
      return account === undefined ? undefined : this.#takeFills(owner, account, uid);
    };
    return {
      baseUrl: transport.baseUrl,
      send: async (request: HttpRequest): Promise<HttpResponse> => {
        const [, uid] = request.method === "GET" ? FIRST_PAGE.exec(request.path) ?? [] : [];
        const body = uid === undefined ? undefined : await respond(uid, request);
        if (body === undefined) return await transport.send(request);
        return toResponse(toJson(200, body));
      },
    };
  }

  async #findAccount(transport: Transport, query: AccountQuery): Promise<Account | undefined> {
    const { owner, uids } = query;
    const cached = this.#accounts.get(owner);
    if (cached !== undefined || uids.length < this.#options.minOrders) return await cached;
    const reading = this.#readPages(transport, query);
    this.#accounts.set(owner, reading);
    try {
      return await reading;
    } catch (error) {
      // An error that ends the run occurs at the next request too.
      this.#accounts.delete(owner);
      throw error;
    }
  }

  /** Reads pages until all queried orders are found, or requesting each alone is cheaper. */
  async #readPages(transport: Transport, { owner, uids, request }: AccountQuery): Promise<Account> {
    const { maxPages, rowsPerPage } = this.#options;
    const fills = new Map<string, Fill[]>();
    const keys = new Set<string>();
    const pages = Math.min(maxPages, Math.max(1, Math.floor(uids.length / 2)));
    let [isWhole, isReadable] = [false, true];
    for (let page = 0; page < pages && !isWhole; page++) {
      const path = `/api/v2/trades?owner=${owner}&offset=${
        page * rowsPerPage
      }&limit=${rowsPerPage}`;
      const rows = await fetchRows(transport, { ...request, path });
      if (rows === null) break;
      for (const text of rows) isReadable = addFill(fills, keys, text) && isReadable;
      isWhole = rows.length < rowsPerPage;
      if (uids.every((uid) => this.#isWhole(fills.get(uid), uid, isWhole))) break;
    }
    const account = { fills, isWhole: isWhole && isReadable, chars: 0 };
    this.#remember(owner, account, uids);
    return account;
  }

  #isWhole(fills: readonly Fill[] | undefined, uid: string, isWhole: boolean): boolean {
    if (fills === undefined || !fills.every(({ isIndexed }) => isIndexed)) return false;
    const amounts = this.#executed.get(uid);
    if (amounts === undefined) return isWhole;
    const sum = (side: "sell" | "buy") => fills.reduce((total, fill) => total + fill[side], 0n);
    return sum("sell") === amounts.sell && sum("buy") === amounts.buy;
  }

  /** Drops fills older than the queried orders, since later files have later ones. */
  #remember(owner: string, account: Account, uids: readonly string[]): void {
    const { fills } = account;
    const blocks = uids.flatMap((uid) => fills.get(uid)?.map(({ block }) => block) ?? []);
    const first = blocks.reduce((first, block) => Math.min(first, block), blocks[0] ?? 0);
    for (const [uid, orderFills] of fills) {
      if (orderFills.every(({ block }) => block < first)) fills.delete(uid);
      // A part of a page would keep all of it in memory.
      else fills.set(uid, orderFills.map((fill) => ({ ...fill, text: copyText(fill.text) })));
    }
    account.chars = countChars([...fills.values()].flat());
    this.#chars += account.chars;
    this.#read.set(owner, account);
    for (const [oldest, { chars }] of this.#read) {
      if (this.#chars <= MAX_CHARS || oldest === owner) break;
      this.#chars -= chars;
      this.#read.delete(oldest);
      this.#accounts.delete(oldest);
    }
  }

  #takeFills(owner: string, account: Account, uid: string): string | undefined {
    const fills = account.fills.get(uid) ?? [];
    const isFound = fills.length > 0 && this.#isWhole(fills, uid, account.isWhole);
    this.#executed.delete(uid);
    account.fills.delete(uid);
    const chars = countChars(fills);
    account.chars -= chars;
    if (this.#read.get(owner) === account) this.#chars -= chars;
    if (!isFound || fills.length >= ROWS_PER_PAGE) return undefined;
    return `[${fills.map(({ text }) => text).join(",")}]`;
  }
}

function countChars(fills: readonly Fill[]): number {
  return fills.reduce((sum, { text }) => sum + text.length, 0);
}

function copyText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

interface AccountQuery {
  readonly owner: string;
  readonly uids: readonly string[];
  /** The first request for one of them. */
  readonly request: HttpRequest;
}

/**
 * Fetches the rows of a page as texts; `null` if the service refuses it or takes too long, or it cannot
 * be read: its orders are requested alone.
 */
async function fetchRows(transport: Transport, request: HttpRequest): Promise<string[] | null> {
  try {
    const response = await transport.send(request);
    return isSuccess(response) ? splitJsonArray(response.body) ?? null : null;
  } catch (error) {
    if (error instanceof NotRecordedError || error instanceof UnansweredError) return null;
    throw error;
  }
}

/**
 * Adds a fill once: trades that arrive meanwhile move the others to the next page.
 *
 * @returns Whether it can be read; otherwise its order is requested alone, since its sum differs.
 */
function addFill(fills: Map<string, Fill[]>, keys: Set<string>, text: string): boolean {
  const row = Object(JSON.parse(text));
  const { blockNumber, logIndex, orderUid, sellAmount, buyAmount, txHash } = row;
  const isReadable = typeof orderUid === "string" && Number.isSafeInteger(blockNumber) &&
    DIGITS.test(sellAmount) && DIGITS.test(buyAmount);
  const uid = String(orderUid).toLowerCase();
  const key = `${blockNumber} ${logIndex} ${uid}`;
  if (!isReadable || keys.has(key)) return isReadable;
  keys.add(key);
  const fill: Fill = {
    text,
    block: blockNumber,
    sell: BigInt(sellAmount),
    buy: BigInt(buyAmount),
    isIndexed: typeof txHash === "string",
  };
  fills.set(uid, [...fills.get(uid) ?? [], fill]);
  return true;
}
