import { connect } from "../client/connect.ts";
import type { OrderBook } from "../client/order_book.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import {
  InputError,
  NotFoundError,
  NotRecordedError,
  OrderlensError,
  UnansweredError,
} from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRule } from "../errors/option_rules.ts";
import { type HexKind, parseIdentifier } from "../networks/identifier.ts";
import {
  detectSolana,
  type Environment,
  type NetworkName,
  NOT_SOLANA,
} from "../networks/network.ts";

/** Options of {@linkcode locate}. */
export interface LocateOptions extends CallOptions {
  /**
   * The deployments to ask, in this order; two at a time.
   * @default {production of all networks, those with most orders first, then their staging}
   */
  books?: Iterable<OrderBook> | undefined;
}

/** A deployment that has something. */
export interface Location {
  /** The deployment. */
  readonly book: OrderBook;
  /** Name of its network; `null` without one. */
  readonly network: NetworkName | null;
  /** Its environment; `null` without a network. */
  readonly environment: Environment | null;
  /** UIDs of the orders that it has: the requested one, those of the transaction, or the newest one. */
  readonly orderUids: readonly string[];
}

/** Result of {@linkcode locate}. */
export interface LocateResult {
  /** Kind of the subject: a UID, a transaction, or an account. */
  readonly kind: HexKind;
  /** Deployments that have it. An order is at one at most: the others are not asked after it is found. */
  readonly found: readonly Location[];
  /** Number of deployments that were asked. */
  readonly asked: number;
  /** Deployments that could not be asked, and why. */
  readonly failed: readonly { readonly book: OrderBook; readonly error: OrderlensError }[];
}

const ACTION = "Cannot locate";

/** Rule for a list of deployments. */
export const BOOKS: OptionRule<Iterable<OrderBook>> = defineRule(
  "a list of what `connect` returns",
  (books) => typeof books === "object" && books !== null && Symbol.iterator in books,
);

/** Networks by the number of their orders, most first. */
const BY_ORDERS: readonly NetworkName[] = [
  "mainnet",
  "base",
  "arbitrum_one",
  "bnb",
  "xdai",
  "polygon",
  "avalanche",
  "linea",
  "plasma",
  "ink",
  "sepolia",
];

/** Deployments that are asked at the same time. */
const AT_ONCE = 2;

/**
 * Finds the network and the environment of an order, a transaction or an account, whose names have
 * neither.
 *
 * Asks one request per deployment, two deployments at a time. For an order it stops at the first that
 * has it, since an order is stored at one deployment; a transaction and an account are looked for at
 * all of them: production and staging both store settlements of each other.
 *
 * @param subject UID of an order, hash of a transaction, or address of an account, in any spelling that
 * {@linkcode parseIdentifier} reads.
 * @returns Deployments that have it, and those that could not be asked.
 * @throws {InputError} If the subject is none of the three, or an option is invalid.
 *
 * @example An order at the second of two deployments
 * ```ts
 * import { connect } from "orderlens";
 * import { locate } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_3");
 * const books = [connect(await replay("market_1")), connect(recording)];
 * const { found, asked } = await locate(recording.recorded.orderUids[0]!, { books });
 *
 * assertEquals([found[0]?.book === books[1], asked], [true, 2]);
 * ```
 */
export async function locate(subject: string, options: LocateOptions = {}): Promise<LocateResult> {
  checkOptions(options, { books: BOOKS, signal: AbortSignal }, ACTION);
  const { kind, key } = requireHex(subject);
  const { signal } = options;
  const books = [...options.books ?? listPublicBooks()];
  const quick = options.books === undefined ? listPublicBooks(PATIENCE) : books;
  const down = new Map<string, OrderlensError>();
  const locations: Location[] = [];
  const failures: { book: OrderBook; error: OrderlensError }[] = [];
  let askedCount = 0;
  for (let index = 0; index < books.length; index += AT_ONCE) {
    signal?.throwIfAborted();
    const batch = books.slice(index, index + AT_ONCE);
    askedCount += batch.length;
    const results = await Promise.all(batch.map((book, offset) => {
      const error = down.get(readHost(book));
      return error === undefined
        ? findOrders(quick[index + offset]!, { kind, key, signal })
        : { error };
    }));
    for (const [index, result] of results.entries()) {
      const book = batch[index]!;
      if ("error" in result) {
        failures.push({ book, error: result.error });
        // Deployments of one host are reached together, or not at all.
        if (result.error instanceof UnansweredError) down.set(readHost(book), result.error);
      } else if (result.uids.length > 0) locations.push(toLocation(book, result.uids));
    }
    if (kind === "order" && locations.length > 0) break;
  }
  return { kind, found: locations, asked: askedCount, failed: failures };
}

/** The UID, hash or address that a text names. @throws {InputError} If it names none. */
function requireHex(subject: string): { readonly kind: HexKind; readonly key: string } {
  const identifier = parseIdentifier(String(subject));
  if (identifier !== null && "key" in identifier && identifier.kind !== "auction") {
    return identifier;
  }
  const solana = detectSolana(subject);
  const label = JSON.stringify(String(subject).slice(0, 130));
  throw new InputError(`${ACTION} ${label}${solana === null ? "" : `: it is ${solana}`}`, {
    remedy: solana !== null
      ? NOT_SOLANA
      : "Pass 0x and 112 hexadecimal digits of an order, 64 of a transaction, or 40 of an account",
  });
}

/** Nobody waits long for one host of several. */
const PATIENCE = { timeoutMs: 10_000, retries: 0 };

/** Production of all networks, those with most orders first, then their staging. */
export function listPublicBooks(patience: Partial<typeof PATIENCE> = {}): OrderBook[] {
  return (["production", "staging"] as const).flatMap((environment) =>
    BY_ORDERS.map((network) => connect(network, { environment, ...patience }))
  );
}

/** The host of a deployment, or what stands for it. */
export function readHost({ baseUrl }: OrderBook): string {
  return URL.parse(baseUrl)?.host || baseUrl;
}

interface LocateQuery {
  readonly kind: HexKind;
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

async function findOrders(
  book: OrderBook,
  { kind, key, signal }: LocateQuery,
): Promise<{ uids: string[] } | { error: OrderlensError }> {
  try {
    const orders = kind === "order"
      ? [await book.order(key, { signal })]
      : kind === "transaction"
      ? await book.transactionOrders(key, { signal })
      : await Array.fromAsync(book.accountOrders(key, { limit: 1, signal }));
    return { uids: orders.map(({ uid }) => uid) };
  } catch (error) {
    const isMissing = error instanceof NotFoundError ||
      error instanceof NotRecordedError && error.isRouteRecorded;
    if (isMissing) return { uids: [] };
    signal?.throwIfAborted();
    if (error instanceof OrderlensError) return { error };
    throw error;
  }
}

function toLocation(book: OrderBook, orderUids: readonly string[]): Location {
  const { network, environment } = book;
  return { book, network: network?.name ?? null, environment, orderUids };
}
