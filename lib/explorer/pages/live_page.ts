import { html, raw } from "../../reports/page/markup.ts";
import { failureOf } from "./error_pages.ts";
import { pagePolicy } from "../guarding/security_headers.ts";
import { LiveFeed, type LiveFeedOptions } from "../live/live_feed.ts";
import { plainContent } from "../markup/plain_content.ts";
import { auctionTable } from "../markup/row_cells.ts";
import { sitePage } from "../markup/site_page.ts";
import { pageReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";

const SHOWN = 25;

/** The feed of the newest auctions. */
export function liveFeed(
  { source, recent, listings }: Shown,
  times: Pick<LiveFeedOptions, "pollMs" | "heartbeatMs">,
): LiveFeed {
  return new LiveFeed({
    ...times,
    read: async () => {
      const rows = recent === null
        ? (await listings.current()).auctions.slice(0, SHOWN)
        : await recent.rows();
      return rows.map((row) => ({
        id: row.auctionId,
        data: {
          auctionId: row.auctionId,
          startBlock: row.startBlock,
          orders: row.orders,
          solutions: row.solutions,
          winners: row.winners.map((address) => ({
            address,
            name: source.solverName(address),
          })),
        },
      }));
    },
    wordsOf: (error) => failureOf(error).what,
  });
}

/** The page that follows the feed with the only script of the explorer. */
export async function livePage({ source, recent, listings }: Shown): Promise<Reply> {
  const rows = recent === null ? (await listings.current()).auctions : await recent.rows();
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const content = plainContent({
    title: "Live",
    sentence: source.isFixed
      ? `The last auctions of ${source.name}, which goes on no more`
      : `The newest auctions of ${source.name}, as they end`,
    sections: [{
      id: "newest",
      title: "Newest auctions",
      table: auctionTable(rows.slice(0, SHOWN), source),
    }],
    data: { newest: rows[0]?.auctionId ?? null },
  });
  const page = sitePage(content, {
    name: source.name,
    nonce,
    intro: html`<p id="state" role="status">Without scripts, reload this page to see more.</p>`,
    outro: html`<script nonce="${nonce}">${raw(SCRIPT)}</script>`,
  });
  return { ...pageReply(page), policy: pagePolicy(nonce) };
}

/** Texts are set as text, never as markup. */
const SCRIPT = `
"use strict";
const state = document.getElementById("state");
const body = document.querySelector("#newest tbody");
const known = new Set([...body.rows].map((row) => row.cells[0].textContent.trim()));
const cellOf = (row, text, href, isNumber) => {
  const cell = row.insertCell();
  if (isNumber) cell.className = "number";
  if (href === null) { cell.textContent = text; return; }
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  cell.append(link);
};
const feed = new EventSource("/live/events");
feed.addEventListener("open", () => { state.textContent = "Following."; });
feed.addEventListener("error", () => { state.textContent = "Not connected; trying again."; });
feed.addEventListener("trouble", ({ data }) => { state.textContent = JSON.parse(data).error; });
feed.addEventListener("auction", ({ data }) => {
  const { auctionId, startBlock, orders, solutions, winners } = JSON.parse(data);
  state.textContent = "Following. Newest auction: " + auctionId;
  if (known.has(String(auctionId))) return;
  known.add(String(auctionId));
  const row = body.insertRow(0);
  cellOf(row, auctionId, "/auctions/" + auctionId, true);
  cellOf(row, startBlock, null, true);
  cellOf(row, orders, null, true);
  cellOf(row, solutions, null, true);
  const [first] = winners;
  if (first === undefined) cellOf(row, "–", null, false);
  else {
    const more = winners.length > 1 ? " and " + (winners.length - 1) + " more" : "";
    cellOf(row, (first.name ?? first.address) + more, "/solvers/" + first.address, false);
  }
  cellOf(row, "–", null, false);
  while (body.rows.length > 100) body.deleteRow(-1);
});
`;
