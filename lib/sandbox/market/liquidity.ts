import type { ExecutedProtocolFee } from "../../schemas/mod.ts";
import { divideDown, divideUp, mulDivDown } from "../../units/mod.ts";
import {
  convertNativeAtoms,
  ETHER,
  type PricedToken,
  TOKENS,
  wrapNativeToken,
  WRAPPED_NATIVE,
} from "./ledger.ts";

/** A route through pools. */
export interface Route {
  /** Token paid in. */
  readonly from: string;
  /** Pools, in the sequence of their trades. */
  readonly pools: readonly Pool[];
}

type PoolOpening = readonly [symbol: string, otherSymbol: string, ethers: bigint];

/** Pairs with a pool, by symbol, and the opening value of each side, in ether. */
const OPENING: readonly PoolOpening[] = [
  ["WETH", "USDC", 6_000n],
  ["WETH", "DAI", 3_500n],
  ["WETH", "GNO", 2_000n],
  ["WETH", "WBTC", 5_000n],
  ["WETH", "COW", 1_500n],
  ["USDC", "DAI", 4_000n],
  ["USDC", "WBTC", 1_500n],
  ["DAI", "GNO", 800n],
];

function openPool([symbol, otherSymbol, ethers]: PoolOpening): Pool {
  const [first, second] = [findToken(symbol), findToken(otherSymbol)];
  const reserve = ({ openingPrice }: PricedToken) =>
    convertNativeAtoms(ethers * ETHER, openingPrice);
  return new Pool([first.address, second.address], [reserve(first), reserve(second)]);
}

function findToken(symbol: string): PricedToken {
  return TOKENS.find((token) => token.symbol === symbol)!;
}

interface Walk {
  readonly to: string;
  readonly hops: number;
  readonly visited: readonly string[];
}

/** All pools of the market, and the routes through them. */
export class Liquidity {
  /** The pools. */
  readonly pools: readonly Pool[];
  readonly #routes = new Map<string, readonly Route[]>();

  /** Opens the pools. */
  constructor() {
    this.pools = OPENING.map(openPool);
  }

  /**
   * Finds the routes from one token to another through at most `hops` pools, where the native token is
   * wrapped; empty if there are none.
   */
  findRoutes(sellToken: string, buyToken: string, hops: number): readonly Route[] {
    const [from, to] = [wrapNativeToken(sellToken), wrapNativeToken(buyToken)];
    const key = `${from} ${to} ${hops}`;
    const cachedRoutes = this.#routes.get(key);
    if (cachedRoutes !== undefined) return cachedRoutes;
    const routes = from === to ? [] : [...this.#findPaths(from, { to, hops, visited: [from] })]
      .map((pools) => ({ from, pools }));
    // Requests may name any token: empty results are not cached.
    if (routes.length > 0) this.#routes.set(key, routes);
    return routes;
  }

  /** Finds the pools of every path from one token to another that visits no token twice. */
  *#findPaths(token: string, { to, hops, visited }: Walk): Generator<readonly Pool[]> {
    if (token === to) yield [];
    if (token === to || hops === 0) return;
    for (const pool of this.pools.filter(({ tokens }) => tokens.includes(token))) {
      const next = pool.getOtherToken(token);
      if (visited.includes(next)) continue;
      const paths = this.#findPaths(next, { to, hops: hops - 1, visited: [...visited, next] });
      yield* paths.map((pools) => [pool, ...pools]);
    }
  }

  /**
   * The price of a token in its pool with the wrapped native token, in native atoms per 10^18 atoms,
   * as in auctions; `null` without such a pool.
   */
  nativePrice(token: string): bigint | null {
    if (token === WRAPPED_NATIVE) return ETHER;
    const [pool] = this.findRoutes(token, WRAPPED_NATIVE, 1)[0]?.pools ?? [];
    return pool === undefined
      ? null
      : mulDivDown(pool.getReserve(WRAPPED_NATIVE), ETHER, pool.getReserve(token));
  }
}

/** A price as a ratio of atoms paid out to atoms paid in. */
export interface SpotPrice {
  /** Atoms paid in. */
  readonly paid: bigint;
  /** Atoms that come out. */
  readonly out: bigint;
}

/** Finds the best spot price of several routes; `null` without routes. */
export function findBestSpotPrice(routes: readonly Route[]): SpotPrice | null {
  let best: SpotPrice | null = null;
  for (const { from, pools } of routes) {
    let [token, paid, out] = [from, 1n, 1n];
    for (const pool of pools) {
      const spot = pool.getSpotPrice(token);
      paid *= spot.paid;
      out *= spot.out;
      token = pool.getOtherToken(token);
    }
    if (best === null || out * best.paid > best.out * paid) best = { paid, out };
  }
  return best;
}

/** The output of a route for `atoms` of input. */
export function routeOutput(route: Route, atoms: bigint): bigint {
  let token = route.from;
  let amount = atoms;
  for (const pool of route.pools) {
    amount = pool.calculateOutput(token, amount);
    token = pool.getOtherToken(token);
  }
  return amount;
}

/** The input of a route for `atoms` of output; `null` if a pool holds too little. */
export function routeInput(route: Route, atoms: bigint): bigint | null {
  const tokens = [route.from];
  for (const pool of route.pools) tokens.push(pool.getOtherToken(tokens.at(-1)!));
  let amount: bigint | null = atoms;
  for (let index = route.pools.length - 1; index >= 0 && amount !== null; index--) {
    amount = route.pools[index]!.calculateInput(tokens[index]!, amount);
  }
  return amount;
}

/** The traded share of atoms paid in, as a fraction; the rest is the fee. */
const TRADED = 997n;
const PAID_IN = 1_000n;

/** A constant-product pool of two tokens with a fee of 0.3%. */
export class Pool {
  /** Its address, under which the ledger has its balances. */
  readonly address: string;
  /** Its two tokens. */
  readonly tokens: readonly [string, string];
  readonly #reserves: [bigint, bigint];

  /** Opens a pool with reserves, in atoms. */
  constructor(tokens: readonly [string, string], reserves: readonly [bigint, bigint]) {
    this.address = `0x9001${tokens[0].slice(-18)}${tokens[1].slice(-18)}`;
    this.tokens = tokens;
    this.#reserves = [...reserves];
  }

  /** Its reserve of a token, in atoms. */
  getReserve(token: string): bigint {
    return this.#reserves[this.#findSides(token)[0]];
  }

  /** Its other token. */
  getOtherToken(token: string): string {
    return this.tokens[this.#findSides(token)[1]];
  }

  /** The spot price for paying in `token`, after the fee: no amount gets a better one. */
  getSpotPrice(token: string): { paid: bigint; out: bigint } {
    const [side, otherSide] = this.#findSides(token);
    return { paid: this.#reserves[side] * PAID_IN, out: this.#reserves[otherSide] * TRADED };
  }

  /** Output for `atoms` of `token`, rounded down. */
  calculateOutput(token: string, atoms: bigint): bigint {
    const [side, otherSide] = this.#findSides(token);
    const paid = atoms * TRADED;
    return divideDown(this.#reserves[otherSide] * paid, this.#reserves[side] * PAID_IN + paid);
  }

  /** Input of `token` for `atoms` of output, rounded up; `null` if the reserve is too small. */
  calculateInput(token: string, atoms: bigint): bigint | null {
    const [side, otherSide] = this.#findSides(token);
    const reserve = this.#reserves[otherSide];
    if (atoms >= reserve) return null;
    return divideUp(this.#reserves[side] * atoms * PAID_IN, (reserve - atoms) * TRADED);
  }

  /** Adds `paid` of `token` to its reserves and removes `out` of the other token. */
  exchange(token: string, amounts: { paid: bigint; out: bigint }): void {
    const [side, otherSide] = this.#findSides(token);
    this.#reserves[side] += amounts.paid;
    this.#reserves[otherSide] -= amounts.out;
  }

  /** The indices of a token and of the other one. */
  #findSides(token: string): readonly [0 | 1, 0 | 1] {
    return token === this.tokens[0] ? FIRST_THEN_SECOND : SECOND_THEN_FIRST;
  }
}

const FIRST_THEN_SECOND = [0, 1] as const;
const SECOND_THEN_FIRST = [1, 0] as const;

/** A settled fill of an order. */
export interface RecordedFill {
  /** UID of the order. */
  readonly uid: string;
  /** Auction that it was settled from. */
  readonly auctionId: number;
  /** Block of the settlement. */
  readonly block: number;
  /** Index of its event in the block. */
  readonly logIndex: number;
  /** Settlement transaction. */
  readonly txHash: string;
  /** Executed sell amount, in sell-token atoms, after all fees. */
  readonly sellAmount: bigint;
  /** Executed buy amount, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
  /** All fees, in sell-token atoms. */
  readonly executedFee: bigint;
  /** Protocol fees, in the sequence of their application. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
  /** Cap on the penalty for not settling it, in native atoms; `null` where orders have none. */
  readonly penaltyCapNative: bigint | null;
}
