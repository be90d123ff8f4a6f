import { splitUid } from "../../endpoints/calls.ts";
import { isSuccess } from "../../endpoints/send.ts";
import { NotRecordedError, UnansweredError } from "../../errors/mod.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { splitJsonArray } from "../../recordings/recorded_lists.ts";
import { toJson, toResponse } from "../../recordings/request_key.ts";
import type { Order } from "../../schemas/mod.ts";
import type { Item } from "../state/export_state.ts";

/** Pages of an account that are read; the service reads all rows before a page anew. */
const MAX_PAGES = 20;
const ROWS_PER_PAGE = 1_000;
/** What is remembered of all accounts, in characters: those read first are forgotten first. */
const MAX_CHARS = 32_000_000;
/** The first page of an order's fills, as `getTrades` asks for it. */
const FIRST_PAGE = /^\/api\/v2\/trades\?orderUid=(0x[0-9a-f]{112})&offset=0&limit=1000$/;
const DIGITS = /^\d+$/;

/** How accounts are read. */
interface AccountFillsOptions {
  /** Orders of an account from which on it is read: one, where later files may have more of its own. */
  readonly minOrders: number;
  /** Pages at most that are read of an account. @default {20} */
  readonly maxPages?: number;
  /** Rows of a page. @default {1000} */
  readonly rowsPerPage?: number;
}

/** What was read of an account: the newest of its fills. */
interface Account {
  /** Fills by UID of their order. */
  readonly fills: Map<string, Fill[]>;
  /** Whether there are no older ones. */
  readonly isWhole: boolean;
  /** Characters that are remembered. */
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
 * The fills of orders, from the pages of their accounts: an account is read once in a run, back to the
 * orders that are asked for first, and the orders of later files are answered from what was read. Each
 * answer is what the service sends for the order alone, character for character.
 *
 * An order's fills are taken for all of its own if they add up to what its answer says was executed,
 * or, where that was answered in an earlier run, if the account has no more. Every other order is asked
 * for alone. The account of an EthFlow order is the contract, which its UID names.
 */
export class AccountFills {
  readonly #options: Required<AccountFillsOptions>;
  readonly #executed = new Map<string, { readonly sell: bigint; readonly buy: bigint }>();
  readonly #accounts = new Map<string, Promise<Account>>();
  readonly #read = new Map<string, Account>();
  #chars = 0;

  /** Begins without an account. */
  constructor(options: AccountFillsOptions) {
    this.#options = { maxPages: MAX_PAGES, rowsPerPage: ROWS_PER_PAGE, ...options };
  }

  /** Notes what the answer for an order says was executed. */
  noteExecuted({ uid, executedSellAmount: sell, executedBuyAmount: buy }: Order): void {
    this.#executed.set(uid.toLowerCase(), { sell, buy });
  }

  /** A transport that answers for the fills of some orders from the pages of their accounts. */
  createTransport(transport: Transport, items: readonly Item[]): Transport {
    const groups = Map.groupBy(items.map(({ key }) => key), (uid) => splitUid(uid).owner);
    const answer = async (uid: string, request: HttpRequest) => {
      const { owner } = splitUid(uid);
      const uids = groups.get(owner) ?? [];
      const account = await this.#findAccount(transport, { owner, uids, request });
      return account === undefined ? undefined : this.#takeFills(owner, account, uid);
    };
    return {
      baseUrl: transport.baseUrl,
      send: async (request: HttpRequest): Promise<HttpResponse> => {
        const [, uid] = request.method === "GET" ? FIRST_PAGE.exec(request.path) ?? [] : [];
        const body = uid === undefined ? undefined : await answer(uid, request);
        if (body === undefined) return await transport.send(request);
        return toResponse(toJson(200, body));
      },
    };
  }

  async #findAccount(transport: Transport, wanted: AccountQuery): Promise<Account | undefined> {
    const { owner, uids } = wanted;
    const known = this.#accounts.get(owner);
    if (known !== undefined || uids.length < this.#options.minOrders) return await known;
    const reading = this.#readPages(transport, wanted);
    this.#accounts.set(owner, reading);
    try {
      return await reading;
    } catch (error) {
      // What ends the run is met by the next request too.
      this.#accounts.delete(owner);
      throw error;
    }
  }

  /** Reads pages until all wanted orders are found, or asking for each alone is less. */
  async #readPages(transport: Transport, { owner, uids, request }: AccountQuery): Promise<Account> {
    const { maxPages: mostPages, rowsPerPage: rowsAPage } = this.#options;
    const fills = new Map<string, Fill[]>();
    const seen = new Set<string>();
    const pages = Math.min(mostPages, Math.max(1, Math.floor(uids.length / 2)));
    let [isWhole, isReadable] = [false, true];
    for (let page = 0; page < pages && !isWhole; page++) {
      const path = `/api/v2/trades?owner=${owner}&offset=${page * rowsAPage}&limit=${rowsAPage}`;
      const rows = await fetchRows(transport, { ...request, path });
      if (rows === null) break;
      for (const text of rows) isReadable = addFill(fills, seen, text) && isReadable;
      isWhole = rows.length < rowsAPage;
      if (uids.every((uid) => this.#isWhole(fills.get(uid), uid, isWhole))) break;
    }
    const account = { fills, isWhole: isWhole && isReadable, chars: 0 };
    this.#remember(owner, account, uids);
    return account;
  }

  #isWhole(fills: readonly Fill[] | undefined, uid: string, isWhole: boolean): boolean {
    if (fills === undefined || !fills.every(({ isIndexed }) => isIndexed)) return false;
    const executed = this.#executed.get(uid);
    if (executed === undefined) return isWhole;
    const sum = (of: "sell" | "buy") => fills.reduce((total, fill) => total + fill[of], 0n);
    return sum("sell") === executed.sell && sum("buy") === executed.buy;
  }

  /** Forgets what is older than the wanted orders, since later files have later ones. */
  #remember(owner: string, account: Account, uids: readonly string[]): void {
    const { fills } = account;
    const blocks = uids.flatMap((uid) => fills.get(uid)?.map(({ block }) => block) ?? []);
    const first = blocks.reduce((first, block) => Math.min(first, block), blocks[0] ?? 0);
    for (const [uid, all] of fills) {
      if (all.every(({ block }) => block < first)) fills.delete(uid);
      // A part of a page would keep all of it in memory.
      else fills.set(uid, all.map((fill) => ({ ...fill, text: copyText(fill.text) })));
    }
    account.chars = countChars([...fills.values()].flat());
    this.#chars += account.chars;
    this.#read.set(owner, account);
    for (const [other, { chars }] of this.#read) {
      if (this.#chars <= MAX_CHARS || other === owner) break;
      this.#chars -= chars;
      this.#read.delete(other);
      this.#accounts.delete(other);
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

/** What an account is read for. */
interface AccountQuery {
  readonly owner: string;
  /** Orders that are asked for. */
  readonly uids: readonly string[];
  /** The first request for one of them. */
  readonly request: HttpRequest;
}

/**
 * The rows of a page as texts; `null` if the service refuses it or takes too long for it, or it cannot
 * be read: its orders are asked for alone.
 */
async function fetchRows(transport: Transport, request: HttpRequest): Promise<string[] | null> {
  try {
    const answer = await transport.send(request);
    return isSuccess(answer) ? splitJsonArray(answer.body) ?? null : null;
  } catch (error) {
    if (error instanceof NotRecordedError || error instanceof UnansweredError) return null;
    throw error;
  }
}

/**
 * Adds a fill once: trades that arrive meanwhile move the others to the next page.
 *
 * @returns Whether it can be read; its order is asked for alone otherwise, since its sum differs.
 */
function addFill(fills: Map<string, Fill[]>, seen: Set<string>, text: string): boolean {
  const row = Object(JSON.parse(text));
  const { blockNumber, logIndex, orderUid, sellAmount, buyAmount, txHash } = row;
  const isReadable = typeof orderUid === "string" && Number.isSafeInteger(blockNumber) &&
    DIGITS.test(sellAmount) && DIGITS.test(buyAmount);
  const uid = String(orderUid).toLowerCase();
  const key = `${blockNumber} ${logIndex} ${uid}`;
  if (!isReadable || seen.has(key)) return isReadable;
  seen.add(key);
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
