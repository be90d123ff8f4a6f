import { type Context, Hono } from "hono";
import { FILTERS, type ListName } from "../lists/list_filters.ts";
import type { LiveFeed } from "../live/live_feed.ts";
import { datasetPage } from "./dataset_page.ts";
import { type Failure, failureOf, failurePage } from "./error_pages.ts";
import { homePage } from "./home_page.ts";
import { type ListFormat, listReply } from "./list_pages.ts";
import { livePage } from "./live_page.ts";
import { type Reply, responseOf } from "./reply.ts";
import { search } from "./search.ts";
import type { Shown } from "./shown.ts";
import { type SubjectKind, type SubjectPages, SUBJECTS } from "./subject_pages.ts";

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
  const isId = last !== undefined && /^\d{1,15}$/.test(last);
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
