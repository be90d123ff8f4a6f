import { html, raw } from "../reports/page/html_cell.ts";
import { createContent, type Reply, toHtmlReply } from "./reply.ts";
import { buildAuctionTable } from "./row_cells.ts";
import type { PageContext } from "./page_context.ts";
import { renderSitePage, toFailure } from "./site_page.ts";

const INITIAL_ROWS = 25;

/** Creates the feed of the newest auctions. */
export function createLiveFeed(
  { source, newestAuctions }: PageContext,
  times: Pick<LiveFeedOptions, "pollMs" | "heartbeatMs">,
): LiveFeed {
  return new LiveFeed({
    ...times,
    read: async () => {
      return (await newestAuctions()).map((row) => ({
        id: row.auction_id,
        data: {
          auctionId: row.auction_id,
          startBlock: row.start_block,
          orders: row.orders,
          solutions: row.solutions,
          winners: splitWords(row.winners).map((address) => ({
            address,
            name: source.solverName(address),
          })),
          settlements: splitWords(row.tx_hashes),
        },
      }));
    },
    formatError: (error) => toFailure(error).what,
  });
}

function splitWords(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** Renders the page that follows the feed with a script. */
export async function renderLivePage(context: PageContext): Promise<Reply> {
  const { source } = context;
  // Without times, since the script cannot add rows with them.
  const rows = (await context.newestAuctions()).slice(0, INITIAL_ROWS).map((row) => ({
    ...row,
    at_ms: null,
  }));
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const script = `'nonce-${nonce}'`;
  const content = createContent({
    title: "Live",
    sentence: source.isFixed
      ? `The last auctions of ${source.name}, which has ended`
      : `The newest auctions of ${source.name}, as they end`,
    sections: [{
      id: "newest",
      title: "Newest auctions",
      table: buildAuctionTable(rows, context),
    }],
    data: { newest: rows[0]?.auction_id ?? null },
  });
  const page = renderSitePage(content, {
    source,
    script,
    intro: html`<p id="state" role="status">Without scripts, reload this page to see more.</p>`,
    outro: html`<script nonce="${nonce}">${raw(FOLLOW_SCRIPT)}</script>`,
  });
  return toHtmlReply(page, { script });
}

/** Texts are set as text, never as markup. */
const FOLLOW_SCRIPT = `
"use strict";
const state = document.getElementById("state");
const table = document.querySelector("#newest table");
const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
const body = table.tBodies[0];
const idOf = (row) => Number(row.cells[0].textContent.trim());
const linked = (text, href) => {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  return link;
};
const wonBy = (winners) => {
  const [first] = winners;
  if (first === undefined) return "–";
  const more = winners.length > 1 ? " and " + (winners.length - 1) + " more" : "";
  return linked((first.name ?? first.address) + more, "/solvers/" + first.address);
};
const settledIn = ([first, ...others]) => {
  if (first === undefined) return "–";
  const more = others.length > 0 ? " and " + others.length + " more" : "";
  return linked(first.slice(0, 6) + "…" + first.slice(-4) + more, "/transactions/" + first);
};
const show = ({ auctionId, startBlock, orders, solutions, winners, settlements }) => {
  const cells = {
    Auction: linked(auctionId, "/auctions/" + auctionId),
    Block: startBlock,
    Orders: orders,
    Solutions: solutions,
    "Won by": wonBy(winners),
    "Settled in": settledIn(settlements),
  };
  const rows = [...body.rows];
  const place = rows.findIndex((row) => idOf(row) <= auctionId);
  if (place >= 0 && idOf(rows[place]) === auctionId) body.deleteRow(place);
  const row = body.insertRow(place);
  for (const name of names) {
    const cell = row.insertCell();
    cell.dataset.name = name;
    if (name in cells && !/ /.test(name)) cell.className = "number";
    cell.append(cells[name] ?? "–");
  }
  while (body.rows.length > 100) body.deleteRow(-1);
};
const feed = new EventSource("/live/events");
feed.addEventListener("open", () => { state.textContent = "Following."; });
feed.addEventListener("error", () => { state.textContent = "Not connected; trying again."; });
feed.addEventListener("trouble", ({ data }) => { state.textContent = JSON.parse(data).error; });
feed.addEventListener("auction", ({ data }) => {
  const auction = JSON.parse(data);
  if (names.length === 0) return location.reload();
  show(auction);
  state.textContent = "Following. Newest auction: " + idOf(body.rows[0]);
});
`;

/** An event that is sent once, and again when it changes. */
interface LiveEvent {
  /** Id of its auction: the newest has the greatest. */
  readonly id: number;
  /** Its data, serialised as JSON. */
  readonly data: unknown;
}

/** Options of {@linkcode LiveFeed}. */
interface LiveFeedOptions {
  /** Reads the newest events, in any order; the feed drops those that are no longer among them. */
  readonly read: () => Promise<readonly LiveEvent[]>;
  /** Formats a failure of `read` for followers. */
  readonly formatError: (error: unknown) => string;
  /** Milliseconds from the end of one read to the next. */
  readonly pollMs: number;
  /** Milliseconds between two heartbeats. */
  readonly heartbeatMs: number;
}

/** Maximum number of followers; further ones are refused. */
export const MAX_FOLLOWERS = 100;
/** Events that a new follower gets at once. */
const FIRST_EVENTS = 25;
/** Texts queued for a slow follower; then it is disconnected, and reconnects. */
const MAX_WAITING = 500;

/** An event that was sent, and its sequence number. */
interface SentEvent extends LiveEvent {
  readonly number: number;
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/**
 * Sends new and changed auctions to any number of followers as server-sent events; polls while somebody
 * follows.
 *
 * Each event has a sequence number, and a follower that reconnects receives all events after its last
 * one, also changes of older auctions. Numbers begin with the time, so that followers of an earlier
 * feed receive everything.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #followers = new Map<Controller, number>();
  readonly #encoder = new TextEncoder();
  #events = new Map<number, SentEvent>();
  #number = Date.now() * 1_000;
  #poll: ReturnType<typeof setTimeout> | null = null;
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  #reading: Promise<void> | null = null;
  #isClosed = false;

  /** Creates a feed that reads nothing until somebody follows it. */
  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  /** Whether another follower is accepted. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#followers.size < MAX_FOLLOWERS;
  }

  /**
   * Streams the events for one follower.
   *
   * @param last Sequence number of the last event that it received; `null` for the newest events.
   */
  follow(last: number | null): ReadableStream<Uint8Array<ArrayBuffer>> {
    let follower: Controller | null = null;
    return new ReadableStream({
      start: (controller) => {
        follower = controller;
        controller.enqueue(this.#encoder.encode("retry: 2000\n\n"));
        this.#followers.set(controller, last ?? this.#number);
        const newest = [...this.#events.values()].sort((a, b) => b.id - a.id).slice(
          0,
          FIRST_EVENTS,
        );
        this.#sendTo(controller, last === null ? newest : this.#listAfter(last));
        this.#start();
      },
      cancel: () => {
        if (follower !== null) this.#removeFollower(follower);
      },
    }, { highWaterMark: MAX_WAITING });
  }

  /** Disconnects all followers and stops reading; resolves when a pending read has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of [...this.#followers.keys()]) {
      this.#removeFollower(controller);
      controller.close();
    }
    this.#pause();
    await this.#reading;
  }

  #start(): void {
    this.#heartbeat ??= setInterval(() => this.#sendAll(": alive\n\n"), this.#options.heartbeatMs);
    if (this.#poll === null && this.#reading === null) this.#startReading();
  }

  #pause(): void {
    if (this.#poll !== null) clearTimeout(this.#poll);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#poll = null;
    this.#heartbeat = null;
  }

  #startReading(): void {
    this.#poll = null;
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    try {
      this.#updateEvents(await this.#options.read());
    } catch (error) {
      const words = JSON.stringify({ error: this.#options.formatError(error) });
      this.#sendAll(`event: trouble\ndata: ${words}\n\n`);
    } finally {
      this.#reading = null;
    }
    if (this.#followers.size === 0 || this.#isClosed) return;
    this.#poll = setTimeout(() => this.#startReading(), this.#options.pollMs);
  }

  #updateEvents(events: readonly LiveEvent[]): void {
    const ascending = events.toSorted((a, b) => a.id - b.id);
    this.#events = new Map(ascending.map((event) => {
      const earlier = this.#events.get(event.id);
      const isSame = earlier !== undefined &&
        JSON.stringify(earlier.data) === JSON.stringify(event.data);
      return [event.id, isSame ? earlier : { ...event, number: ++this.#number }];
    }));
    for (const [controller, last] of [...this.#followers]) {
      this.#sendTo(controller, this.#listAfter(last));
    }
  }

  #listAfter(last: number): SentEvent[] {
    return [...this.#events.values()].filter(({ number }) => number > last);
  }

  #sendTo(controller: Controller, events: readonly SentEvent[]): void {
    for (const { number, data } of events.toSorted((a, b) => a.number - b.number)) {
      if (!this.#followers.has(controller)) return;
      this.#followers.set(controller, Math.max(number, this.#followers.get(controller)!));
      this.#send(controller, `id: ${number}\nevent: auction\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  #sendAll(text: string): void {
    for (const controller of [...this.#followers.keys()]) this.#send(controller, text);
  }

  #send(controller: Controller, text: string): void {
    controller.enqueue(this.#encoder.encode(text));
    if ((controller.desiredSize ?? 0) > 0) return;
    this.#removeFollower(controller);
    controller.close();
  }

  #removeFollower(controller: Controller): void {
    this.#followers.delete(controller);
    if (this.#followers.size === 0) this.#pause();
  }
}
