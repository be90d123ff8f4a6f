import { type Context, Hono } from "hono";
import type { DatasetDescription } from "../datasets/mod.ts";
import type { Recorded } from "../recordings/mod.ts";
import {
  cell,
  type CellSubject,
  factsOf,
  numbers,
  type PageContent,
  type Section,
  tableOf,
  words,
} from "../reports/page/page_content.ts";
import { ELLIPSIS, type Identifier, parseIdentifier } from "../networks/identifier.ts";
import { pluralize } from "../units/format.ts";
import { homePage } from "./home_page.ts";
import { type ListFormat, listReply } from "./list_pages.ts";
import { type ListName, LISTS } from "./lists.ts";
import { type LiveFeed, livePage } from "./live.ts";
import {
  type Failure,
  FailureError,
  jsonReply,
  pageReply,
  plainContent,
  redirectReply,
  type Reply,
  responseOf,
} from "./reply.ts";
import { linkWithin } from "./row_cells.ts";
import type { Shown } from "./shown.ts";
import { sqlPage } from "./sql_page.ts";
import { failureOf, failurePage, type PageSource, sitePage } from "./site_page.ts";
import { type SubjectKind, subjectPages, SUBJECTS } from "./subject_pages.ts";

/** The routes of an explorer. */
export function routes(shown: Shown, feed: LiveFeed): Hono {
  const home = homePage(shown);
  const subjectPage = subjectPages(shown);
  const sql = sqlPage(shown);
  const app = new Hono();
  const { source } = shown;
  const show = (make: (context: Context) => Promise<Reply>) => async (context: Context) =>
    responseOf(await make(context));
  app.get("/", show(home));
  app.get("/search", show((context) => search(shown, queryOf(context).get("q") ?? "")));
  app.get("/live", show(() => livePage(shown)));
  app.get("/live/events", (context) => responseOf(events(context, feed, source)));
  app.get("/dataset", show(() => datasetPage(shown, "html")));
  app.get("/dataset.json", show(() => datasetPage(shown, "json")));
  for (const [ending, format] of Object.entries(FORMATS)) {
    app.get(`/sql${ending}`, show((context) => sql(queryOf(context), format)));
    for (const list of Object.keys(LISTS) as ListName[]) {
      app.get(
        `/${list}${ending}`,
        show((context) => listReply(shown, list, { search: queryOf(context), format })),
      );
    }
  }
  for (const [alias, kind] of Object.entries(ALIASES)) {
    app.get(`/${alias}/:name`, (context) => {
      const name = encodeURIComponent(context.req.param("name") ?? "");
      return responseOf(redirectReply(`/${kind}/${name}${new URL(context.req.url).search}`));
    });
  }
  for (const kind of Object.keys(SUBJECTS) as SubjectKind[]) {
    app.get(
      `/${kind}/:name`,
      show(async (context) => {
        const name = context.req.param("name") ?? "";
        if (parseIdentifier(name)?.kind === "shortened") return await search(shown, name);
        const hasPictures = queryOf(context).get("pictures") !== "no";
        return await subjectPage(kind, name, hasPictures);
      }),
    );
  }
  app.notFound(() => responseOf(failurePage(NO_PAGE, source)));
  app.onError((error) => responseOf(failurePage(failureOf(error), source)));
  return app;
}

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

function queryOf(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

function events({ req }: Context, feed: LiveFeed, source: PageSource): Reply {
  const type = "text/event-stream; charset=utf-8";
  if (req.method === "HEAD") return { status: 200, type, body: new Uint8Array() };
  if (!feed.isOpen) return failurePage(TOO_MANY, source);
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
  remedy: "Close other pages that show them, or try again later",
};

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
      table: tableOf(found, [
        words("What", (subject) => cell(Object.keys(subject)[0])),
        words("Name", (subject) => ({ text: nameOf(shown, subject), subject })),
        words("Address", (subject) => cell(Object.values(subject)[0])),
      ]),
    }],
    data: { searched: wanted, found },
  });
  return pageReply(sitePage(content, { source: shown.source, searched: wanted }));
}

function nameOf({ source, words }: Shown, subject: CellSubject): string {
  const name = "solver" in subject
    ? source.solverName(subject.solver)
    : "token" in subject
    ? words.token(subject.token).text
    : null;
  return name ?? String(Object.values(subject)[0]);
}

/** Hex digits within other words, whole or by their ends. */
const WITHIN = new RegExp(`0x[0-9a-f]+(?:${ELLIPSIS}[0-9a-f]+)?`, "i");
/** The first digits of a hex text. */
const BEGINNING = /0x[0-9a-f]{4,}/i;

/** What a text identifies: also where it stands within other words. */
function identify(text: string): Identifier | null {
  const whole = parseIdentifier(text);
  if (whole !== null) return whole;
  const [hex] = WITHIN.exec(text) ?? [];
  return hex === undefined ? null : parseIdentifier(hex);
}

async function subjectsOf(shown: Shown, text: string): Promise<CellSubject[]> {
  const identifier = identify(text);
  if (identifier?.kind === "order") return [{ uid: identifier.key }];
  if (identifier?.kind === "transaction") return [{ transaction: identifier.key }];
  if (identifier?.kind === "auction") return [{ auction: Number(identifier.key) }];
  const listing = await shown.listing();
  const account = identifier?.kind === "account" ? identifier.key : null;
  const word = account ?? text;
  const solvers = async (isMeant: (address: string) => boolean) =>
    (await listing.addresses("solver", isMeant)).map((solver) => ({ solver }));
  const tokens = async (isMeant: (address: string) => boolean) =>
    (await listing.addresses("token", isMeant)).map((token) => ({ token }));
  const named: CellSubject[] = [
    ...await solvers((address) => shown.isSolver(address, word)),
    ...await tokens((address) => shown.isToken(address, word)),
  ];
  if (named.length === 0 && account !== null) return [{ account }];
  const [beginning] = BEGINNING.exec(text) ?? [];
  const ends = identifier?.kind === "shortened"
    ? identifier
    : beginning === undefined
    ? null
    : { begin: beginning.toLowerCase(), end: "" };
  if (named.length > 0 || ends === null) return named.slice(0, MOST_FOUND);
  const { begin, end } = ends;
  const fits = (address: string) => address.startsWith(begin) && address.endsWith(end);
  const rows = await listing.select<{ kind: string; name: string }>(NAMED, { begin, end });
  const found = rows.map(({ kind, name }) => ({ [kind]: name }) as unknown as CellSubject);
  const accounts = found.filter((subject) => "account" in subject);
  return [
    ...found.filter((subject) => !("account" in subject)),
    ...await solvers(fits),
    ...await tokens(fits),
    ...accounts,
  ].slice(0, MOST_FOUND);
}

/** Orders, transactions and accounts whose name begins and ends with some digits. */
const NAMED = `
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
  ORDER BY rank, name LIMIT ${MOST_FOUND}`;

function nothingNamed(text: string): FailureError {
  const shortened = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return new FailureError({
    status: 404,
    what: `Nothing here is called ${JSON.stringify(shortened)}`,
    remedy: "Search for an order UID (0x and 112 hexadecimal digits), a transaction (64), an " +
      "account, a solver or a token (40), one of these by its ends such as 0x4e04…b27f, an auction " +
      "id, or the name of a solver or a token",
  });
}

/** What the dataset or the recording has and lacks. */
async function datasetPage(shown: Shown, format: "html" | "json"): Promise<Reply> {
  const content = await contentOf(shown);
  if (format === "json") return jsonReply(content.data);
  const { total } = await (await shown.listing()).count("trades");
  const view = await shown.fills(total, () => true);
  return pageReply(sitePage(content, { source: shown.source, ...view }), { ...view });
}

async function contentOf({ source: { dataset, recorded, name } }: Shown): Promise<PageContent> {
  if (recorded !== null) return recordingContent(recorded, name);
  if (dataset === null) return askedContent(name);
  // Reads columns with native code: only who opens a dataset needs it.
  const { describeDataset } = await import("../datasets/reading/describe_dataset.ts");
  return datasetContent(await describeDataset(dataset.folder));
}

function datasetContent(description: DatasetDescription): PageContent {
  const data = withoutFolder(description);
  const { citation, isComplete, source, ids, span, library } = description;
  const facts = factsOf({
    Version: cell(citation.version),
    "Chain id": cell(source.chainId),
    Settlement: cell(source.settlementContract),
    Times: cell(span === null ? null : `${span.from} to ${span.to}`),
    ...Object.fromEntries(
      Object.entries(ids).filter(([, { count }]) => count > 0).map(([state, { count }]) => [
        `Ids: ${state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
        cell(count),
      ]),
    ),
    "Made by": cell(`Orderlens ${library}`),
  });
  return plainContent({
    title: "Dataset",
    sentence: citation.title,
    tone: isComplete ? "good" : "warning",
    facts,
    sections: [
      lines("gaps", "What it has and lacks", description.gaps),
      tables(description),
      lines("verify", "How to verify it", data.verify),
      lines("cite", "How to cite it", [citation.text]),
    ],
    ...data.command !== null && { command: data.command },
    data,
  });
}

/** The description with the name of the folder alone: where it is is a matter of this machine. */
function withoutFolder(
  { folder, verify, command, ...others }: DatasetDescription,
): Omit<DatasetDescription, "folder"> {
  const name = folder.split(/[/\\]/).at(-1) ?? "";
  const shorten = (text: string) => text.replaceAll(folder, name);
  return {
    ...others,
    verify: verify.map(shorten),
    command: command === null ? null : shorten(command),
  };
}

function lines(id: string, title: string, texts: readonly string[]): Section {
  return { id, title, table: tableOf(texts, [words(title, cell)]) };
}

function tables({ tables }: DatasetDescription): Section {
  return {
    id: "tables",
    title: "Tables",
    table: tableOf(tables, [
      words("Table", ({ name }) => cell(name)),
      numbers("Rows", ({ rows }) => cell(rows.toLocaleString("en-US"))),
      numbers("Bytes", ({ bytes }) => cell(bytes.toLocaleString("en-US"))),
      words("One row", ({ grain }) => cell(grain)),
      words("Key", ({ key }) => cell(key.join(", "))),
    ]),
  };
}

/** Of a deployment or a sandbox: the head of every page links here. */
function askedContent(name: string): PageContent {
  return plainContent({
    title: "Data",
    sentence: `${name} answers what it is asked, and has no files that could be described`,
    facts: factsOf({
      "To have files": cell("Export a dataset with `orderlens export`, and serve its folder"),
    }),
    sections: [],
    data: { name },
  });
}

function recordingContent(recorded: Recorded, name: string): PageContent {
  const { routes, auctionIds, orderUids, accounts, txHashes, tokens } = recorded;
  return plainContent({
    title: "Recording",
    sentence: `${name} has ${pluralize(auctionIds.length, "auction")} and ${
      pluralize(orderUids.length, "order")
    }`,
    facts: factsOf({
      Accounts: cell(accounts.length),
      Settlements: cell(txHashes.length),
      "Priced tokens": cell(tokens.length),
      Auctions: cell(`${auctionIds[0] ?? "–"} to ${auctionIds.at(-1) ?? "–"}`),
    }),
    sections: [{
      id: "routes",
      title: "Answers by route",
      table: tableOf([...routes], [
        words("Route", ([route]) => cell(route)),
        numbers("Answers", ([, count]) => cell(count)),
      ]),
    }],
    data: { name, routes },
  });
}
