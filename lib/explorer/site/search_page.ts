import { html } from "../../reports/page/html_cell.ts";
import { createContent } from "../reply.ts";
import { ROWS_PER_PAGE } from "../list_pages.ts";
import type { PageContext } from "../page_context.ts";
import { renderSitePage } from "../site_page.ts";
import type { SitePlan } from "./site_plan.ts";

/**
 * The index of a site as a script, since a page on a disk can load nothing else: names of all that has a
 * page, and of the orders that have none.
 */
export function createSearchIndex({ source, words }: PageContext, plan: SitePlan): string {
  const { orders, pageCount, auctions, settlements, solvers, tokens } = plan;
  const owners = [...new Set(orders.map(({ owner }) => owner))];
  const ownerIndexes = new Map(owners.map((owner, index) => [owner, index]));
  const index = {
    orders: orders.map(({ uid }) => uid),
    owners,
    ownerIndexes: orders.map(({ owner }) => ownerIndexes.get(owner)),
    pageCount,
    rowsPerPage: ROWS_PER_PAGE,
    auctions,
    settlements: [...settlements],
    solvers: solvers.map((solver) => [solver, source.solverName(solver) ?? ""]),
    tokens: tokens.map((token) => [token, words.token(token).text]),
  };
  return `const siteIndex = ${JSON.stringify(index)};\n`;
}

/** Renders the page that searches the index. */
export function renderSearchPage({ source }: PageContext, index: string): string {
  const scripts = [["search_index.js", index], ["search.js", SEARCH_SCRIPT]] as const;
  const content = createContent({
    title: "Search",
    sentence: `Search ${source.name}`,
    sections: [],
    data: null,
  });
  return renderSitePage(content, {
    source,
    outro: html`
      <section aria-labelledby="found-title">
        <h2 id="found-title">Found</h2>
        <p id="state" role="status">This page searches with a script, which does not run here.</p>
        <ul id="found"></ul>
      </section>
      ${scripts.map(([path, text]) =>
        html`<script src="${source.files?.add(path, text)}"></script>`
      )}
    `,
  });
}

/**
 * Searches the index for the text in the address: leads to the one page that it names, lists several, and
 * says of an order without a page how to inspect it.
 */
export const SEARCH_SCRIPT: string = `"use strict";
(() => {
const { orders, owners, ownerIndexes, pageCount, rowsPerPage, auctions, settlements, solvers, tokens } = siteIndex;
const MAX_SHOWN = 200;
const state = document.getElementById("state");
const list = document.getElementById("found");
const say = (text) => { state.textContent = text; };

/** An order: its page, or where it is listed and what shows it. */
const toOrder = (index) => {
  const uid = orders[index];
  const kind = "Order of " + owners[ownerIndexes[index]].slice(0, 10) + "\u2026";
  if (index < pageCount) return { kind, text: uid, href: "orders/" + uid + ".html" };
  const page = Math.floor(index / rowsPerPage) + 1;
  return {
    kind,
    text: uid,
    listed: page === 1 ? "orders.html" : "orders-" + page + ".html",
    command: "orderlens inspect " + uid + " --recording data",
  };
};
const toAuction = (id) => ({ kind: "Auction", text: String(id), href: "auctions/" + id + ".html" });
const toNamed = (kind, folder) => ([address, name]) =>
  ({ kind, text: address, name, href: folder + "/" + address + ".html" });
const toSolver = toNamed("Solver", "solvers");
const toToken = toNamed("Token", "tokens");

const findOrders = (isMeant) => [...orders.keys()].filter(isMeant).map(toOrder);
const findHex = (isMeant) => [
  ...findOrders((index) => isMeant(orders[index])),
  ...settlements.filter(([hash]) => isMeant(hash)).map(([hash, id]) =>
    ({ ...toAuction(id), kind: "Settlement of auction " + id, text: hash })),
  ...solvers.filter(([address]) => isMeant(address)).map(toSolver),
  ...tokens.filter(([address]) => isMeant(address)).map(toToken),
];
/** Orders of accounts, unless something else has the address. */
const findOwned = (isMeant) => {
  const meant = owners.map(isMeant);
  return meant.includes(true) ? findOrders((index) => meant[ownerIndexes[index]]) : [];
};

const find = (query) => {
  const [, digits] = /^#?(\\d{1,15})$/.exec(query) ?? [];
  if (digits !== undefined) {
    const id = Number(digits);
    return auctions.includes(id) ? [toAuction(id)] : [];
  }
  const [hex, begin, end] =
    /(0x[0-9a-f]{4,})(?:(?:\\u2026|\\.{2,3})([0-9a-f]{2,}))?/i.exec(query.toLowerCase()) ?? [];
  if (hex !== undefined) {
    const isMeant = (name) => end === undefined
      ? name.startsWith(begin)
      : name.startsWith(begin) && name.endsWith(end);
    const found = findHex(isMeant);
    return found.length > 0 ? found : findOwned(isMeant);
  }
  const word = query.toLowerCase();
  const named = [...solvers.map(toSolver), ...tokens.map(toToken)];
  const exact = named.filter(({ name }) => name.toLowerCase() === word);
  return exact.length > 0 ? exact : named.filter(({ name }) => name.toLowerCase().includes(word));
};

const makeElement = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const show = ({ kind, text, name, href, listed, command }) => {
  const item = document.createElement("li");
  const label = name ? kind + " " + name + " " : kind + " ";
  item.append(label, href === undefined
    ? makeElement("span", text, { class: "whole" })
    : makeElement("a", text, { href, class: "whole" }));
  if (command !== undefined) {
    item.append(" has no page here. It is in ", makeElement("a", "this list", { href: listed }),
      "; with a copy of the folder data, this shows it: ", makeElement("code", command));
  }
  list.append(item);
};

const query = (new URLSearchParams(location.search).get("q") ?? "").trim().slice(0, 500);
document.getElementById("q").value = query;
if (query === "") return say("Type into the box above: an order, a settlement, an auction, an account, a solver or a token.");
const results = find(query);
const [first] = results;
if (first === undefined) {
  return say("Nothing here is called " + JSON.stringify(query) +
    ". This site knows the orders, settlements, auctions, accounts, solvers and tokens of one dataset.");
}
if (results.length === 1 && first.href !== undefined) return location.replace(first.href);
const total = results.length === 1 ? "1 match" : results.length.toLocaleString("en-US") + " matches";
say(results.length > MAX_SHOWN ? total + ", of which the first " + MAX_SHOWN + " are below." : total + ".");
results.slice(0, MAX_SHOWN).forEach(show);
})();
`;
