import { assert, assertEquals } from "@std/assert";
import { parseOrderUid, recoverOrderSigner } from "../../../../lib/evm/mod.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { keepFunded, moveFunds, Traders } from "../../../../lib/sandbox/market/traders.ts";
import { WALLET_CONTRACT, walletVerifier } from "../../../../lib/sandbox/market/wallet_contract.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../lib/sandbox/mod.ts";
import { OUTSIDE } from "../../../../lib/sandbox/market/ledger.ts";
import { bookOrder, ETHER, WETH } from "../book_orders.ts";

const BLOCKS = 120;
/** What traders did in so many blocks. */
const { book, domain } = await acted();

async function acted(): Promise<Market> {
  const market = new Market(1);
  const traders = new Traders(market);
  for (let block = 0; block < BLOCKS; block++) await traders.act(market);
  return market;
}

Deno.test("Traders.act() places about two orders per block, signed by every scheme", async () => {
  const orders = [...book.orders.values()];
  assert(Math.abs(orders.length / BLOCKS - 2) < 0.2, `${orders.length}`);
  const schemes = new Set<string>();
  for (const { signed, uid, owner } of orders) {
    schemes.add(signed.signingScheme);
    const { digest } = parseOrderUid(uid);
    assertEquals(parseOrderUid(uid).owner, owner);
    if (signed.signingScheme === "eip1271") {
      assertEquals(owner, WALLET_CONTRACT);
      assert(await walletVerifier(digest, signed.signature));
    } else if (signed.signingScheme !== "presign") {
      assertEquals(await recoverOrderSigner(domain, signed), owner);
    }
  }
  assertEquals([...schemes].sort(), ["eip1271", "eip712", "ethsign", "presign"]);
});

Deno.test("Traders.act() leaves the first account to the user", () => {
  const [first, ...others] = DEVELOPMENT_ACCOUNTS;
  assert(!book.ordersByOwner.has(first!.address));
  assert(others.every(({ address }) => book.ordersByOwner.has(address)));
});

Deno.test("Traders.act() pre-signs orders later, and cancels some", () => {
  const orders = [...book.orders.values()];
  const presigned = orders.filter(({ signed }) => signed.signingScheme === "presign");
  assert(presigned.filter(({ isPreSigned }) => isPreSigned).length > presigned.length / 2);
  const cancelled = orders.filter(({ isCancelled }) => isCancelled);
  assert(cancelled.length > 0 && cancelled.length < BLOCKS / 5, `${cancelled.length}`);
});

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

Deno.test("keepFunded() refills low balances", () => {
  const { ledger } = new Market(1);
  ledger.move(WETH, ALL - 500n * ETHER, { from: STEADY.address, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(STEADY.address, WETH), 500n * ETHER);
  ledger.move(WETH, 1n, { from: STEADY.address, to: OUTSIDE });
  keepFunded(ledger);
  assertEquals(ledger.balanceOf(STEADY.address, WETH), 50_500n * ETHER - 1n);
});
