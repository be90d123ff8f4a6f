import { type Context, Hono } from "hono";
import { buildTable, cell, type CellSubject, textColumn } from "../reports/page/page_content.ts";
import { ELLIPSIS, type Identifier, parseIdentifier } from "../networks/identifier.ts";
import { renderDataset, renderDictionary } from "./dataset_page.ts";
import { createHomePage } from "./home_page.ts";
import { type ListFormat, renderList } from "./list_pages.ts";
import { type ListName, LISTS, readPage } from "./lists.ts";
import { type LiveFeed, renderLivePage } from "./live.ts";
import {
  createContent,
  type Failure,
  FailureError,
  redirectTo,
  type Reply,
  toHtmlReply,
  toResponse,
} from "./reply.ts";
import { renderPairs, renderSolvers, renderTokens } from "./overview_pages.ts";
import { toPath } from "./row_cells.ts";
import type { PageContext } from "./page_context.ts";
import { createSqlPage } from "./sql_page.ts";
import type { PageSource } from "./page_source.ts";
import { renderFailure, renderSitePage, toFailure } from "./site_page.ts";
import { createSubjectPages, type SubjectKind, SUBJECTS } from "./subject_pages.ts";

/** The routes of an explorer. */
export function createRoutes(context: PageContext, feed: LiveFeed): Hono {
  const renderHome = createHomePage(context);
  const renderSubject = createSubjectPages(context);
  const renderSql = createSqlPage(context);
  const app = new Hono();
  const { source } = context;
  const show = (render: (request: Context) => Promise<Reply>) => async (request: Context) =>
    toResponse(await render(request));
  app.get("/", show(renderHome));
  app.get("/search", show((request) => search(context, parseQuery(request).get("q") ?? "")));
  app.get("/live", show(() => renderLivePage(context)));
  app.get("/live/events", (request) => toResponse(streamEvents(request, feed, source)));
  app.get("/dataset", show(() => renderDataset(context, "html")));
  app.get("/dataset.json", show(() => renderDataset(context, "json")));
  app.get(
    "/dictionary/:table",
    show((request) => renderDictionary(context, request.req.param("table") ?? "")),
  );
  for (const [path, render] of Object.entries(OVERVIEWS)) {
    if (source.toHref(path) === null) continue;
    app.get(path, show(() => render(context, "html")));
    app.get(`${path}.json`, show(() => render(context, "json")));
  }
  for (const [ending, format] of Object.entries(FORMATS)) {
    app.get(`/sql${ending}`, show((request) => renderSql(parseQuery(request), format)));
    for (const list of Object.keys(LISTS) as ListName[]) {
      app.get(
        `/${list}${ending}`,
        show((request) => renderList(context, list, { search: parseQuery(request), format })),
      );
    }
  }
  for (const [alias, kind] of Object.entries(ALIASES)) {
    app.get(`/${alias}/:name`, (request) => {
      const name = encodeURIComponent(request.req.param("name") ?? "");
      return toResponse(redirectTo(`/${kind}/${name}${new URL(request.req.url).search}`));
    });
  }
  for (const kind of Object.keys(SUBJECTS) as SubjectKind[]) {
    app.get(
      `/${kind}/:name`,
      show(async (request) => {
        const name = request.req.param("name") ?? "";
        if (parseIdentifier(name)?.kind === "shortened") return await search(context, name);
        const query = parseQuery(request);
        return await renderSubject(kind, name, {
          hasPictures: query.get("pictures") !== "no",
          isSearched: query.get("search") === "auctions",
          page: readPage(query, `Cannot show ${kind}/${name.slice(0, 120)}`),
        });
      }),
    );
  }
  app.notFound(() => toResponse(renderFailure(PAGE_NOT_FOUND, source)));
  app.onError((error) => toResponse(renderFailure(toFailure(error), source)));
  return app;
}

/** Pages that add up whole tables. */
const OVERVIEWS = { "/solvers": renderSolvers, "/pairs": renderPairs, "/tokens": renderTokens };

/** Other names of pages about one thing: of one of them, and those that explorers use. */
const ALIASES: Readonly<Record<string, SubjectKind>> = {
  order: "orders",
  auction: "auctions",
  solver: "solvers",
  account: "accounts",
  address: "accounts",
  transaction: "transactions",
  tx: "transactions",
  token: "tokens",
};

const FORMATS: Readonly<Record<string, ListFormat>> = {
  "": "html",
  ".csv": "csv",
  ".json": "json",
};

function parseQuery(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

function streamEvents({ req }: Context, feed: LiveFeed, source: PageSource): Reply {
  const type = "text/event-stream; charset=utf-8";
  if (req.method === "HEAD") return { status: 200, type, body: new Uint8Array() };
  if (!feed.isOpen) return renderFailure(TOO_MANY_FOLLOWERS, source);
  const last = req.header("last-event-id");
  const isId = last !== undefined && /^\d{1,16}$/.test(last);
  return { status: 200, type, body: feed.follow(isId ? Number(last) : null) };
}

const PAGE_NOT_FOUND: Failure = {
  status: 404,
  what: "There is no such page",
  remedy: "Use the search box or the links above",
};

const TOO_MANY_FOLLOWERS: Failure = {
  status: 503,
  what: "Too many pages follow the newest auctions",
  remedy: "Close other pages that show them, or try again later",
};

const MAX_SEARCH_LENGTH = 500;

const MAX_MATCHES = 100;

/** Leads to what a text names; shows a choice where it names several. */
async function search(context: PageContext, text: string): Promise<Reply> {
  const query = text.trim();
  if (query === "") return redirectTo("/");
  const subjects = query.length > MAX_SEARCH_LENGTH ? [] : await findSubjects(context, query);
  const [first, second] = subjects;
  if (first === undefined) throw createNotFound(query);
  if (second === undefined) return redirectTo(toPath(first));
  const content = createContent({
    title: "Search",
    sentence: `${subjects.length} matches`,
    sections: [{
      id: "found",
      title: "Found",
      table: buildTable(subjects, [
        textColumn("What", (subject) => cell(Object.keys(subject)[0])),
        textColumn("Name", (subject) => ({ text: formatName(context, subject), subject })),
        textColumn("Address", (subject) => cell(Object.values(subject)[0])),
      ]),
    }],
    data: { searched: query, found: subjects },
  });
  return toHtmlReply(renderSitePage(content, { source: context.source, searched: query }));
}

function formatName({ source, words }: PageContext, subject: CellSubject): string {
  const name = "solver" in subject
    ? source.solverName(subject.solver)
    : "token" in subject
    ? words.token(subject.token).text
    : null;
  return name ?? String(Object.values(subject)[0]);
}

/** Hex digits within other words, whole or by their ends. */
const EMBEDDED_HEX = new RegExp(`0x[0-9a-f]+(?:${ELLIPSIS}[0-9a-f]+)?`, "i");
/** The first digits of a hex text. */
const HEX_START = /0x[0-9a-f]{4,}/i;

/** Parses an identifier, alone or within other words. */
function identify(text: string): Identifier | null {
  const identifier = parseIdentifier(text);
  if (identifier !== null) return identifier;
  const [hex] = EMBEDDED_HEX.exec(text) ?? [];
  return hex === undefined ? null : parseIdentifier(hex);
}

async function findSubjects(context: PageContext, text: string): Promise<CellSubject[]> {
  const identifier = identify(text);
  if (identifier?.kind === "order") return [{ uid: identifier.key }];
  if (identifier?.kind === "transaction") return [{ transaction: identifier.key }];
  if (identifier?.kind === "auction") return [{ auction: Number(identifier.key) }];
  const listing = await context.listing();
  const account = identifier?.kind === "account" ? identifier.key : null;
  const word = account ?? text;
  const findSolvers = async (matches: (address: string) => boolean) =>
    (await listing.findAddresses("solver", matches)).map((solver) => ({ solver }));
  const findTokens = async (matches: (address: string) => boolean) =>
    (await listing.findAddresses("token", matches)).map((token) => ({ token }));
  const namedSubjects: CellSubject[] = [
    ...await findSolvers((address) => context.isSolver(address, word)),
    ...await findTokens((address) => context.isToken(address, word)),
  ];
  if (namedSubjects.length === 0 && account !== null) return [{ account }];
  const [start] = HEX_START.exec(text) ?? [];
  const ends = identifier?.kind === "shortened"
    ? identifier
    : start === undefined
    ? null
    : { begin: start.toLowerCase(), end: "" };
  if (namedSubjects.length > 0 || ends === null) return namedSubjects.slice(0, MAX_MATCHES);
  const { begin, end } = ends;
  const matchesEnds = (address: string) => address.startsWith(begin) && address.endsWith(end);
  const rows = await listing.select<{ kind: string; name: string }>(NAMES_QUERY, { begin, end });
  const subjects = rows.map(({ kind, name }) => ({ [kind]: name }) as unknown as CellSubject);
  const accounts = subjects.filter((subject) => "account" in subject);
  return [
    ...subjects.filter((subject) => !("account" in subject)),
    ...await findSolvers(matchesEnds),
    ...await findTokens(matchesEnds),
    ...accounts,
  ].slice(0, MAX_MATCHES);
}

/** Orders, transactions and accounts whose name begins and ends with some digits. */
const NAMES_QUERY = `
  SELECT kind, name FROM (
    SELECT 1 AS rank, 'uid' AS kind, lower(order_uid) AS name FROM orders
    UNION SELECT 1, 'uid', lower(order_uid) FROM trades
    UNION SELECT 2, 'transaction', lower(tx_hash) FROM solutions WHERE is_winner
    UNION SELECT 2, 'transaction', unnest(string_split(lower(tx_hashes), ' ')) FROM auctions
    UNION SELECT 2, 'transaction', lower(tx_hash) FROM trades
    UNION SELECT 3, 'account', lower(owner) FROM orders
    UNION SELECT 3, 'account', lower(owner) FROM trades
  )
  WHERE starts_with(name, $begin) AND ends_with(name, $end)
  ORDER BY rank, name LIMIT ${MAX_MATCHES}`;

function createNotFound(text: string): FailureError {
  const shortened = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return new FailureError({
    status: 404,
    what: `Nothing here is called ${JSON.stringify(shortened)}`,
    remedy: "Search for an order UID (0x and 112 hexadecimal digits), a transaction (64), an " +
      "account, a solver or a token (40), one of these by its ends such as 0x4e04…b27f, an auction " +
      "id, or the name of a solver or a token",
  });
}
