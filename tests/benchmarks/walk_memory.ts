/**
 * A program that walks the competitions of an order book and tells its resident memory, in bytes,
 * after the first thousand and at the end.
 *
 * @module
 */
import { connect } from "orderlens";
import { report } from "../../tools/terminal/say.ts";
import { AUCTIONS } from "./order_book_contents.ts";

const EARLY = 1_000;

const [address = ""] = Deno.args;
const book = connect(address, { chainId: 1 });
let seen = 0;
for await (
  const { competition } of book.competitions({ from: 1, to: AUCTIONS })
) {
  if (competition !== undefined) seen++;
  if (seen === EARLY) report(String(Deno.memoryUsage().rss));
}
if (seen === AUCTIONS) report(String(Deno.memoryUsage().rss));
