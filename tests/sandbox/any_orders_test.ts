import { assert } from "@std/assert";
import { ServiceError } from "../../lib/errors/mod.ts";
import { cancellationsDigest, hashAppData, orderDigest } from "../../lib/evm/mod.ts";
import { signDigest } from "../../lib/evm/sign_digest.ts";
import {
  connect,
  NATIVE_TOKEN_ADDRESS,
  type OrderBook,
  type OrderCreation,
} from "../../lib/mod.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { Engine } from "../../lib/sandbox/engine.ts";
import type { Market } from "../../lib/sandbox/market.ts";
import { Random } from "../../lib/sandbox/random.ts";
import { Sandbox } from "../../lib/sandbox/sandbox.ts";
import { Service } from "../../lib/sandbox/service.ts";
import { TOKENS } from "../../lib/sandbox/tokens.ts";
import { ETHER } from "./book_orders.ts";
import { MarketRules } from "./market_rules.ts";

const AUCTIONS = 150;
const [TRADER] = DEVELOPMENT_ACCOUNTS as [typeof DEVELOPMENT_ACCOUNTS[number]];
const RECIPIENT = `0x${"9a".repeat(20)}`;
const MOST = 2n ** 256n - 1n;

/** An order of a stranger: of any kind and size, with any limit, for any token. */
function anyOrder(market: Market, random: Random): OrderCreation {
  const sellToken = random.pick(TOKENS).address;
  const buyToken = random.pick([...TOKENS, { address: NATIVE_TOKEN_ADDRESS }]).address;
  const kind = random.pick(["sell", "buy"] as const);
  const worth = random.pick([10n ** 9n, 10n ** 15n, ETHER, 300n * ETHER]) *
    BigInt(random.between(1, 100)) / 100n;
  // From a fifth below the price to 3 % above it.
  const offset = BigInt(random.pick([-2_000, -100, -20, 0, 5, 300]));
  const atoms = (token: string, value: bigint) => value * ETHER / market.nativePrice(token)! + 1n;
  const amounts = {
    sellAmount: atoms(sellToken, worth * (10_000n - (kind === "buy" ? offset : 0n)) / 10_000n),
    buyAmount: atoms(buyToken, worth * (10_000n + (kind === "sell" ? offset : 0n)) / 10_000n),
  };
  if (random.chance(100)) amounts.sellAmount = random.pick([1n, 10n ** 40n, MOST]);
  if (random.chance(100)) amounts.buyAmount = random.pick([1n, 2n, MOST]);
  const appData = anyDocument(random);
  return {
    ...amounts,
    sellToken,
    buyToken,
    receiver: random.chance(200) ? RECIPIENT : null,
    validTo: market.time.seconds + random.pick([60, 64, 100, 1_000]),
    feeAmount: 0n,
    kind,
    partiallyFillable: random.chance(500),
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    appData,
    appDataHash: hashAppData(appData),
    signingScheme: random.pick(["eip712", "ethsign", "presign"]),
    signature: "0x",
    from: TRADER.address,
  };
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

async function place(book: OrderBook, order: OrderCreation): Promise<string | null> {
  const { privateKey } = TRADER;
  const digest = orderDigest(book.domain, { ...order, appData: order.appDataHash! });
  const signingScheme = order.signingScheme === "ethsign" ? "ethsign" : "eip712";
  const signature = order.signingScheme === "presign"
    ? "0x"
    : await signDigest(digest, { signingScheme, privateKey });
  try {
    return await book.createOrder({ ...order, signature });
  } catch (error) {
    assert(error instanceof ServiceError, String(error));
    return null;
  }
}

async function cancel(book: OrderBook, uid: string): Promise<void> {
  const orderUids = [uid];
  const digest = cancellationsDigest(book.domain, orderUids);
  const { privateKey } = TRADER;
  const signature = await signDigest(digest, { signingScheme: "eip712", privateKey });
  await book.cancelOrders({ orderUids, signature, signingScheme: "eip712" });
}

for (const seed of [1, 2]) {
  Deno.test(`a market of seed ${seed} keeps its rules with any orders of strangers in it`, async () => {
    const engine = new Engine(seed);
    const { market } = engine;
    const service = new Service(market, {});
    const sandbox = new Sandbox(engine, { service, isVirtual: true });
    const book = connect(sandbox);
    const random = new Random(seed, "strangers");
    const rules = new MarketRules(market);
    const placed: string[] = [];
    let cancelledInFlight = 0;
    for (let at = 0; at < AUCTIONS; at++) {
      for (let count = random.between(0, 3); count > 0; count--) {
        const uid = await place(book, anyOrder(market, random));
        if (uid !== null) placed.push(uid);
      }
      for (const uid of placed) {
        const order = market.book.orders.get(uid)!;
        if (order.isPresignaturePending && random.chance(300)) sandbox.preSign(uid);
        const isInFlight = order.attempts > 0 && !order.isCancelled;
        // What is signed on the chain is cancelled there.
        if (isInFlight && order.signed.signingScheme !== "presign" && random.chance(200)) {
          await cancel(book, uid);
          cancelledInFlight++;
        }
      }
      await sandbox.advance();
      rules.check();
    }
    const statuses = Object.groupBy(
      placed.map((uid) => market.book.orders.get(uid)!),
      (order) => order.statusAt(market.time.instant),
    );
    assert(cancelledInFlight > 5);
    assert(statuses.fulfilled!.length > AUCTIONS / 4);
    assert(statuses.expired!.length > AUCTIONS / 4);
    assert(statuses.fulfilled!.some(({ isCancelled }) => isCancelled), "settled all the same");
  });
}
