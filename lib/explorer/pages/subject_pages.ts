import { InputError } from "../../errors/mod.ts";
import { inspectOrder, type OrderReport } from "../../reports/mod.ts";
import type { Markup } from "../../reports/page/html_cell.ts";
import { html } from "../../reports/page/markup.ts";
import { orderContent } from "../../reports/page/order_content.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { reportJson } from "../../reports/page/report_json.ts";
import { Kept } from "../caching/kept.ts";
import { sitePage } from "../markup/site_page.ts";
import { accountPage } from "./account_page.ts";
import { auctionPage } from "./auction_page.ts";
import { FailureError } from "./error_pages.ts";
import { jsonReply, pageReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";
import { solverPage } from "./solver_page.ts";
import { tokenPage } from "./token_page.ts";
import { transactionPage } from "./transaction_page.ts";

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
  solvers: { ...ADDRESS, content: solverPage },
  accounts: { ...ADDRESS, content: accountPage },
  transactions: {
    name: /^0x[0-9a-f]{64}$/i,
    looks: "0x and 64 hexadecimal digits",
    content: transactionPage,
  },
  tokens: { ...ADDRESS, content: tokenPage },
};

/** Bytes of pages that are kept: about a thousand pages. */
const MOST_BYTES = 32_000_000;

/** Pages about one thing each, kept for a while: the newest that were asked for. */
export class SubjectPages {
  readonly #shown: Shown;
  readonly #kept: Kept<Reply>;

  /** Makes nothing yet. */
  constructor(shown: Shown, now: () => number) {
    this.#shown = shown;
    this.#kept = new Kept({
      mostWeight: MOST_BYTES,
      weightOf: ({ body }) => body instanceof Uint8Array ? body.byteLength : MOST_BYTES,
      freshMs: shown.freshMs,
      now,
    });
  }

  /**
   * The page of a thing, or its report as JSON.
   *
   * @param name Its name, with `.json` at its end for JSON.
   * @param hasPictures Whether the page of an order has its pictures, which take most of its time.
   */
  async reply(kind: SubjectKind, name: string, hasPictures: boolean): Promise<Reply> {
    const isJson = name.endsWith(".json");
    const own = (isJson ? name.slice(0, -".json".length) : name).toLowerCase();
    requireName(kind, own);
    const isDrawn = hasPictures && kind === "orders" && !isJson;
    const form = isJson ? "json" : isDrawn ? "drawn" : "html";
    return await this.#kept.of(`${kind}/${own} ${form}`, async () => {
      const content = isDrawn
        ? await drawnOrder(this.#shown, own)
        : await SUBJECTS[kind].content(this.#shown, own);
      if (isJson) return jsonReply(`${reportJson(content.data)}\n`);
      const { name: source } = this.#shown.source;
      return pageReply(
        sitePage(content, {
          name: source,
          searched: own,
          data: `/${kind}/${own}.json`,
          ...kind === "orders" && !isDrawn && { outro: picturesLink(own) },
        }),
      );
    });
  }
}

function requireName(kind: SubjectKind, name: string): void {
  const { name: pattern, looks } = SUBJECTS[kind];
  if (pattern.test(name)) return;
  throw new InputError(`Cannot show ${kind}/${name.slice(0, 120)}`, {
    remedy: `Pass ${looks}, or use the search box`,
  });
}

function picturesLink(uid: string): Markup {
  return html`
    <p><a href="/orders/${uid}?pictures=yes">With pictures</a></p>
  `;
}

async function ofOrder(shown: Shown, uid: string): Promise<PageContent> {
  return orderContent(await reportOf(shown, uid), shown.source.tokens);
}

async function drawnOrder(shown: Shown, uid: string): Promise<PageContent> {
  const report = await reportOf(shown, uid);
  const { withOrderCharts } = await import("../../reports/page/with_order_charts.ts");
  return await withOrderCharts(orderContent(report, shown.source.tokens), report);
}

async function reportOf({ source, node }: Shown, uid: string): Promise<OrderReport> {
  const { book, solvers, name } = source;
  const report = await inspectOrder(book, uid, { solvers, ...node !== null && { node } });
  if (report.verdict !== "unknown_here") return report;
  throw new FailureError({
    status: 404,
    what: `${name} has no order ${uid}`,
    why: "A UID names neither its network nor its environment, so that it may be at another one",
    remedy: "Serve that network, or ask all of them with `orderlens inspect`",
  });
}
