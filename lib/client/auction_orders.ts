import { NotRecordedError } from "../errors/mod.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import type { Competition } from "../schemas/mod.ts";
import type { OrderBook } from "./order_book.ts";

/** Accounts whose orders were read. */
export interface AccountsRead {
  /** Number of accounts whose orders were read. */
  readonly read: number;
  /** Number of accounts on whose orders somebody bid. */
  readonly bidding: number;
  /** Number of accounts of which only the latest orders were read. */
  readonly cut: number;
  /** What was not read, in sentences that each end with a space: nothing if all was. */
  readonly note: string;
}

/** UIDs of the orders that solvers bid on. */
export function bidsOf(competitions: readonly Competition[]): string[] {
  return uidsIn(competitions.flatMap(({ solutions }) => solutions));
}

/** UIDs of the orders in winning solutions. */
export function winnersOf(competitions: readonly Competition[]): string[] {
  return uidsIn(
    competitions.flatMap(({ solutions }) => solutions.filter(({ isWinner }) => isWinner)),
  );
}

function uidsIn(solutions: Competition["solutions"]): string[] {
  return solutions.flatMap(({ orders }) => orders.map(({ id }) => id));
}

/**
 * UIDs of the orders of the accounts with most bids, sorted: the ones that were bid on, and the latest
 * of their lists. Recordings that lack the list of an account have its bids alone.
 */
export async function ordersOfAccounts(
  book: OrderBook,
  competitions: readonly Competition[],
  { accounts, ordersPerAccount, signal }: {
    readonly accounts: number;
    readonly ordersPerAccount: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ uids: string[]; accounts: AccountsRead }> {
  const bids = Map.groupBy(bidsOf(competitions), (uid) => parseOrderUid(uid).owner);
  // An account may have many thousands of orders.
  const owners = [...bids].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .slice(0, accounts);
  const uids = new Set<string>();
  let cut = 0;
  for (const [owner, own] of owners) {
    for (const uid of own) uids.add(uid);
    const list = await latestOrders(book, owner, { limit: ordersPerAccount + 1, signal });
    if (list.length > ordersPerAccount) cut++;
    for (const uid of list.slice(0, ordersPerAccount)) uids.add(uid);
  }
  const note =
    (cut === 0
      ? ""
      : `Of ${cut} accounts, only the latest ${ordersPerAccount} orders were read. `) +
    unreadOf(book, uids);
  return {
    uids: [...uids].sort(),
    accounts: { read: owners.length, bidding: bids.size, cut, note },
  };
}

/** Says how many orders of a recording are not among some. */
function unreadOf({ transport }: OrderBook, uids: ReadonlySet<string>): string {
  const recorded: unknown = "recorded" in transport ? Object(transport.recorded).orderUids : null;
  if (!Array.isArray(recorded)) return "";
  const read = new Set(Array.from(uids, (uid) => uid.toLowerCase()));
  const unread = recorded.filter((uid) => !read.has(String(uid).toLowerCase())).length;
  if (unread === 0) return "";
  return `${unread} of ${recorded.length} orders of the recording were not read. `;
}

async function latestOrders(
  book: OrderBook,
  owner: string,
  options: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const uids: string[] = [];
  try {
    for await (const { uid } of book.accountOrders(owner, options)) uids.push(uid);
  } catch (error) {
    if (!(error instanceof NotRecordedError)) throw error;
  }
  return uids;
}
