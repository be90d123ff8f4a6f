import { InputError, ServiceError } from "../errors/mod.ts";
import {
  inspectAuction,
  type InspectOptions,
  inspectOrder,
  inspectSolver,
  inspectTransaction,
  type OrderReport,
  type TransactionReport,
} from "../reports/mod.ts";
import { isLeftToAuctions } from "../reports/order/inspect_order.ts";
import { parseIdentifier } from "../networks/identifier.ts";
import { html, type Markup } from "../reports/page/html_cell.ts";
import { cell, type PageContent, toFacts } from "../reports/page/page_content.ts";
import { listTokens } from "../reports/page/node_tokens.ts";
import { toAccountCell } from "../reports/page/cell_formatter.ts";
import { type Report, toPageContent } from "../reports/page/report_content.ts";
import { pluralize } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import { countOrdersAndFills, describeAccount, requestOrNull } from "./account_page.ts";
import type { Fill } from "./explorations.ts";
import { FOLLOW_ORDER_SOURCE, renderFollowScript, renderFollowState } from "./follow_order.ts";
import {
  createContent,
  createReplyCache,
  FailureError,
  type Reply,
  toHtmlReply,
  toJsonReply,
} from "./reply.ts";
import {
  buildAuctionTable,
  buildRelatedSections,
  readOrdersAndFills,
  readRelated,
  toRelatedData,
} from "./row_cells.ts";
import type { PageContext } from "./page_context.ts";
import { type PageSource, renderLink } from "./page_source.ts";
import { renderSitePage } from "./site_page.ts";

/** Auction ids of which its report is made, at most. */
const MAX_IDS = 1_500;

/** The page of a solver: the auctions in which it bid, those that it won, and its settlements. */
async function describeSolver(context: PageContext, solver: string): Promise<PageContent> {
  const { source } = context;
  const listing = await context.listing();
  const { note } = listing;
  const bid = await listing.count("auctions", { filters: { solver } });
  const won = await readRelated(listing, "auctions", { and: [IS_WON, { winner: solver }] });
  const fills = { trades: await readRelated(listing, "trades", { filters: { solver } }) };
  const [range] = await listing.select<{ ids: number | null; auctions: number }>(
    "SELECT 1 + max(auction_id) - min(auction_id) AS ids, count(*) AS auctions FROM auctions",
  );
  const name = source.solverName(solver);
  const listSections = async (shownTokens?: ReadonlySet<string>) => [
    {
      id: "listed-auctions",
      title: "Auctions that it won",
      note: won.total > won.rows.length ? `${won.note} ${note}` : note,
      table: buildAuctionTable(won.rows, context),
    },
    ...await buildRelatedSections(fills, context, shownTokens),
  ];
  // It asks for each of its auctions, which is too much of a public deployment.
  if (source.isLocal) {
    const { book, solvers } = source;
    const ids = range?.ids ?? 1;
    const last = Math.min(Math.max(ids, 1), MAX_IDS);
    const report = await inspectSolver(book, solver, { solvers, auctions: { last } });
    const content = await describeReport(context, report);
    const part = ids > last ? cell(`the newest ${last} of ${ids} ids`) : null;
    const facts = [...content.facts, ...toFacts({ "Auctions read": part })];
    const sections = [...content.sections, ...await listSections(listTokens(report))];
    return { ...content, facts, sections };
  }
  return createContent({
    title: `Solver ${name ?? ""}`.trim(),
    subject: { solver },
    sentence: bid.total === 0
      ? "No auction here has a solution of this solver"
      : `${name ?? "This solver"} bid in ${pluralize(bid.total, "auction")} and won ${won.total}`,
    facts: toFacts({
      Address: toAccountCell(solver),
      Name: cell(name),
      Auctions: cell(range?.auctions),
    }),
    sections: await listSections(),
    data: {
      solver,
      name,
      auctionsBid: bid.total,
      auctionsWon: won.total,
      won: won.rows,
      ...toRelatedData(fills),
    },
  });
}

const IS_WON = "EXISTS (SELECT 1 FROM solutions AS s WHERE s.auction_id = t.auction_id AND " +
  "s.is_winner AND lower(s.solver) = lower($winner))";

/** Kinds of things that have a page each, as the first part of its path. */
export type SubjectKind =
  | "orders"
  | "auctions"
  | "solvers"
  | "accounts"
  | "transactions"
  | "tokens";

interface Subject {
  /** Pattern of its names. */
  readonly name: RegExp;
  /** Format of its names in words. */
  readonly format: string;
  /** Its page. */
  readonly content: (context: PageContext, name: string) => Promise<PageContent>;
  /** Tells which fills its page explores. @default {none} */
  readonly hasFill?: (fill: Fill, name: string) => boolean;
}

const ADDRESS = { name: /^0x[0-9a-f]{40}$/i, format: "0x and 40 hexadecimal digits" };

/** All kinds, with what their names look like. */
export const SUBJECTS: Readonly<Record<SubjectKind, Subject>> = {
  orders: {
    name: /^0x[0-9a-f]{112}$/i,
    format: "0x and 112 hexadecimal digits",
    content: (context, uid) => describeOrder(context, uid),
  },
  auctions: { name: /^\d{1,15}$/, format: "a whole number", content: describeAuction },
  solvers: {
    ...ADDRESS,
    content: describeSolver,
    hasFill: ({ solver }, name) => solver !== null && sameHex(solver, name),
  },
  accounts: {
    ...ADDRESS,
    content: async (context, account) => (await describeAccount(context, account, 1)).content,
  },
  transactions: {
    name: /^0x[0-9a-f]{64}$/i,
    format: "0x and 64 hexadecimal digits",
    content: describeTransaction,
  },
  tokens: {
    ...ADDRESS,
    content: describeToken,
    hasFill: ({ sell_token, buy_token }, name) =>
      sameHex(sell_token, name) || sameHex(buy_token, name),
  },
};

/** Maximum size of cached pages, in bytes: about a thousand pages. */
const MAX_CACHED_BYTES = 32_000_000;

/**
 * Pages about one thing each, or its report as JSON; kept for a while.
 *
 * @returns Makes the page of a name, with `.json` at its end for JSON; the page of an order with or
 * without its pictures, which take most of its time.
 */
export function createSubjectPages(
  context: PageContext,
): (kind: SubjectKind, path: string, view: SubjectView) => Promise<Reply> {
  const { source, fills } = context;
  const cache = createReplyCache(MAX_CACHED_BYTES, context.freshMs);
  return async (kind, path, { hasPictures, isSearched, page: pageNumber = 1 }) => {
    const isJson = path.endsWith(".json");
    const name = isJson ? path.slice(0, -".json".length) : path;
    const identifier = parseIdentifier(name);
    const key = identifier !== null && "key" in identifier ? identifier.key : name.toLowerCase();
    const subject = SUBJECTS[kind];
    if (!subject.name.test(key)) {
      throw new InputError(`Cannot show ${kind}/${key.slice(0, 120)}`, {
        remedy: `Pass ${subject.format}, or use the search box`,
      });
    }
    const isDrawn = hasPictures && kind === "orders" && !isJson;
    const form = isJson ? "json" : isDrawn || kind !== "orders" ? "html" : "plain";
    const isWalked = isSearched && kind === "orders";
    const number = kind === "accounts" ? pageNumber : 1;
    const suffix = `${isWalked ? " searched" : ""}${number === 1 ? "" : ` ${number}`}`;
    return await cache.get(`${kind}/${key} ${form}${suffix}`, async () => {
      const account = kind === "accounts" ? await describeAccount(context, key, number) : null;
      const content = kind === "orders"
        ? await describeOrder(context, key, { isDrawn, isWalked })
        : account?.content ?? await subject.content(context, key);
      if (isJson) return toJsonReply(content.data);
      const { hasFill } = subject;
      const view = hasFill === undefined ? null : await fills(
        (await (await context.listing()).count("trades")).total,
        (fill) => hasFill(fill, key),
        source,
      );
      const isOpen = content.now !== undefined && !source.isFixed;
      // Each search takes requests.
      const isFollowed = isOpen && !isWalked;
      const pictureLink = kind === "orders" && !isDrawn ? linkToPictures(source, key) : "";
      const script = isFollowed ? FOLLOW_ORDER_SOURCE : view?.script;
      const drawnContent = kind === "transactions"
        ? await drawTransfers(context, content)
        : content;
      const page = renderSitePage(drawnContent, {
        source,
        searched: key,
        data: `/${kind}/${key}.json${isWalked ? SEARCH : number === 1 ? "" : `?page=${number}`}`,
        ...view,
        ...kind === "orders" && {
          ...isOpen && { state: renderFollowState() },
          intro: linkToSearch(source, content.data as OrderReport),
          outro: html`${pictureLink}${isFollowed ? renderFollowScript() : ""}`,
        },
        ...isFollowed && { script },
        ...account?.pager != null && { outro: account.pager },
        ...kind === "auctions" && source.isLocal &&
          { outro: await renderNeighbors(context, Number(key)) },
      });
      return toHtmlReply(page, { script });
    });
  };
}

/** Form in which a page of an order is shown. */
interface SubjectView {
  /** Whether it has pictures. */
  readonly hasPictures: boolean;
  /** Whether auctions of its lifetime are looked at, which takes requests. */
  readonly isSearched: boolean;
  /** Number of the page of an account, from 1. @default {1} */
  readonly page?: number;
}

/** End of the address of an order if the auctions of its lifetime are wanted. */
const SEARCH = "?search=auctions";

/** A link to what auctions show, where the report leaves that open. */
function linkToSearch(source: PageSource, report: OrderReport): Markup | undefined {
  const { uid, evidence: { walked, debugReport } } = report;
  if (walked !== null || debugReport === "present" || !isLeftToAuctions(report)) return undefined;
  const path = `/orders/${uid}${SEARCH}`;
  const link = renderLink(source, path, "Search the auctions of its lifetime", { rel: "nofollow" });
  return link === null ? undefined : html`<p>${link}</p>`;
}

function linkToPictures(source: PageSource, uid: string): Markup {
  return html`<p>${renderLink(source, `/orders/${uid}`, "With pictures")}</p>`;
}

/** Renders links to the previous and next auction. */
async function renderNeighbors(
  { source, listing }: PageContext,
  auctionId: number,
): Promise<Markup> {
  const [row] = await (await listing()).select<Record<"previous" | "next", number | null>>(
    "SELECT max(auction_id) FILTER (auction_id < $id) AS previous, " +
      "min(auction_id) FILTER (auction_id > $id) AS next FROM auctions",
    { id: auctionId },
  );
  const { previous, next } = row!;
  return html`
    <nav class="pager" aria-label="Auctions beside this one">
    ${previous === null
      ? ""
      : renderLink(source, `/auctions/${previous}`, `← Auction ${previous}`, { rel: "prev" })}
    ${next === null
      ? ""
      : renderLink(source, `/auctions/${next}`, `Auction ${next} →`, { rel: "next" })}
    </nav>
  `;
}

/** Walks are made only for who wants them: a page may be opened by anybody. */
const NO_BUDGET = { budget: { requests: 0 } };

async function describeOrder(
  context: PageContext,
  uid: string,
  { isDrawn = false, isWalked = false } = {},
): Promise<PageContent> {
  const report = await requireReport(context, uid, isWalked ? {} : NO_BUDGET);
  const content = await describeReport(context, report);
  if (!isDrawn) return content;
  const { addOrderCharts } = await import("../reports/page/notebook_report.ts");
  return await addOrderCharts(content, report);
}

async function requireReport(
  { source, node, signal }: PageContext,
  uid: string,
  budget: Pick<InspectOptions, "budget">,
): Promise<OrderReport> {
  const { book, solvers, name } = source;
  const options = { solvers, signal, ...budget, ...node !== null && { node } };
  const report = await inspectOrder(book, uid, options);
  if (report.verdict !== "unknown_here") return report;
  throw new FailureError({
    status: 404,
    what: `${name} has no order ${uid}`,
    ...source.isFixed
      ? {
        why: "It holds a part of its deployment: auctions also list orders that it does not have",
        remedy: "Query the deployment itself with `orderlens inspect`, or serve a longer export",
      }
      : {
        why:
          "A UID names neither its network nor its environment, so the order may be on another one",
        remedy: "Serve that network, or search all of them with `orderlens inspect`",
      },
  });
}

/** The page of a report, with facts about tokens that only a node knows. */
async function describeReport(
  { readTokens }: PageContext,
  report: Report,
): Promise<PageContent> {
  return toPageContent(report, await readTokens(listTokens(report)));
}

/** Reads the instance of an auction from a dataset that has instances. */
async function readInstance({ source, signal }: PageContext, auctionId: number) {
  const { book, dataset: origin } = source;
  if (origin === null) return undefined;
  // Reads tables with native code: only who opens a dataset needs it.
  const { readInstances } = await import("../market/market_instances.ts");
  return (await readInstances({ book, origin }, [{ auctionId }], { signal }))?.[0];
}

/** The page of an auction. */
async function describeAuction(context: PageContext, id: string): Promise<PageContent> {
  const { source, node, signal } = context;
  const { book, solvers } = source;
  const report = await inspectAuction(book, Number(id), {
    ...{ solvers, signal },
    instance: await readInstance(context, Number(id)),
    ...node !== null && { node },
  });
  if (report.isFound) return await describeReport(context, report);
  throw new FailureError({
    status: 404,
    what: `${source.name} has no auction ${Number(id)}`,
    why: report.unknown[0]?.why ?? "It had no solutions, belongs to another network, or is too new",
    remedy: "Look for it in the list of auctions, or try again later",
  });
}

/** The page of a settlement, with what the lists have of it. */
async function describeTransaction(context: PageContext, hash: string): Promise<PageContent> {
  const { source, node, signal } = context;
  const { book, solvers } = source;
  const options = { solvers, signal, ...node !== null && { node } };
  const report = await inspectTransaction(book, hash, options);
  const content = await describeReport(context, report);
  if (report.settled.length > 0) return content;
  const listing = await context.listing();
  const hasHash = "lower(tx_hash) = $hash";
  const trades = await readRelated(listing, "trades", { and: [hasHash, { hash }] });
  if (!report.isFound && trades.total === 0) throw createNotFound(hash, source.name);
  const isFilled = `t.order_uid IN (SELECT order_uid FROM trades WHERE ${hasHash})`;
  const orders = await readRelated(listing, "orders", { and: [isFilled, { hash }] });
  const sections = await buildRelatedSections({ orders, trades }, context, listTokens(report));
  return { ...content, sections: [...sections, ...content.sections] };
}

/** The page of a transaction with the picture of its transfers, where a node shows them. */
async function drawTransfers(
  { readTokens }: PageContext,
  content: PageContent,
): Promise<PageContent> {
  const report = content.data as TransactionReport;
  if (!report.onchain?.flows?.length) return content;
  const { addReportCharts } = await import("../reports/page/notebook_report.ts");
  return await addReportCharts(content, report, await readTokens(listTokens(report)));
}

function createNotFound(hash: string, name: string): FailureError {
  return new FailureError({
    status: 404,
    what: `${name} has no settlement ${hash}`,
    why: "It may be on another network, not a settlement, or not indexed yet",
    remedy: "Serve the network of the transaction, or try again later",
  });
}

/** A token without a price, which no solver trades, still has a page. */
function ignoreUnpriced(error: unknown): null {
  if (error instanceof ServiceError && (error.status ?? 0) < 500) return null;
  throw error;
}

/** The page of a token: its native price, and the orders and fills that have it. */
async function describeToken(context: PageContext, token: string): Promise<PageContent> {
  const { source, signal } = context;
  const words = await context.nameTokensOf([{ sell_token: token }]);
  const [price, listing] = await Promise.all([
    requestOrNull(() => source.book.nativePrice(token, { signal }).catch(ignoreUnpriced)),
    context.listing(),
  ]);
  const traded = await readOrdersAndFills(listing, { filters: { token } });
  return createContent({
    title: "Token",
    subject: { token },
    sentence: `${words.token(token).text} is in ${countOrdersAndFills(traded)}`,
    facts: toFacts({
      Address: { text: token, exact: token },
      Symbol: cell(words.describeToken(token).symbol),
      Decimals: cell(words.describeToken(token).decimals),
      "Native price": cell(price === null ? null : `${price}`),
      Lists: cell(listing.note),
    }),
    sections: await buildRelatedSections(traded, context, new Set([token])),
    data: {
      token,
      symbol: words.token(token).text,
      decimals: words.describeToken(token).decimals,
      nativePrice: price,
      ...toRelatedData(traded),
    },
  });
}
