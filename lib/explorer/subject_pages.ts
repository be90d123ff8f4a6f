import {
  InputError,
  NotFoundError,
  NotRecordedError,
  ServiceError,
  UnavailableError,
} from "../errors/mod.ts";
import {
  inspectAccount,
  inspectAuction,
  inspectOrder,
  inspectSolver,
  inspectTransaction,
  type OrderReport,
} from "../reports/mod.ts";
import { parseIdentifier } from "../networks/identifier.ts";
import { html, type Markup } from "../reports/page/html_cell.ts";
import { cell, factsOf, type PageContent } from "../reports/page/page_content.ts";
import { readNodeTokens } from "../reports/page/node_tokens.ts";
import { accountCell } from "../reports/page/page_words.ts";
import { contentOf, type Report } from "../reports/page/report_content.ts";
import { counted } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import type { Fill } from "./explorations.ts";
import { type AuctionRow, orderRow, tradeRow } from "./list_rows.ts";
import {
  FailureError,
  jsonReply,
  keptReplies,
  pageReply,
  plainContent,
  type Reply,
} from "./reply.ts";
import { auctionTable, MOST_RELATED, relatedData, relatedSections } from "./row_cells.ts";
import type { Shown } from "./shown.ts";
import { sitePage } from "./site_page.ts";

/** Auction ids of which its report is made, at most. */
const MOST_IDS = 1_500;

/** The page of a solver: the auctions in which it bid, those that it won, and its settlements. */
async function solverPage(shown: Shown, solver: string): Promise<PageContent> {
  const { source } = shown;
  const { auctions, trades, solverOf, note } = await shown.listing();
  const isOwn = (one: string) => sameHex(one, solver);
  const bid = auctions.filter(({ solvers }) => solvers.some(isOwn));
  const won = bid.filter(({ winners }) => winners.some(isOwn));
  const settled = trades.filter(({ txHash }) => isOwn(solverOf.get(txHash ?? "") ?? ""));
  const name = source.solverName(solver);
  const sections = [
    {
      id: "listed-auctions",
      title: "Auctions that it won",
      note: won.length > MOST_RELATED
        ? `The newest ${MOST_RELATED} of ${won.length}. ${note}`
        : note,
      table: auctionTable(won.slice(0, MOST_RELATED), shown),
    },
    ...relatedSections({ trades: settled }, shown),
  ];
  // It asks for each of its auctions, which is too much of a public deployment.
  if (source.isLocal) {
    const { book, solvers, tokens } = source;
    const ids = 1 + (auctions[0]?.auctionId ?? 0) - (auctions.at(-1)?.auctionId ?? 0);
    const last = Math.min(Math.max(ids, 1), MOST_IDS);
    const report = await inspectSolver(book, solver, { solvers, auctions: { last } });
    const content = contentOf(report, tokens);
    const part = ids > last ? cell(`the newest ${last} of ${ids} ids`) : null;
    const facts = [...content.facts, ...factsOf({ "Auctions read": part })];
    return { ...content, facts, sections: [...content.sections, ...sections] };
  }
  return plainContent({
    title: `Solver ${name ?? ""}`.trim(),
    subject: { solver },
    sentence: bid.length === 0
      ? "No auction here has a solution of this solver"
      : `${name ?? "This solver"} bid in ${counted(bid.length, "auction")} and won ${won.length}`,
    facts: factsOf({
      Address: accountCell(solver),
      Name: cell(name),
      Auctions: cell(auctions.length),
    }),
    sections,
    data: {
      solver,
      name,
      auctionsBid: bid.length,
      auctionsWon: won.length,
      won: won.slice(0, MOST_RELATED),
      ...relatedData([], settled),
    },
  });
}

/** Kinds of things that have a page each, as the first part of its path. */
export type SubjectKind =
  | "orders"
  | "auctions"
  | "solvers"
  | "accounts"
  | "transactions"
  | "tokens";

interface Subject {
  /** What its names look like. */
  readonly name: RegExp;
  /** The same in words. */
  readonly looks: string;
  /** Its page. */
  readonly content: (shown: Shown, name: string) => Promise<PageContent>;
  /** Which fills are explored on its page. @default {none} */
  readonly hasFill?: (fill: Fill, name: string) => boolean;
}

const ADDRESS = { name: /^0x[0-9a-f]{40}$/i, looks: "0x and 40 hexadecimal digits" };

/** All kinds, with what their names look like. */
export const SUBJECTS: Readonly<Record<SubjectKind, Subject>> = {
  orders: {
    name: /^0x[0-9a-f]{112}$/i,
    looks: "0x and 112 hexadecimal digits",
    content: ofOrder,
  },
  auctions: { name: /^\d{1,15}$/, looks: "a whole number", content: auctionPage },
  solvers: {
    ...ADDRESS,
    content: solverPage,
    hasFill: ({ solver }, name) => solver !== null && sameHex(solver, name),
  },
  accounts: { ...ADDRESS, content: accountPage },
  transactions: {
    name: /^0x[0-9a-f]{64}$/i,
    looks: "0x and 64 hexadecimal digits",
    content: transactionPage,
  },
  tokens: {
    ...ADDRESS,
    content: tokenPage,
    hasFill: ({ sell_token, buy_token }, name) =>
      sameHex(sell_token, name) || sameHex(buy_token, name),
  },
};

/** Bytes of pages that are kept: about a thousand pages. */
const MOST_BYTES = 32_000_000;

/**
 * Pages about one thing each, or its report as JSON; kept for a while.
 *
 * @returns Makes the page of a name, with `.json` at its end for JSON; the page of an order with or
 * without its pictures, which take most of its time.
 */
export function subjectPages(
  shown: Shown,
): (kind: SubjectKind, name: string, hasPictures: boolean) => Promise<Reply> {
  const { source, fills } = shown;
  const kept = keptReplies(MOST_BYTES, shown.freshMs);
  return async (kind, name, hasPictures) => {
    const isJson = name.endsWith(".json");
    const written = isJson ? name.slice(0, -".json".length) : name;
    const identifier = parseIdentifier(written);
    const own = identifier !== null && "key" in identifier ? identifier.key : written.toLowerCase();
    const subject = SUBJECTS[kind];
    if (!subject.name.test(own)) {
      throw new InputError(`Cannot show ${kind}/${own.slice(0, 120)}`, {
        remedy: `Pass ${subject.looks}, or use the search box`,
      });
    }
    const isDrawn = hasPictures && kind === "orders" && !isJson;
    const form = isJson ? "json" : isDrawn || kind !== "orders" ? "html" : "plain";
    return await kept.of(`${kind}/${own} ${form}`, async () => {
      const content = isDrawn ? await drawnOrder(shown, own) : await subject.content(shown, own);
      if (isJson) return jsonReply(content.data);
      const { hasFill } = subject;
      const view = hasFill === undefined
        ? null
        : await fills((await shown.listing()).trades.length, (fill) => hasFill(fill, own));
      const page = sitePage(content, {
        source,
        searched: own,
        data: `/${kind}/${own}.json`,
        ...view,
        ...kind === "orders" && !isDrawn && { outro: picturesLink(own) },
        ...kind === "auctions" && source.isLocal &&
          { outro: neighbours((await shown.listing()).auctions, Number(own)) },
      });
      return pageReply(page, { ...view });
    });
  };
}

function picturesLink(uid: string): Markup {
  return html`
    <p><a href="/orders/${uid}">With pictures</a></p>
  `;
}

/** Links to the auctions before and behind one. */
function neighbours(auctions: readonly AuctionRow[], auctionId: number): Markup {
  // The newest come first.
  const at = auctions.findIndex((row) => row.auctionId <= auctionId);
  const isListed = auctions[at]?.auctionId === auctionId;
  const [next, previous] = [auctions[at - 1], auctions[isListed ? at + 1 : at]];
  return html`
    <nav class="pager" aria-label="Auctions beside this one">
    ${previous === undefined ? "" : html`
      <a href="/auctions/${String(previous.auctionId)}"
        rel="prev">← Auction ${String(previous.auctionId)}</a>
    `}
    ${next === undefined ? "" : html`
      <a href="/auctions/${String(next.auctionId)}"
        rel="next">Auction ${String(next.auctionId)} →</a>
    `}
    </nav>
  `;
}

async function ofOrder(shown: Shown, uid: string): Promise<PageContent> {
  return await describeReport(shown, await reportOf(shown, uid));
}

async function drawnOrder(shown: Shown, uid: string): Promise<PageContent> {
  const report = await reportOf(shown, uid);
  const { withOrderCharts } = await import("../reports/page/shown_report.ts");
  return await withOrderCharts(await describeReport(shown, report), report);
}

async function reportOf({ source, node, signal }: Shown, uid: string): Promise<OrderReport> {
  const { book, solvers, name } = source;
  const report = await inspectOrder(book, uid, { solvers, signal, ...node !== null && { node } });
  if (report.verdict !== "unknown_here") return report;
  throw new FailureError({
    status: 404,
    what: `${name} has no order ${uid}`,
    ...source.isFixed
      ? {
        why: "It keeps a part of its deployment: auctions also list orders that it does not have",
        remedy: "Ask the deployment itself with `orderlens inspect`, or serve a longer export",
      }
      : {
        why:
          "A UID names neither its network nor its environment, so that it may be at another one",
        remedy: "Serve that network, or ask all of them with `orderlens inspect`",
      },
  });
}

/** The page of a report, with facts about tokens that only a node knows. */
async function describeReport(
  { source: { tokens: known }, node, signal }: Shown,
  report: Report,
): Promise<PageContent> {
  if (node === null) return contentOf(report, known);
  return contentOf(report, (await readNodeTokens(report, node, { known, signal })).tokens);
}

/** The page of an auction. */
async function auctionPage(shown: Shown, id: string): Promise<PageContent> {
  const { source, node, signal } = shown;
  const { book, solvers } = source;
  const report = await inspectAuction(book, Number(id), {
    solvers,
    signal,
    ...node !== null && { node },
  });
  if (report.isFound) return await describeReport(shown, report);
  throw new FailureError({
    status: 404,
    what: `${source.name} has no auction ${Number(id)}`,
    why: report.unknown[0]?.why ?? "It had no solutions, is of another network, or is too new",
    remedy: "Look for it in the list of auctions, or try again later",
  });
}

/** The page of a settlement, with what the lists have of it. */
async function transactionPage(shown: Shown, hash: string): Promise<PageContent> {
  const { source, node, signal } = shown;
  const { book, solvers } = source;
  const asked = { solvers, signal, ...node !== null && { node } };
  const report = await inspectTransaction(book, hash, asked);
  const content = await describeReport(shown, report);
  if (report.settled.length > 0) return content;
  const { trades, orders } = await shown.listing();
  const fills = trades.filter(({ txHash }) => txHash?.toLowerCase() === hash);
  const uids = new Set(fills.map(({ uid }) => uid));
  if (!report.isFound && fills.length === 0) throw unknownHere(hash, source.name);
  const own = orders.filter(({ uid }) => uids.has(uid));
  const sections = relatedSections({ orders: own, trades: fills }, shown);
  return { ...content, sections: [...sections, ...content.sections] };
}

function unknownHere(hash: string, name: string): FailureError {
  return new FailureError({
    status: 404,
    what: `${name} knows no settlement ${hash}`,
    why: "It is of another network, not a settlement, or not indexed yet",
    remedy: "Look at the network that it is of, or try again later",
  });
}

/** A token without a price, which no solver trades, still has a page. */
function nullIfUnpriced(error: unknown): null {
  if (error instanceof ServiceError && error.status < 500) return null;
  throw error;
}

/** The page of a token: its native price, and the orders and fills that have it. */
async function tokenPage(shown: Shown, token: string): Promise<PageContent> {
  const { source, words, signal } = shown;
  const [price, listing] = await Promise.all([
    orNull(() => source.book.nativePrice(token, { signal }).catch(nullIfUnpriced)),
    shown.listing(),
  ]);
  const has = (row: { readonly sellToken: string; readonly buyToken: string }) =>
    sameHex(row.sellToken, token) || sameHex(row.buyToken, token);
  const orders = listing.orders.filter(has);
  const trades = listing.trades.filter(has);
  return plainContent({
    title: "Token",
    subject: { token },
    sentence: `${words.token(token).text} is in ${ordersAndFills(orders, trades)}`,
    facts: factsOf({
      Address: { text: token, exact: token },
      Symbol: cell(words.token(token).text),
      "Native price": cell(price === null ? null : `${price}`),
      Lists: cell(listing.note),
    }),
    sections: relatedSections({ orders, trades }, shown),
    data: {
      token,
      symbol: words.token(token).text,
      nativePrice: price,
      ...relatedData(orders, trades),
    },
  });
}

/** The page of an account: its orders and fills. */
async function accountPage(shown: Shown, account: string): Promise<PageContent> {
  const { orders, trades } = shown.source.isFixed
    ? await fromLists(shown, account)
    : await fromBook(shown, account);
  const sections = relatedSections({ orders, trades }, shown);
  // It asks for all answers about each order, which is too much of a public deployment.
  if (shown.source.isLocal) {
    const { book, solvers } = shown.source;
    const { node, signal } = shown;
    const report = await inspectAccount(book, account, {
      solvers,
      signal,
      ...node !== null && { node },
    });
    const content = await describeReport(shown, report);
    if (report.orders.length > 0) {
      return { ...content, sections: [...content.sections, ...sections] };
    }
  }
  return plainContent({
    title: "Account",
    subject: { account },
    sentence: orders.length === 0 && trades.length === 0
      ? "No order of this account is known here"
      : `Known of this account: ${ordersAndFills(orders, trades)}`,
    facts: factsOf({ Account: accountCell(account) }),
    sections,
    data: { account, ...relatedData(orders, trades) },
  });
}

function ordersAndFills(orders: readonly unknown[], fills: readonly unknown[]): string {
  return `${counted(orders.length, "order")} and ${counted(fills.length, "fill")}`;
}

async function fromLists({ listing }: Shown, account: string) {
  const { orders, trades } = await listing();
  return {
    orders: orders.filter(({ owner }) => sameHex(owner, account)),
    trades: trades.filter(({ owner }) => sameHex(owner, account)),
  };
}

/** The newest of each, so that an account with very many takes two requests. */
async function fromBook({ source: { book }, signal }: Shown, owner: string) {
  const limit = MOST_RELATED;
  const [orders, trades] = await Promise.all([
    orNull(() => Array.fromAsync(book.accountOrders(owner, { limit, signal }))),
    orNull(() => Array.fromAsync(book.trades({ owner }, { limit, signal }))),
  ]);
  return { orders: (orders ?? []).map(orderRow), trades: (trades ?? []).map(tradeRow) };
}

/** What a request answers; `null` where the source has no answer. */
async function orNull<Value>(request: () => Promise<Value>): Promise<Value | null> {
  try {
    return await request();
  } catch (error) {
    const isMissing = error instanceof NotFoundError || error instanceof NotRecordedError ||
      error instanceof UnavailableError;
    if (isMissing) return null;
    throw error;
  }
}
