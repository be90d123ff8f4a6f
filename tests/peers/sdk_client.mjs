/**
 * A program that does with the official SDK what each line of its input says, and answers each with
 * how many orders it got. Runs under Deno and under Node.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";

/** Not in the project's own import map, so that nothing but this program asks for it. */
const PACKAGE = "@cowprotocol/cow-sdk";
const { OrderBookApi } = await import(PACKAGE);

const PAGE_ROWS = 1000;
const ACCOUNT = `0x${"12".repeat(20)}`;

const [, , address] = process.argv;
const api = new OrderBookApi({
  chainId: 1,
  env: "prod",
  baseUrls: { 1: address },
  // Its default of five requests a second would be all that is measured.
  limiterOpts: { tokensPerInterval: 1e9, interval: "second" },
});

const COMMANDS = {
  async pages(count) {
    let got = 0;
    while (got < count) {
      const limit = Math.min(PAGE_ROWS, count - got);
      const page = await api.getOrders({ owner: ACCOUNT, offset: got, limit });
      got += page.length;
      if (page.length < limit) break;
    }
    return got;
  },
  async singles(count) {
    for (let index = 0; index < count; index++) {
      await api.getOrder(`0x${index.toString(16).padStart(112, "0")}`);
    }
    return count;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [command, count] = line.split(" ");
  process.stdout.write(`${await COMMANDS[command](Number(count))}\n`);
}
