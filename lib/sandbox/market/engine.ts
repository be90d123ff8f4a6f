import { verifyContractSignatures } from "./settlement/verify_contract_signatures.ts";
import { holdAuction } from "./settlement/hold_auction.ts";
import { History } from "./state/history.ts";
import { Market } from "./state/market.ts";
import { ExternalMarkets } from "./traders/external_markets.ts";
import { screenOrders } from "./settlement/screen_orders.ts";
import { settlePending } from "./settlement/settlements.ts";
import { Traders } from "./traders/traders.ts";
import { WALLET_CONTRACT, walletVerifier } from "./traders/wallet_contract.ts";

/** Default number of auctions to keep. */
const KEPT_AUCTIONS = 5_000;

/** Advances a market block by block. */
export class Engine {
  /** The market. */
  readonly market: Market;
  readonly #traders: Traders;
  readonly #history: History;
  readonly #externalMarkets = new ExternalMarkets();
  readonly #random;
  #lastAdvance: Promise<void> = Promise.resolve();

  /** Opens a market that keeps the history of its latest auctions. */
  constructor(seed: number, { keptAuctions = KEPT_AUCTIONS }: { keptAuctions?: number } = {}) {
    this.#history = new History(keptAuctions);
    this.market = new Market(seed);
    this.market.verifiers.set(WALLET_CONTRACT, walletVerifier);
    this.#traders = new Traders(this.market);
    this.#random = {
      externalMarkets: this.market.random("outside"),
      solvers: this.market.random("solvers"),
    };
  }

  /** Holds a number of auctions; concurrent calls run one after the other, even if one fails. */
  advance(auctions: number): Promise<void> {
    const advanced = this.#lastAdvance.then(() => this.#holdAuctions(auctions));
    this.#lastAdvance = advanced.catch(() => {});
    return advanced;
  }

  async #holdAuctions(auctions: number): Promise<void> {
    const { market } = this;
    for (let at = 0; at < auctions; at++) {
      market.openChain();
      market.time.tick();
      market.block++;
      settlePending(market);
      this.#externalMarkets.move(market, this.#random.externalMarkets);
      await this.#traders.act(market);
      await verifyContractSignatures(market);
      await holdAuction(market, screenOrders(market), this.#random.solvers);
      this.#history.forget(market);
    }
  }
}
