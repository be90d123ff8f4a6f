import { hashAppData, orderDigest, packOrderUid } from "../../evm/mod.ts";
import { signDigest } from "../../evm/orders/sign_order.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { OrderQuote } from "../../schemas/mod.ts";
import { mulDivDown } from "../../units/mod.ts";
import { BookOrder } from "./book_order.ts";
import { checkAppData, type CheckedAppData } from "../wire/check_app_data.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";
import {
  convertNativeAtoms,
  DEVELOPMENT_ACCOUNTS,
  ETHER,
  type Ledger,
  OUTSIDE,
  type Random,
  TOKENS,
  WALLET_CONTRACT,
  WALLET_OWNER,
  WRAPPED_NATIVE,
} from "./ledger.ts";
import { createFeePolicies } from "./fee_policies.ts";
import type { IssuedQuote, Market } from "./market.ts";
import { addBpsDown, addBpsUp, type QuoteFacts, toStoredQuote } from "./market_quote.ts";
import { findBestQuote } from "./solvers.ts";

const CANCELLATIONS_IN_1000 = 60;

const PRESIGNATURES_IN_1000 = 350;

const ORDERS_PER_BLOCK: readonly number[] = [1, 1, 2, 2, 2, 2, 3, 3];

/** The traders of the market: all accounts but the first, which is left to the user. */
export class Traders {
  readonly #random: Random;
  #open: BookOrder[] = [];

  /** Creates traders whose decisions depend only on the seed. */
  constructor(market: Market) {
    this.#random = market.createRandom("traders");
  }

  /** Acts for one block: places, pre-signs and cancels orders, and moves funds. */
  async act(market: Market): Promise<void> {
    const random = this.#random;
    for (let count = random.pick(ORDERS_PER_BLOCK); count > 0; count--) {
      const picked = pickTraderTerms(market, random);
      if (picked !== null) await this.#place(market, picked);
    }
    this.#reconsider(market);
    moveFunds(market.ledger, random, this.#open);
    keepFunded(market.ledger);
  }

  async #place(market: Market, { terms, fullAppData }: TraderTerms): Promise<void> {
    const signingScheme = pickScheme(this.#random);
    const isContract = signingScheme === "eip1271";
    const account = isContract
      ? WALLET_OWNER
      : DEVELOPMENT_ACCOUNTS[this.#random.between(1, DEVELOPMENT_ACCOUNTS.length - 1)]!;
    const owner = isContract ? WALLET_CONTRACT : account.address;
    const digest = orderDigest(market.domain, terms);
    const uid = packOrderUid({ digest, owner, validTo: terms.validTo });
    if (market.book.orders.has(uid)) return;
    const signature = signingScheme === "presign"
      ? "0x"
      : await sign(digest, account, signingScheme === "ethsign" ? "ethsign" : "eip712");
    const data = { ...terms, signingScheme, signature };
    const document = { ...checkAppData(fullAppData), text: fullAppData };
    this.#open.push(placeOrder(market, { data, uid, owner, document }));
  }

  #reconsider(market: Market): void {
    const random = this.#random;
    for (const order of this.#open) {
      if (order.isPresignaturePending && random.chance(PRESIGNATURES_IN_1000)) {
        market.preSign(order);
      }
    }
    const open = this.#open.filter((order) => market.book.open.has(order));
    this.#open = open;
    if (open.length > 0 && random.chance(CANCELLATIONS_IN_1000)) {
      market.cancel(random.pick(open));
    }
  }
}

/** Cached signatures: markets of one seed place the same orders, and signing takes a millisecond. */
const SIGNATURES = new Map<string, string>();
/** Signatures to cache, about 3 MB; then the cache is cleared. */
const MAX_SIGNATURES = 10_000;

async function sign(
  digest: string,
  { address, privateKey }: typeof WALLET_OWNER,
  signingScheme: "eip712" | "ethsign",
): Promise<string> {
  const key = `${signingScheme} ${address} ${digest}`;
  const cachedSignature = SIGNATURES.get(key);
  if (cachedSignature !== undefined) return cachedSignature;
  const signature = await signDigest(digest, { privateKey, signingScheme });
  if (SIGNATURES.size >= MAX_SIGNATURES) SIGNATURES.clear();
  SIGNATURES.set(key, signature);
  return signature;
}

function pickScheme(random: Random): SignedOrder["signingScheme"] {
  const draw = random.below(1000);
  if (draw < 820) return "eip712";
  if (draw < 900) return "ethsign";
  return draw < 960 ? "presign" : "eip1271";
}

const WITHDRAWALS_IN_1000 = 90;

const RETURNS_IN_1000 = 120;

const MIN_FUNDS = 500n * ETHER;

const MORE_FUNDS = 50_000n * ETHER;

/** The account that sometimes moves its funds away and back. */
const RESTLESS_ACCOUNT = DEVELOPMENT_ACCOUNTS.at(-1)!.address;

const VAULT = "vault of the restless account";

const STEADY_ACCOUNTS = [
  WALLET_CONTRACT,
  ...DEVELOPMENT_ACCOUNTS.slice(1, -1).map((account) => account.address),
];

/** The restless account withdraws the sell token of one of its open orders, and returns it later. */
function moveFunds(ledger: Ledger, random: Random, open: readonly BookOrder[]): void {
  const [here, there] = [RESTLESS_ACCOUNT, VAULT];
  const waiting = open.find(({ owner }) => owner === here)?.data.sellToken;
  if (random.chance(WITHDRAWALS_IN_1000) && waiting !== undefined) {
    ledger.move(waiting, ledger.balanceOf(here, waiting), { from: here, to: there });
  }
  if (random.chance(RETURNS_IN_1000)) {
    for (const { address } of TOKENS) {
      ledger.move(address, ledger.balanceOf(there, address), { from: there, to: here });
    }
  }
}

/** Refills low balances of the other accounts from outside. */
export function keepFunded(ledger: Ledger): void {
  for (const { address, openingPrice } of TOKENS) {
    const minFunds = convertNativeAtoms(MIN_FUNDS, openingPrice);
    const moreFunds = convertNativeAtoms(MORE_FUNDS, openingPrice);
    for (const holder of STEADY_ACCOUNTS) {
      if (ledger.balanceOf(holder, address) < minFunds) {
        ledger.move(address, moreFunds, { from: OUTSIDE, to: holder });
      }
    }
  }
}

/** The terms of an order before it is signed, and its app data document. */
type TraderTerms = NonNullable<ReturnType<typeof pickTraderTerms>>;

const LARGE_IN_1000 = 150;

const SALES_IN_1000 = 700;

/** Validity of orders, and of large ones, which are partially fillable. */
const MIN_VALIDITY_SEC = 64;

const MAX_VALIDITY_SEC = 240;

const MAX_LARGE_VALIDITY_SEC = 400;

const PARTNER = "0x9a47000000000000000000000000000000000001";

const RECIPIENT = "0x9a47000000000000000000000000000000000002";

/** App data documents of traders, the most frequent first. */
const DOCUMENTS: readonly string[] = [
  "{}",
  '{"appCode":"Bot","metadata":{},"version":"1.6.0"}',
  '{"appCode":"Explorer","metadata":{"quote":{"slippageBips":50}},"version":"1.6.0"}',
  `{"appCode":"Partner","metadata":{"partnerFee":{"recipient":"${PARTNER}","volumeBps":15}},"version":"1.4.0"}`,
  `{"appCode":"Partner","metadata":{"partnerFee":{"maxVolumeBps":60,"recipient":"${PARTNER}","surplusBps":2500}},"version":"1.4.0"}`,
  `{"appCode":"Partner","metadata":{"partnerFee":{"maxVolumeBps":40,"priceImprovementBps":3000,"recipient":"${PARTNER}"}},"version":"1.4.0"}`,
  `{"appCode":"Partners","metadata":{"partnerFee":[{"recipient":"${PARTNER}","volumeBps":80},{"recipient":"${RECIPIENT}","volumeBps":90}]},"version":"1.4.0"}`,
];

/** Picks the terms of an order, with a limit near its quote; `null` without a quote. */
function pickTraderTerms(market: Market, random: Random) {
  const [sellToken, buyToken] = pickPair(random);
  const kind = random.chance(SALES_IN_1000) ? "sell" : "buy";
  const isLarge = random.chance(LARGE_IN_1000);
  const amounts = pickAmounts(market, random, { sellToken, buyToken, kind, isLarge });
  if (amounts === null) return null;
  // The lower of two picks: the first documents are the most frequent.
  const index = Math.min(random.below(DOCUMENTS.length), random.below(DOCUMENTS.length + 3));
  const fullAppData = DOCUMENTS[index]!;
  const maxSec = isLarge ? MAX_LARGE_VALIDITY_SEC : MAX_VALIDITY_SEC;
  return {
    terms: {
      sellToken,
      buyToken,
      receiver: null,
      ...amounts,
      validTo: market.time.seconds + random.between(MIN_VALIDITY_SEC, maxSec),
      appData: hashAppData(fullAppData),
      feeAmount: 0n,
      kind,
      partiallyFillable: isLarge,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
    } as const,
    fullAppData,
  };
}

const GNO = TOKENS[3]!.address;

/** Picks a pair; GNO is sold for the native token instead of the wrapped one. */
function pickPair(random: Random): [string, string] {
  const sell = random.pick(TOKENS).address;
  let buy = random.pick(TOKENS).address;
  while (buy === sell) buy = random.pick(TOKENS).address;
  return [sell, sell === GNO && buy === WRAPPED_NATIVE ? NATIVE_TOKEN_ADDRESS : buy];
}

/** Picks the amounts of an order: the fixed amount and the limit amount. */
function pickAmounts(
  market: Market,
  random: Random,
  { isLarge, ...trade }: Omit<QuoteFacts, "atoms"> & { readonly isLarge: boolean },
): Pick<SignedOrder, "sellAmount" | "buyAmount"> | null {
  const isSale = trade.kind === "sell";
  const thousandths = isLarge
    ? random.between(8_000, 90_000)
    : random.between(100, 4_000) * random.between(1, 4);
  const worth = ETHER * BigInt(thousandths) / 1_000n;
  const price = market.nativePrice(isSale ? trade.sellToken : trade.buyToken)!;
  const atoms = convertNativeAtoms(worth, price);
  const quote = findBestQuote(market, { ...trade, atoms });
  if (quote === null) return null;
  const { sellAmount, buyAmount, feeAmount } = quote;
  const offset = BigInt(pickLimitOffsetBps(random, isLarge));
  const limitAmount = isSale
    ? addBpsDown(mulDivDown(buyAmount, atoms - feeAmount, atoms), offset)
    : addBpsUp(sellAmount + feeAmount, -offset);
  if (limitAmount <= 0n) return null;
  return isSale
    ? { sellAmount: atoms, buyAmount: limitAmount }
    : { sellAmount: limitAmount, buyAmount: atoms };
}

/** Offset of the limit from the quote, in basis points: below 0 for in-market orders. */
function pickLimitOffsetBps(random: Random, isLarge: boolean): number {
  if (isLarge) return random.between(-60, 60);
  const draw = random.below(1000);
  if (draw < 640) return random.between(-120, -15);
  if (draw < 900) return random.between(-10, 60);
  return random.between(60, 900);
}

/** A validated order to add to the book. */
interface ValidOrder {
  /** The signed order. */
  readonly data: SignedOrder;
  /** Its UID. */
  readonly uid: string;
  /** Its owner. */
  readonly owner: string;
  /** Its app data document. */
  readonly document: CheckedAppData & { readonly text: string };
  /** The quote to store with it. @default {a fresh one} */
  readonly quote?: OrderQuote | null;
}

/** Adds a valid order to the book, with its quote and fee policies. */
export function placeOrder(market: Market, order: ValidOrder): BookOrder {
  const { data, uid, owner, document, quote = quoteForOrder(market, data) } = order;
  const { partnerFees, interactions, text: fullAppData } = document;
  const created = market.time.stamp();
  const bookOrder = new BookOrder(data, {
    uid,
    owner,
    created,
    fullAppData,
    quote,
    policies: createFeePolicies({ order: data, quote, partnerFees }),
    interactions,
  });
  bookOrder.addEvent("created", market.time.stamp());
  market.book.documents.set(data.appData, fullAppData);
  market.book.add(bookOrder);
  return bookOrder;
}

/** Returns the quote to store with an order: the one it names, else a fresh one; `null` without either. */
export function quoteForOrder(
  market: Market,
  order: SignedOrder,
  quoteId: number | null = null,
): OrderQuote | null {
  const atoms = order.kind === "sell" ? order.sellAmount : order.buyAmount;
  const gross = findIssuedQuote(market, order, quoteId)?.gross ??
    findBestQuote(market, { ...order, atoms });
  return gross === null ? null : toStoredQuote(gross, order);
}

/** Finds the quote with an id, if it matches the trade and amount and has not expired. */
export function findIssuedQuote(
  market: Market,
  order: SignedOrder,
  quoteId: number | null,
): IssuedQuote | null {
  const issued = quoteId === null ? undefined : market.quotes.get(quoteId);
  if (issued === undefined || issued.expiresMs < market.time.ms) return null;
  const { pair, gross } = issued;
  const isSamePair = pair.kind === order.kind && pair.sellToken === order.sellToken &&
    pair.buyToken === order.buyToken;
  const isSameAmount = order.kind === "sell"
    ? gross.sellAmount === order.sellAmount
    : gross.buyAmount === order.buyAmount;
  return isSamePair && isSameAmount ? issued : null;
}
