/**
 * A program that does with this project what each line of its input says, and answers each with how
 * many orders it got.
 *
 * @module
 */
import { connect, type OrderBook } from "orderlens";
import type { PagedListOptions } from "orderlens/endpoints";
import { readLines } from "../../tools/terminal/run_quietly.ts";
import { report } from "../../tools/terminal/say.ts";
import { ACCOUNT, AUCTIONS, uidOf } from "./benchmark_program.ts";

const CONCURRENCY = 4;

function uidsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => uidOf(index));
}

async function oneByOne(book: OrderBook, count: number, lanes = CONCURRENCY): Promise<number> {
  const waiting = uidsOf(count).values();
  const lane = async () => {
    for (const uid of waiting) await book.order(uid);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count;
}

async function pages(book: OrderBook, options: PagedListOptions): Promise<number> {
  let got = 0;
  for await (const _ of book.accountOrders(ACCOUNT, options)) got++;
  return got;
}

const COMMANDS: Record<string, (book: OrderBook, count: number) => Promise<number>> = {
  pages: (book, count) => pages(book, { limit: count }),
  pages_ahead: (book, count) => pages(book, { limit: count, pagesAhead: 1 }),
  singles: (book, count) => oneByOne(book, count, 1),
  by_uids: async (book, count) =>
    (await book.orders(uidsOf(count), { concurrency: CONCURRENCY })).orders.length,
  one_by_one: (book, count) => oneByOne(book, count),
  /** Walks all competitions; the resident memory, in bytes, after the first `count` and at the end. */
  async walk(book, count): Promise<number> {
    let seen = 0;
    for await (const { competition } of book.competitions({ from: 1, to: AUCTIONS })) {
      if (competition !== undefined) seen++;
      if (seen === count) report(String(Deno.memoryUsage().rss));
    }
    return seen === AUCTIONS ? Deno.memoryUsage().rss : NaN;
  },
};

const [address = ""] = Deno.args;
const book = connect(address, { chainId: 1 });
for await (const line of readLines(Deno.stdin.readable)) {
  const [command = "", count] = line.split(" ");
  report(String(await COMMANDS[command]!(book, Number(count))));
}
