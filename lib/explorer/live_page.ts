import { html, raw } from "../reports/page/html_cell.ts";
import { LiveFeed, type LiveFeedOptions } from "./live_feed.ts";
import { pageReply, plainContent, type Reply } from "./reply.ts";
import { auctionTable } from "./row_cells.ts";
import type { Shown } from "./shown.ts";
import { failureOf, sitePage } from "./site_page.ts";

const SHOWN = 25;

/** The script adds rows whose times are not known. */
const UNTIMED = { auction: () => null, trade: () => null };

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
          settlements: row.settlements.map(({ txHash }) => txHash),
        },
      }));
    },
    wordsOf: (error) => failureOf(error).what,
  });
}

/** The page that follows the feed with the only script of the explorer. */
export async function livePage(shown: Shown): Promise<Reply> {
  const { source, recent, listings } = shown;
  const rows = recent === null ? (await listings.current()).auctions : await recent.rows();
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const script = `'nonce-${nonce}'`;
  const content = plainContent({
    title: "Live",
    sentence: source.isFixed
      ? `The last auctions of ${source.name}, which has ended`
      : `The newest auctions of ${source.name}, as they end`,
    sections: [{
      id: "newest",
      title: "Newest auctions",
      table: auctionTable(rows.slice(0, SHOWN), { ...shown, times: UNTIMED }),
    }],
    data: { newest: rows[0]?.auctionId ?? null },
  });
  const page = sitePage(content, {
    name: source.name,
    script,
    intro: html`<p id="state" role="status">Without scripts, reload this page to see more.</p>`,
    outro: html`<script nonce="${nonce}">${raw(SCRIPT)}</script>`,
  });
  return pageReply(page, { script });
}

/** Texts are set as text, never as markup. */
const SCRIPT = `
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
