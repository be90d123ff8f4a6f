import { hashAppData, orderDigest, packOrderUid } from "../evm/mod.ts";
import { signDigest } from "../evm/sign_digest.ts";
import { NATIVE_TOKEN_ADDRESS } from "../networks/mod.ts";
import { mulDivDown, mulDivUp } from "../units/mod.ts";
import { bestQuote } from "./best_quote.ts";
import type { BookOrder, SignedOrder } from "./book_order.ts";
import { cancelOrder } from "./cancel_order.ts";
import { DEVELOPMENT_ACCOUNTS } from "./development_accounts.ts";
import { OUTSIDE } from "./ledger.ts";
import type { Market } from "./market.ts";
import { placeOrder } from "./place_order.ts";
import type { Random } from "./random.ts";
import { TOKENS, WRAPPED_NATIVE } from "./tokens.ts";
import { WALLET_CONTRACT, WALLET_OWNER } from "./wallet_contract.ts";

const ETHER = 10n ** 18n;
const BPS = 10_000n;
const PARTNER = "0x9a47000000000000000000000000000000000001";
const RECIPIENT = "0x9a47000000000000000000000000000000000002";

/** Documents that traders sign, the most frequent first. */
const DOCUMENTS: readonly string[] = [
  "{}",
  '{"appCode":"Bot","metadata":{},"version":"1.6.0"}',
  '{"appCode":"Explorer","metadata":{"quote":{"slippageBips":50}},"version":"1.6.0"}',
  `{"appCode":"Partner","metadata":{"partnerFee":{"recipient":"${PARTNER}","volumeBps":15}},"version":"1.4.0"}`,
  `{"appCode":"Partner","metadata":{"partnerFee":{"maxVolumeBps":60,"recipient":"${PARTNER}","surplusBps":2500}},"version":"1.4.0"}`,
  `{"appCode":"Partner","metadata":{"partnerFee":{"maxVolumeBps":40,"priceImprovementBps":3000,"recipient":"${PARTNER}"}},"version":"1.4.0"}`,
  `{"appCode":"Partners","metadata":{"partnerFee":[{"recipient":"${PARTNER}","volumeBps":80},{"recipient":"${RECIPIENT}","volumeBps":90}]},"version":"1.4.0"}`,
];
const HASHES = DOCUMENTS.map(hashAppData);

const CANCELLATIONS_IN_1000 = 60;
const WITHDRAWALS_IN_1000 = 90;
const RETURNS_IN_1000 = 120;
const PRESIGNATURES_IN_1000 = 350;
const ORDERS_A_BLOCK: readonly number[] = [1, 1, 2, 2, 2, 2, 3, 3];

/** The account that now and then moves its funds away and back. */
const RESTLESS = DEVELOPMENT_ACCOUNTS[9]!;
const VAULT = "vault of the restless account";

/** The traders of the market: all accounts but the first, which is left to whoever opens it. */
export class Traders {
  readonly #random: Random;
  readonly #own: BookOrder[] = [];

  /** Traders whose choices hang on the seed alone. */
  constructor(market: Market) {
    this.#random = market.random("traders");
  }

  /** What they do in one block: place, pre-sign and cancel orders, move funds. */
  async act(market: Market): Promise<void> {
    const random = this.#random;
    const count = random.pick(ORDERS_A_BLOCK);
    for (let at = 0; at < count; at++) await this.#place(market);
    this.#reconsider(market);
    this.#moveFunds(market);
  }

  async #place(market: Market): Promise<void> {
    const random = this.#random;
    const [sell, buy] = pickPair(random);
    const kind = random.chance(700) ? "sell" : "buy";
    const isLarge = random.chance(150);
    const worth = ETHER * BigInt(isLarge ? random.between(8_000, 90_000) : sizeOf(random)) / 1_000n;
    const fixed = kind === "sell" ? sell : buy;
    const atoms = mulDivDown(worth, ETHER, market.nativePrice(fixed)!);
    const quote = bestQuote(market, { sellToken: sell, buyToken: buy, kind, atoms });
    if (quote === null) return;
    const offset = BigInt(limitOffsetBps(random, isLarge));
    const net = kind === "sell"
      ? mulDivDown(quote.buyAmount, atoms - quote.feeAmount, atoms)
      : quote.sellAmount + quote.feeAmount;
    if (net <= 0n) return;
    const other = kind === "sell"
      ? mulDivDown(net, BPS + offset, BPS)
      : mulDivUp(net, BPS - offset, BPS);
    if (other <= 0n) return;
    const document = Math.min(random.below(DOCUMENTS.length), random.below(DOCUMENTS.length + 3));
    await this.#sign(market, {
      sellToken: sell,
      buyToken: buy,
      receiver: null,
      sellAmount: kind === "sell" ? atoms : other,
      buyAmount: kind === "sell" ? other : atoms,
      validTo: market.time.seconds + random.between(64, isLarge ? 400 : 240),
      appData: HASHES[document]!,
      feeAmount: 0n,
      kind,
      partiallyFillable: isLarge,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
    }, DOCUMENTS[document]!);
  }

  async #sign(
    market: Market,
    terms: Omit<SignedOrder, "signature" | "signingScheme">,
    fullAppData: string,
  ): Promise<void> {
    const random = this.#random;
    const draw = random.below(1000);
    const signingScheme = draw < 820
      ? "eip712"
      : draw < 900
      ? "ethsign"
      : draw < 960
      ? "presign"
      : "eip1271";
    const isContract = signingScheme === "eip1271";
    const account = isContract
      ? WALLET_OWNER
      : DEVELOPMENT_ACCOUNTS[random.between(1, DEVELOPMENT_ACCOUNTS.length - 1)]!;
    const owner = isContract ? WALLET_CONTRACT : account.address;
    const digest = orderDigest(market.domain, terms);
    const uid = packOrderUid({ digest, owner, validTo: terms.validTo });
    if (market.book.orders.has(uid)) return;
    const signature = signingScheme === "presign" ? "0x" : await signDigest(digest, {
      privateKey: account.privateKey,
      signingScheme: signingScheme === "ethsign" ? "ethsign" : "eip712",
    });
    const signed = { ...terms, signingScheme, signature } as const;
    this.#own.push(placeOrder(market, { signed, uid, owner, fullAppData }));
  }

  #reconsider(market: Market): void {
    const random = this.#random;
    for (const order of this.#own) {
      if (order.isPresignaturePending && random.chance(PRESIGNATURES_IN_1000)) {
        order.isPreSigned = true;
      }
    }
    const open = this.#own.filter((order) => market.book.open.has(order));
    this.#own.splice(0, this.#own.length, ...open);
    if (open.length > 0 && random.chance(CANCELLATIONS_IN_1000)) {
      cancelOrder(market, random.pick(open));
    }
  }

  /** The restless account moves away what an order of its own waits to sell, and back later. */
  #moveFunds({ ledger }: Market): void {
    const random = this.#random;
    const [here, there] = [RESTLESS.address, VAULT];
    const waiting = this.#own.find(({ owner }) => owner === here)?.signed.sellToken;
    if (random.chance(WITHDRAWALS_IN_1000) && waiting !== undefined) {
      ledger.move(waiting, ledger.balanceOf(here, waiting), { from: here, to: there });
    }
    if (random.chance(RETURNS_IN_1000)) {
      for (const token of TOKENS) {
        const atoms = ledger.balanceOf(there, token.address);
        ledger.move(token.address, atoms, { from: there, to: here });
      }
    }
    this.#keepFunded(ledger);
  }

  /** Those who trade one way for long get new funds from outside. */
  #keepFunded(ledger: Market["ledger"]): void {
    for (const { address, openingPrice } of TOKENS) {
      const least = mulDivDown(LEAST_FUNDS * ETHER, ETHER, openingPrice);
      const more = mulDivDown(MORE_FUNDS * ETHER, ETHER, openingPrice);
      for (const holder of [WALLET_CONTRACT, ...TRADERS]) {
        if (ledger.balanceOf(holder, address) < least) {
          ledger.move(address, more, { from: OUTSIDE, to: holder });
        }
      }
    }
  }
}

const LEAST_FUNDS = 500n;
const MORE_FUNDS = 50_000n;
const TRADERS = DEVELOPMENT_ACCOUNTS.slice(1, -1).map(({ address }) => address);
const GNO = TOKENS[3]!.address;

/** A pair; who sells GNO for the native token is paid in it, unwrapped. */
function pickPair(random: Random): [string, string] {
  const sell = random.pick(TOKENS).address;
  let buy = random.pick(TOKENS).address;
  while (buy === sell) buy = random.pick(TOKENS).address;
  return [sell, sell === GNO && buy === WRAPPED_NATIVE ? NATIVE_TOKEN_ADDRESS : buy];
}

/** Thousandths of an ether, most of them small. */
function sizeOf(random: Random): number {
  return random.between(100, 4_000) * random.between(1, 4);
}

/** How much better than quoted the limit is, in basis points: below 0 for orders in the market. */
function limitOffsetBps(random: Random, isLarge: boolean): number {
  if (isLarge) return random.between(-60, 60);
  const draw = random.below(1000);
  if (draw < 640) return random.between(-120, -15);
  if (draw < 900) return random.between(-10, 60);
  return random.between(60, 900);
}
