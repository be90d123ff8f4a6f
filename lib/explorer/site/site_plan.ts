import { ROWS_PER_PAGE } from "../list_pages.ts";
import type { ListName } from "../lists.ts";
import type { PageContext } from "../page_context.ts";

/** Contents of a site: what has a page of its own, and how pages are named. */
export interface SitePlan {
  /** UIDs of all orders, the newest first. */
  readonly orders: readonly { readonly uid: string; readonly owner: string }[];
  /** Number of orders with a page: the first ones. */
  readonly pageCount: number;
  /** Ids of all auctions, the newest first. */
  readonly auctions: readonly number[];
  /** Addresses of all solvers. */
  readonly solvers: readonly string[];
  /** Addresses of all tokens that are traded. */
  readonly tokens: readonly string[];
  /** Names of the tables of the dataset. */
  readonly tables: readonly string[];
  /** The auction of each settlement. */
  readonly settlements: ReadonlyMap<string, number>;
  /** Number of pages of each list. */
  readonly listPages: Readonly<Record<ListName, number>>;
}

/** Reads what a dataset has, to plan the pages of its site. */
export async function planSite(context: PageContext, orderLimit: number): Promise<SitePlan> {
  const listing = await context.listing();
  const { total: orderTotal } = await listing.count("orders");
  const orders = await listing.rows("orders", { limit: orderTotal });
  const auctions = await listing.select<{ id: number }>(
    "SELECT auction_id AS id FROM auctions ORDER BY auction_id DESC",
  );
  const { total: tradeTotal } = await listing.count("trades");
  const solvers = await listing.select<{ solver: string }>(
    "SELECT DISTINCT lower(solver) AS solver FROM (SELECT solver FROM solutions UNION ALL " +
      "SELECT solver FROM trades) WHERE solver IS NOT NULL ORDER BY solver",
  );
  const tokens = await listing.select<{ token: string }>(
    "SELECT DISTINCT lower(token) AS token FROM (SELECT unnest([sell_token, buy_token]) AS token " +
      "FROM orders UNION ALL SELECT unnest([sell_token, buy_token]) FROM trades) ORDER BY token",
  );
  const countPages = (rows: number) => Math.max(1, Math.ceil(rows / ROWS_PER_PAGE));
  return {
    orders: orders.map(({ uid, owner }) => ({
      uid: uid.toLowerCase(),
      owner: owner.toLowerCase(),
    })),
    pageCount: Math.min(orderLimit, orderTotal),
    auctions: auctions.map(({ id }) => id),
    solvers: solvers.map(({ solver }) => solver),
    tokens: tokens.map(({ token }) => token),
    tables: (await context.describe())?.tables.map(({ name }) => name) ?? [],
    settlements: context.source.settledIn ?? new Map(),
    listPages: {
      orders: countPages(orderTotal),
      auctions: countPages(auctions.length),
      trades: countPages(tradeTotal),
    },
  };
}

/**
 * Names the files of a site by the paths of the explorer; `null` for what a site does not have. All names
 * are in lower case, so that they differ on every disk.
 */
export function createFileNames(plan: SitePlan): (path: string) => string | null {
  const { orders, pageCount, settlements, listPages } = plan;
  const orderUids = new Set(orders.map(({ uid }) => uid));
  const owners = new Set(orders.map(({ owner }) => owner));
  const namesByKind: Readonly<Record<string, ReadonlySet<string>>> = {
    orders: new Set(orders.slice(0, pageCount).map(({ uid }) => uid)),
    auctions: new Set(plan.auctions.map(String)),
    solvers: new Set(plan.solvers),
    tokens: new Set(plan.tokens),
    dictionary: new Set(plan.tables),
  };
  const nameSearch = (text: string) => `search.html?q=${encodeURIComponent(text)}`;
  return (path) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const [, folder = "", name = ""] = decodeURIComponent(pathname).split("/");
    if (pathname === "/search") return `search.html${new URL(path, "http://localhost").search}`;
    if (name === "") return nameOverview(folder, searchParams, listPages);
    if (searchParams.size > 0) return null;
    if (namesByKind[folder]?.has(name) === true) return `${folder}/${name}.html`;
    const auction = folder === "transactions" ? settlements.get(name) : undefined;
    if (auction !== undefined) return `auctions/${auction}.html`;
    const isKnown = folder === "orders" && orderUids.has(name) ||
      folder === "accounts" && owners.has(name);
    return isKnown ? nameSearch(name) : null;
  };
}

/** Pages of which there is one. */
const OVERVIEWS = ["solvers", "pairs", "tokens", "dataset"];

/** Names the file of a page that is not about one thing: of a list, an overview, or the first page. */
function nameOverview(
  name: string,
  search: URLSearchParams,
  listPages: SitePlan["listPages"],
): string | null {
  const { page = "1", ...filters } = Object.fromEntries(search);
  if (Object.keys(filters).length > 0) return null;
  const [list = "", ending = ""] = name.split(".");
  if (Object.hasOwn(listPages, list)) {
    if (ending === "csv") return search.size === 0 ? name : null;
    const isThere = ending === "" && Number(page) <= listPages[list as ListName];
    return isThere ? (page === "1" ? `${list}.html` : `${list}-${page}.html`) : null;
  }
  if (search.size > 0) return null;
  if (name === "") return "index.html";
  return OVERVIEWS.includes(name) ? `${name}.html` : null;
}
