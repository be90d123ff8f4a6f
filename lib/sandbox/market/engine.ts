import { askContracts } from "./settlement/ask_contracts.ts";
import { holdAuction } from "./settlement/hold_auction.ts";
import { History } from "./state/history.ts";
import { Market } from "./state/market.ts";
import { OutsideWorld } from "./traders/outside_world.ts";
import { screenOrders } from "./settlement/screen_orders.ts";
import { settlePending } from "./settlement/settlements.ts";
import { Traders } from "./traders/traders.ts";
import { WALLET_CONTRACT, walletVerifier } from "./traders/wallet_contract.ts";

/** How many auctions are kept where nobody says. */
const KEPT_AUCTIONS = 5_000;

/** Moves a market on, block by block. */
export class Engine {
  /** The market. */
  readonly market: Market;
  readonly #traders: Traders;
  readonly #history: History;
  readonly #world = new OutsideWorld();
  readonly #random;
  #isMoving: Promise<void> = Promise.resolve();

  /** Opens a market that keeps what happened in so many of the latest auctions. */
  constructor(seed: number, { keptAuctions = KEPT_AUCTIONS }: { keptAuctions?: number } = {}) {
    this.#history = new History(keptAuctions);
    this.market = new Market(seed);
    this.market.verifiers.set(WALLET_CONTRACT, walletVerifier);
    this.#traders = new Traders(this.market);
    this.#random = {
      world: this.market.random("outside"),
      solvers: this.market.random("solvers"),
    };
  }

  /** Moves on by so many auctions; calls wait for each other, also for those that fail. */
  advance(auctions: number): Promise<void> {
    const moved = this.#isMoving.then(() => this.#move(auctions));
    this.#isMoving = moved.catch(() => {});
    return moved;
  }

  async #move(auctions: number): Promise<void> {
    const { market } = this;
    for (let at = 0; at < auctions; at++) {
      market.time.tick();
      market.block++;
      settlePending(market);
      this.#world.move(market, this.#random.world);
      await this.#traders.act(market);
      await askContracts(market);
      await holdAuction(market, screenOrders(market), this.#random.solvers);
      this.#history.forget(market);
    }
  }
}
