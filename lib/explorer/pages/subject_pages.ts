import { InputError } from "../../errors/mod.ts";
import { inspectOrder } from "../../reports/mod.ts";
import { orderContent } from "../../reports/page/order_content.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { reportJson } from "../../reports/page/report_json.ts";
import { Kept } from "../caching/kept.ts";
import { sitePage } from "../markup/site_page.ts";
import { accountContent } from "./account_content.ts";
import { auctionContent } from "./auction_content.ts";
import { FailureError } from "./error_pages.ts";
import { jsonReply, pageReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";
import { solverContent } from "./solver_content.ts";
import { tokenContent } from "./token_content.ts";
import { transactionContent } from "./transaction_content.ts";

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
  auctions: { name: /^\d{1,15}$/, looks: "a whole number", content: auctionContent },
  solvers: { ...ADDRESS, content: solverContent },
  accounts: { ...ADDRESS, content: accountContent },
  transactions: {
    name: /^0x[0-9a-f]{64}$/i,
    looks: "0x and 64 hexadecimal digits",
    content: transactionContent,
  },
  tokens: { ...ADDRESS, content: tokenContent },
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
   */
  async reply(kind: SubjectKind, name: string): Promise<Reply> {
    const isJson = name.endsWith(".json");
    const own = (isJson ? name.slice(0, -".json".length) : name).toLowerCase();
    requireName(kind, own);
    return await this.#kept.of(`${kind}/${own} ${isJson ? "json" : "html"}`, async () => {
      const content = await SUBJECTS[kind].content(this.#shown, own);
      if (isJson) return jsonReply(`${reportJson(content.data)}\n`);
      return pageReply(sitePage(content, { name: this.#shown.source.name, searched: own }));
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

async function ofOrder({ source, node }: Shown, uid: string): Promise<PageContent> {
  const { book, solvers, tokens, name } = source;
  const report = await inspectOrder(book, uid, {
    solvers,
    ...node !== null && { node },
  });
  if (report.verdict !== "unknown_here") return orderContent(report, tokens);
  throw new FailureError({
    status: 404,
    what: `${name} has no order ${uid}`,
    why: "A UID names neither its network nor its environment, so that it may be at another one",
    remedy: "Serve that network, or ask all of them with `orderlens inspect`",
  });
}
