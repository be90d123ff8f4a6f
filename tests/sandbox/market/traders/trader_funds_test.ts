import { assertEquals } from "@std/assert";
import { OUTSIDE } from "../../../../lib/sandbox/market/ledger.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { keepFunded, moveFunds } from "../../../../lib/sandbox/market/traders.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../lib/sandbox/mod.ts";
import { bookOrder, ETHER, WETH } from "../book_orders.ts";

const [, STEADY] = DEVELOPMENT_ACCOUNTS as [unknown, typeof DEVELOPMENT_ACCOUNTS[number]];
const RESTLESS = DEVELOPMENT_ACCOUNTS[9]!.address;
const ALL = 200_000n * ETHER;

Deno.test("moveFunds() withdraws the sell token of an open order of the restless account, and returns it", () => {
  const market = new Market(1);
  const { ledger } = market;
  const random = market.random("funds");
  const waiting = [bookOrder({}, { owner: RESTLESS })];
  const balances: bigint[] = [];
  for (let block = 0; block < 100; block++) {
    moveFunds(ledger, random, waiting);
    const balance = ledger.balanceOf(RESTLESS, WETH);
    if (balance !== balances.at(-1)) balances.push(balance);
  }
  assertEquals(balances.slice(0, 4), [ALL, 0n, ALL, 0n]);
});

Deno.test("moveFunds() moves nothing without an open order", () => {
  const market = new Market(1);
  const random = market.random("funds");
  const before = [...market.ledger.entries()];
  for (let block = 0; block < 100; block++) moveFunds(market.ledger, random, []);
  const held = ({ atoms }: { atoms: bigint }) => atoms !== 0n;
  assertEquals([...market.ledger.entries()].filter(held), before.filter(held));
});

Deno.test("keepFunded() refills low balances", () => {
  const { ledger } = new Market(1);
  ledger.move(WETH, ALL - 500n * ETHER, { from: STEADY.address, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(STEADY.address, WETH), 500n * ETHER);
  ledger.move(WETH, 1n, { from: STEADY.address, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(STEADY.address, WETH), 50_500n * ETHER - 1n);
});
