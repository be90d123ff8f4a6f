import { InputError, NotFoundError, NotRecordedError, UnavailableError } from "../errors/mod.ts";
import { type AccountReport, inspectAccount } from "../reports/mod.ts";
import { html, type Markup } from "../reports/page/html_cell.ts";
import { type PageContent, toFacts } from "../reports/page/page_content.ts";
import { listTokens } from "../reports/page/node_tokens.ts";
import { toAccountCell } from "../reports/page/cell_formatter.ts";
import { toPageContent } from "../reports/page/report_content.ts";
import { pluralize } from "../units/format.ts";
import { HexMap } from "../units/mod.ts";
import { formatListQuery, type ListName } from "./lists.ts";
import type { PageContext } from "./page_context.ts";
import { renderLink } from "./page_source.ts";
import { createContent } from "./reply.ts";
import {
  buildRelatedSections,
  MAX_RELATED,
  readOrdersAndFills,
  type RelatedRows,
  toRelatedData,
} from "./row_cells.ts";

/** The page of an account, and links to what it leaves out. */
interface AccountContent {
  readonly content: PageContent;
  /** `null` if the page has everything. */
  readonly pager: Markup | null;
}

/** Orders and fills of an account, of which there may be older ones. */
interface AccountRows extends RelatedRows {
  readonly hasMore: boolean;
}

/**
 * The page of an account: its orders and fills.
 *
 * @param page Number of the page, from 1; the pages after the first have older orders and fills.
 * @throws {InputError} If the page is beyond those that one request reads, or the lists of its source have
 *   what is not on the first.
 */
export async function describeAccount(
  context: PageContext,
  account: string,
  page: number,
): Promise<AccountContent> {
  const { source, node, signal } = context;
  if (source.isFixed && page > 1) {
    throw new InputError(`Cannot show page ${page} of an account: it has one page here`, {
      remedy: "Read all of its orders and fills in the lists, which its page links",
    });
  }
  const traded = source.isFixed
    ? {
      ...await readOrdersAndFills(await context.listing(), { filters: { owner: account } }),
      hasMore: false,
    }
    : await requestOrdersAndFills(context, account, page);
  const pager = source.isFixed
    ? renderListLinks(context, account, traded, MAX_RELATED)
    : renderPager(context, account, { page, hasMore: traded.hasMore });
  // It asks for all answers about each order, which is too much of a public deployment.
  if (source.isLocal && page === 1) {
    const { book, solvers } = source;
    const report = await inspectAccount(book, account, {
      solvers,
      signal,
      ...node !== null && { node },
    });
    if (report.orders.length > 0) {
      const tokens = listTokens(report);
      const content = toPageContent(report, await context.readTokens(tokens));
      const links = source.isFixed
        ? renderListLinks(context, account, traded, MAX_BESIDE_REPORT)
        : null;
      const otherRows = selectOthers(
        traded,
        report,
        links === null ? MAX_RELATED : MAX_BESIDE_REPORT,
      );
      const sections = await buildRelatedSections(otherRows, context, tokens);
      return {
        content: { ...content, sections: [...content.sections, ...sections] },
        pager: links ?? pager,
      };
    }
  }
  const content = createContent({
    title: "Account",
    subject: { account },
    sentence: page > 1
      ? `Page ${page} of the orders and fills of this account`
      : traded.orders.total + traded.trades.total === 0
      ? "This account has no orders here"
      : `This account has ${traded.hasMore ? "at least " : ""}${countOrdersAndFills(traded)} here`,
    facts: toFacts({ Account: toAccountCell(account) }),
    sections: await buildRelatedSections(traded, context),
    data: { account, page, hasMore: traded.hasMore, ...toRelatedData(traded) },
  });
  return { content, pager };
}

/** Orders, and fills, that a page shows beside the report of an account, where links lead to all. */
const MAX_BESIDE_REPORT = 10;

/** Selects orders that a report has not judged, and fills, up to a number each. */
function selectOthers(
  { orders, trades, hasMore }: AccountRows,
  report: AccountReport,
  limit: number,
): RelatedRows {
  const judged = new HexMap(report.orders.map(({ uid }) => [uid, true]));
  const unjudged = orders.rows.filter(({ uid }) => !judged.has(uid));
  const total = orders.total - (orders.rows.length - unjudged.length);
  const note = total > limit
    ? `The newest ${limit} of ${total} that are not judged above.`
    : hasMore
    ? `${orders.note} Those that are judged above are left out.`
    : `All ${total} that are not judged above.`;
  return {
    orders: { total, rows: unjudged.slice(0, limit), note },
    trades: limit < trades.rows.length
      ? {
        ...trades,
        rows: trades.rows.slice(0, limit),
        note: `The newest ${limit} of ${trades.total}.`,
      }
      : trades,
  };
}

/** Counts orders and fills in words. */
export function countOrdersAndFills({ orders, trades }: RelatedRows): string {
  return `${pluralize(orders.total, "order")} and ${pluralize(trades.total, "fill")}`;
}

/** Pages of an account that a deployment is asked for: one request has a thousand rows at most. */
const MAX_PAGE = 19;

/** Requests the rows of a page, and one more, with two requests. */
async function requestOrdersAndFills(
  context: PageContext,
  owner: string,
  page: number,
): Promise<AccountRows> {
  if (page > MAX_PAGE) {
    throw new InputError(`Cannot show page ${page} of an account: its pages go to ${MAX_PAGE}`, {
      remedy: "Read older orders in code, with `accountOrders` of a book",
    });
  }
  const { source: { book }, signal } = context;
  const [start, end] = [MAX_RELATED * (page - 1), MAX_RELATED * page];
  const options = { limit: end + 1, signal };
  const [orders, trades] = await Promise.all([
    requestOrNull(() => Array.fromAsync(book.accountOrders(owner, options))),
    requestOrNull(() => Array.fromAsync(book.trades({ owner }, options))),
  ]);
  const isCut = (rows: readonly unknown[] | null) => (rows?.length ?? 0) > end;
  const selectPage = <Row>(rows: readonly Row[] | null) => rows?.slice(start, end) ?? [];
  const listing = await context.listRecords(selectPage(orders), selectPage(trades));
  try {
    const related = await readOrdersAndFills(listing, {});
    const formatNote = (count: number, hasOlder: boolean) =>
      page === 1 && !hasOlder
        ? `All ${count}.`
        : `Numbers ${start + 1} to ${start + count}, newest first${
          hasOlder ? "; there are older ones" : ""
        }.`;
    const [hasOrders, hasTrades] = [isCut(orders), isCut(trades)];
    return {
      orders: { ...related.orders, note: formatNote(related.orders.total, hasOrders) },
      trades: { ...related.trades, note: formatNote(related.trades.total, hasTrades) },
      hasMore: hasOrders || hasTrades,
    };
  } finally {
    await listing.replace();
  }
}

/** Links to the lists of all orders and fills of an account, where its page has the newest alone. */
function renderListLinks(
  { source }: PageContext,
  owner: string,
  { orders, trades }: RelatedRows,
  limit: number,
): Markup | null {
  const query = formatListQuery({ filters: { owner }, sort: "", page: 1 });
  const link = (list: ListName, total: number, noun: string) =>
    total <= limit
      ? ""
      : renderLink(source, `/${list}${query}`, `All ${pluralize(total, noun)}`) ?? "";
  const links = [link("orders", orders.total, "order"), link("trades", trades.total, "fill")];
  return links.every((markup) => markup === "")
    ? null
    : html`<nav class="pager" aria-label="All of them">${links[0]} ${links[1]}</nav>`;
}

/** Links to newer and older orders and fills. */
function renderPager(
  { source }: PageContext,
  account: string,
  { page, hasMore }: { readonly page: number; readonly hasMore: boolean },
): Markup | null {
  const link = (number: number, text: string, rel: string) =>
    renderLink(source, `/accounts/${account}?page=${number}`, text, { rel }) ?? "";
  if (page === 1 && !hasMore) return null;
  return html`<nav class="pager" aria-label="Pages">
${page === 1 ? "" : link(page - 1, "← Newer", "prev")}
<span>Page ${String(page)}</span>
${hasMore && page < MAX_PAGE ? link(page + 1, "Older →", "next") : ""}
</nav>`;
}

/** Returns the result of a request; `null` where the source has none. */
export async function requestOrNull<Value>(request: () => Promise<Value>): Promise<Value | null> {
  try {
    return await request();
  } catch (error) {
    const isMissing = error instanceof NotFoundError || error instanceof NotRecordedError ||
      error instanceof UnavailableError;
    if (isMissing) return null;
    throw error;
  }
}
