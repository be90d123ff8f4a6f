import { assert } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../../lib/networks/mod.ts";
import { Engine } from "../../../lib/sandbox/market/engine.ts";
import type { Market } from "../../../lib/sandbox/market/market.ts";
import { Random, TOKENS } from "../../../lib/sandbox/market/ledger.ts";
import { Sandbox } from "../../../lib/sandbox/sandbox.ts";
import { Service } from "../../../lib/sandbox/service/service.ts";
import { type OrderChanges, OrderDesk } from "../service/order_desk.ts";
import { ETHER } from "./book_orders.ts";
import { MarketRules } from "./market_rules.ts";

const AUCTIONS = 100;
/** Two markets with `ORDERLENS_ALL=1`. */
const SEEDS = Deno.env.has("ORDERLENS_ALL") ? [1, 2] : [1];
const RECIPIENT = `0x${"9a".repeat(20)}`;
const MOST = 2n ** 256n - 1n;

/** An arbitrary order: any kind, size, limit and tokens. */
function anyOrder(market: Market, random: Random): OrderChanges {
  const sellToken = random.pick(TOKENS).address;
  const buyToken = random.pick([...TOKENS, { address: NATIVE_TOKEN_ADDRESS }]).address;
  const kind = random.pick(["sell", "buy"] as const);
  return {
    ...anyAmounts(market, random, { sellToken, buyToken, kind }),
    sellToken,
    buyToken,
    receiver: random.chance(200) ? RECIPIENT : null,
    validTo: market.time.seconds + random.pick([60, 64, 100, 1_000]),
    kind,
    partiallyFillable: random.chance(500),
    document: anyDocument(random),
    signingScheme: random.pick(["eip712", "ethsign", "presign"]),
  };
}

/** Amounts from a fifth below the price to 3% above it, and sometimes arbitrary ones. */
function anyAmounts(
  market: Market,
  random: Random,
  { sellToken, buyToken, kind }: { sellToken: string; buyToken: string; kind: "sell" | "buy" },
): { sellAmount: bigint; buyAmount: bigint } {
  const worth = random.pick([10n ** 9n, 10n ** 15n, ETHER, 300n * ETHER]) *
    BigInt(random.between(1, 100)) / 100n;
  const offset = BigInt(random.pick([-2_000, -100, -20, 0, 5, 300]));
  const atoms = (token: string, bps: bigint) =>
    worth * (10_000n + bps) / 10_000n * ETHER / market.nativePrice(token)! + 1n;
  const amounts = {
    sellAmount: atoms(sellToken, kind === "buy" ? -offset : 0n),
    buyAmount: atoms(buyToken, kind === "sell" ? offset : 0n),
  };
  if (random.chance(100)) amounts.sellAmount = random.pick([1n, 10n ** 40n, MOST]);
  if (random.chance(100)) amounts.buyAmount = random.pick([1n, 2n, MOST]);
  return amounts;
}

/** A document with up to five partner fees. */
function anyDocument(random: Random): string {
  const partnerFee = Array.from({ length: random.between(0, 5) }, () => ({
    ...random.pick([
      { volumeBps: random.between(0, 100) },
      { surplusBps: random.between(0, 10_000), maxVolumeBps: random.between(0, 100) },
      { priceImprovementBps: 5_000, maxVolumeBps: random.between(0, 100) },
    ]),
    recipient: RECIPIENT,
  }));
  return JSON.stringify({ appCode: "Stranger", metadata: { partnerFee }, version: "1.4.0" });
}

for (const seed of SEEDS) {
  Deno.test(`a market of seed ${seed} keeps its rules with arbitrary orders in it`, async () => {
    const engine = new Engine(seed);
    const { market } = engine;
    const service = new Service(market);
    const sandbox = new Sandbox(engine, { service, isVirtual: true });
    const desk = new OrderDesk(sandbox);
    const random = new Random(seed, "strangers");
    const rules = new MarketRules(market);
    const placed: string[] = [];
    for (let at = 0; at < AUCTIONS; at++) {
      for (let count = random.between(0, 3); count > 0; count--) {
        const { status, text } = await desk.place(anyOrder(market, random));
        assert(status === 201 || status === 400, text);
        if (status === 201) placed.push(JSON.parse(text));
      }
      for (const uid of placed) {
        const order = market.book.orders.get(uid)!;
        if (order.isPresignaturePending && random.chance(300)) sandbox.preSign(uid);
        if (order.attempts > 0 && random.chance(200)) await desk.cancel([uid]);
      }
      await sandbox.advance();
      rules.check();
    }
    const statuses = Object.groupBy(
      placed.map((uid) => market.book.orders.get(uid)!),
      (order) => order.statusAt(market.time.instant),
    );
    assert(statuses.fulfilled!.length > AUCTIONS / 4);
    assert(statuses.expired!.length > AUCTIONS / 4);
    assert(statuses.fulfilled!.some(({ isCancelled }) => isCancelled), "settled all the same");
  });
}
