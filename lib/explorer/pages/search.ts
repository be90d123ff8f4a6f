import { cell } from "../../reports/page/page_content.ts";
import type { CellSubject } from "../../reports/page/page_content.ts";
import { linkWithin } from "../markup/links.ts";
import { plainContent } from "../markup/plain_content.ts";
import { sitePage } from "../markup/site_page.ts";
import { FailureError } from "./error_pages.ts";
import { pageReply, redirectReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";

const LONGEST = 500;
const MOST_FOUND = 100;

/** Leads to what a text names; shows a choice where it names several. */
export async function search(shown: Shown, text: string): Promise<Reply> {
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
