import { orderDigest, packOrderUid } from "../../../evm/mod.ts";
import { signDigest } from "../../../evm/signing/sign_digest.ts";
import type { BookOrder, SignedOrder } from "../state/book_order.ts";
import { cancelOrder } from "./cancel_order.ts";
import { DEVELOPMENT_ACCOUNTS } from "../state/development_accounts.ts";
import type { Market } from "../state/market.ts";
import { placeOrder } from "./place_order.ts";
import type { Random } from "../state/random.ts";
import { keepFunded, moveFunds } from "./trader_funds.ts";
import { pickTraderTerms, type TraderTerms } from "./trader_terms.ts";
import { WALLET_CONTRACT, WALLET_OWNER } from "./wallet_contract.ts";

const CANCELLATIONS_IN_1000 = 60;
const PRESIGNATURES_IN_1000 = 350;
const ORDERS_PER_BLOCK: readonly number[] = [1, 1, 2, 2, 2, 2, 3, 3];

/** The traders of the market: all accounts but the first, which is left to the user. */
export class Traders {
  readonly #random: Random;
  readonly #open: BookOrder[] = [];

  /** Creates traders whose decisions depend only on the seed. */
  constructor(market: Market) {
    this.#random = market.random("traders");
  }

  /** Acts for one block: places, pre-signs and cancels orders, and moves funds. */
  async act(market: Market): Promise<void> {
    const random = this.#random;
    for (let count = random.pick(ORDERS_PER_BLOCK); count > 0; count--) {
      const wanted = pickTraderTerms(market, random);
      if (wanted !== null) await this.#place(market, wanted);
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
    const signature = signingScheme === "presign" ? "0x" : await signDigest(digest, {
      privateKey: account.privateKey,
      signingScheme: signingScheme === "ethsign" ? "ethsign" : "eip712",
    });
    const signed = { ...terms, signingScheme, signature };
    this.#open.push(placeOrder(market, { signed, uid, owner, fullAppData }));
  }

  #reconsider(market: Market): void {
    const random = this.#random;
    for (const order of this.#open) {
      if (order.isPresignaturePending && random.chance(PRESIGNATURES_IN_1000)) {
        market.preSign(order);
      }
    }
    const open = this.#open.filter((order) => market.book.open.has(order));
    this.#open.splice(0, this.#open.length, ...open);
    if (open.length > 0 && random.chance(CANCELLATIONS_IN_1000)) {
      cancelOrder(market, random.pick(open));
    }
  }
}

function pickScheme(random: Random): SignedOrder["signingScheme"] {
  const draw = random.below(1000);
  if (draw < 820) return "eip712";
  if (draw < 900) return "ethsign";
  return draw < 960 ? "presign" : "eip1271";
}
