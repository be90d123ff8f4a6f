import { type Context, Hono } from "hono";
import { FILTERS, type ListName } from "../lists/list_filters.ts";
import type { LiveFeed } from "../live/live_feed.ts";
import { datasetPage } from "./dataset_page.ts";
import { type Failure, FailureError, failureOf, failurePage } from "./error_pages.ts";
import { type ListFormat, listReply } from "./list_pages.ts";
import { livePage } from "./live_page.ts";
import { pageReply, redirectReply, type Reply, responseOf } from "./reply.ts";
import type { Shown } from "./shown.ts";
import { type SubjectKind, type SubjectPages, SUBJECTS } from "./subject_pages.ts";
import { plainContent } from "../markup/plain_content.ts";
import { auctionTable, orderTable } from "../markup/row_cells.ts";
import { sitePage } from "../markup/site_page.ts";
import { cell, type CellSubject } from "../../reports/page/page_content.ts";
import { linkWithin } from "../markup/links.ts";

/** What the routes lead to. */
export interface RouteParts {
  /** What all pages are made from. */
  readonly shown: Shown;
  /** The newest auctions. */
  readonly feed: LiveFeed;
  /** Pages about one thing each. */
  readonly subjects: SubjectPages;
}

/** All addresses of the explorer. Failures become pages. */
export function routes({ shown, feed, subjects }: RouteParts): Hono {
  const app = new Hono();
  const { name } = shown.source;
  const show = (make: (context: Context) => Promise<Reply>) => async (context: Context) =>
    responseOf(await make(context));
  app.get("/", show(() => homePage(shown)));
  app.get("/search", show((context) => search(shown, queryOf(context).get("q") ?? "")));
  app.get("/live", show(() => livePage(shown)));
  app.get("/live/events", (context) => responseOf(events(context, feed, name)));
  app.get("/dataset", show(() => datasetPage(shown, "html")));
  app.get("/dataset.json", show(() => datasetPage(shown, "json")));
  for (const list of Object.keys(FILTERS) as ListName[]) {
    for (const [ending, format] of Object.entries(FORMATS)) {
      app.get(
        `/${list}${ending}`,
        show((context) => listReply(shown, list, { search: queryOf(context), format })),
      );
    }
  }
  for (const kind of Object.keys(SUBJECTS) as SubjectKind[]) {
    app.get(
      `/${kind}/:name`,
      show((context) => {
        const hasPictures = queryOf(context).get("pictures") === "yes";
        return subjects.reply(kind, context.req.param("name") ?? "", hasPictures);
      }),
    );
  }
  app.notFound(() => responseOf(failurePage(NO_PAGE, name)));
  app.onError((error) => responseOf(failurePage(failureOf(error), name)));
  return app;
}

const FORMATS: Readonly<Record<string, ListFormat>> = {
  "": "html",
  ".csv": "csv",
  ".json": "json",
};

function queryOf(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

function events({ req }: Context, feed: LiveFeed, name: string): Reply {
  const type = "text/event-stream; charset=utf-8";
  if (req.method === "HEAD") return { status: 200, type, body: new Uint8Array() };
  if (!feed.isOpen) return failurePage(TOO_MANY, name);
  const last = req.header("last-event-id");
  const isId = last !== undefined && /^\d{1,16}$/.test(last);
  return { status: 200, type, body: feed.follow(isId ? Number(last) : null) };
}

const NO_PAGE: Failure = {
  status: 404,
  what: "There is no such page",
  remedy: "Use the search box or the links above",
};

const TOO_MANY: Failure = {
  status: 503,
  what: "Too many follow the newest auctions",
  remedy: "Close other pages that show them, or come back later",
};

const NEWEST = 10;

/** The first page: the newest auctions and orders, below the search box. */
async function homePage({ source, listings, words }: Shown): Promise<Reply> {
  const { orders, auctions, trades, note } = await listings.current();
  const content = plainContent({
    title: "Orderlens",
    sentence: `What happened in ${source.name}`,
    sections: [
      {
        id: "auctions",
        title: "Newest auctions",
        note: `${note} Auctions: ${auctions.length}, orders: ${orders.length}, ` +
          `fills: ${trades.length}.`,
        table: auctionTable(auctions.slice(0, NEWEST), source),
      },
      {
        id: "orders",
        title: "Newest orders",
        table: orderTable(
          orders.slice(0, NEWEST).map((row) => ({ ...row, verdict: null })),
          words,
        ),
      },
    ],
    data: { auctions: auctions.length, orders: orders.length, trades: trades.length },
  });
  return pageReply(sitePage(content, { name: source.name }));
}

const LONGEST = 500;

const MOST_FOUND = 100;

/** Leads to what a text names; shows a choice where it names several. */
async function search(shown: Shown, text: string): Promise<Reply> {
  const wanted = text.trim();
  if (wanted === "") return redirectReply("/");
  const found = wanted.length > LONGEST ? [] : await subjectsOf(shown, wanted);
  const [first, second] = found;
  if (first === undefined) throw nothingNamed(wanted);
  if (second === undefined) return redirectReply(linkWithin(first));
  const content = plainContent({
    title: "Search",
    sentence: `${found.length} things are called that`,
    sections: [{
      id: "found",
      title: "Found",
      table: {
        columns: [{ name: "What" }, { name: "Name" }, { name: "Address" }],
        rows: found.map((subject) => foundRow(shown, subject)),
      },
    }],
    data: { searched: wanted, found },
  });
  return pageReply(sitePage(content, { name: shown.source.name, searched: wanted }));
}

function foundRow({ source, words }: Shown, subject: CellSubject) {
  const [kind, address] = Object.entries(subject)[0]!;
  const name = kind === "solver"
    ? source.solverName(address)
    : kind === "token"
    ? words.token(address).text
    : null;
  return [cell(kind), { text: name ?? String(address), subject }, cell(address)];
}

async function subjectsOf(shown: Shown, text: string): Promise<CellSubject[]> {
  // Also in the address of another explorer, or in any other text.
  const hex = /0x[0-9a-f]+/i.exec(text)?.[0].toLowerCase();
  if (hex?.length === 114) return [{ uid: hex }];
  if (hex?.length === 66) return [{ transaction: hex }];
  if (/^#?\d{1,15}$/.test(text)) return [{ auction: Number(text.replace("#", "")) }];
  const { orders, auctions } = await shown.listings.current();
  const tokens = new Set(orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]));
  for (const token of shown.source.symbols.keys()) tokens.add(token.toLowerCase());
  const solvers = new Set(auctions.flatMap((auction) => auction.solvers));
  for (const solver of shown.source.solvers.keys()) solvers.add(solver.toLowerCase());
  const word = hex?.length === 42 ? hex : text;
  const named: CellSubject[] = [
    ...[...solvers].filter((one) => shown.isSolver(one, word)).map((solver) => ({ solver })),
    ...[...tokens].filter((one) => shown.isToken(one, word)).map((token) => ({ token })),
  ];
  if (named.length === 0 && hex?.length === 42) return [{ account: hex }];
  return named.slice(0, MOST_FOUND);
}

function nothingNamed(text: string): FailureError {
  const shortened = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return new FailureError({
    status: 404,
    what: `Nothing here is called ${JSON.stringify(shortened)}`,
    remedy: "Search for an order UID (0x and 112 hexadecimal digits), a transaction (64), an " +
      "account, a solver or a token (40), an auction id, or the name of a solver or a token",
  });
}
