import { mulDivDown } from "../../../units/mod.ts";
import { Pool } from "./pool.ts";
import { atomsWorth, ETHER } from "./token_worth.ts";
import { type PricedToken, TOKENS, WRAPPED_NATIVE } from "./tokens.ts";

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
  const [one, other] = [tokenNamed(symbol), tokenNamed(otherSymbol)];
  const reserve = ({ openingPrice }: PricedToken) => atomsWorth(ethers * ETHER, openingPrice);
  return new Pool([one.address, other.address], [reserve(one), reserve(other)]);
}

function tokenNamed(symbol: string): PricedToken {
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

  /** The routes from one token to another through at most `hops` pools; empty if there are none. */
  routes(from: string, to: string, hops: number): readonly Route[] {
    const key = `${from} ${to} ${hops}`;
    const cached = this.#routes.get(key);
    if (cached !== undefined) return cached;
    const found = from === to ? [] : [...this.#pathsFrom(from, { to, hops, visited: [from] })]
      .map((pools) => ({ from, pools }));
    // Requests may name any token: empty results are not cached.
    if (found.length > 0) this.#routes.set(key, found);
    return found;
  }

  /** The pools of every path from one token to another that visits no token twice. */
  *#pathsFrom(token: string, { to, hops, visited }: Walk): Generator<readonly Pool[]> {
    if (token === to) yield [];
    if (token === to || hops === 0) return;
    for (const pool of this.pools.filter(({ tokens }) => tokens.includes(token))) {
      const next = pool.otherToken(token);
      if (visited.includes(next)) continue;
      const rest = this.#pathsFrom(next, { to, hops: hops - 1, visited: [...visited, next] });
      yield* rest.map((pools) => [pool, ...pools]);
    }
  }

  /**
   * The price of a token in its pool with the wrapped native token, in native atoms per 10^18 atoms,
   * as in auctions; `null` without such a pool.
   */
  nativePrice(token: string): bigint | null {
    if (token === WRAPPED_NATIVE) return ETHER;
    const [pool] = this.routes(token, WRAPPED_NATIVE, 1)[0]?.pools ?? [];
    return pool === undefined
      ? null
      : mulDivDown(pool.reserveOf(WRAPPED_NATIVE), ETHER, pool.reserveOf(token));
  }
}

/** A price as a ratio of atoms paid out to atoms paid in. */
export interface SpotPrice {
  /** Atoms paid in. */
  readonly paid: bigint;
  /** Atoms that come out. */
  readonly out: bigint;
}

/** The best spot price of several routes; `null` without routes. */
export function bestSpotPrice(routes: readonly Route[]): SpotPrice | null {
  let best: SpotPrice | null = null;
  for (const { from, pools } of routes) {
    let [token, paid, out] = [from, 1n, 1n];
    for (const pool of pools) {
      const spot = pool.spotPrice(token);
      paid *= spot.paid;
      out *= spot.out;
      token = pool.otherToken(token);
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
    amount = pool.outputFor(token, amount);
    token = pool.otherToken(token);
  }
  return amount;
}

/** The input of a route for `atoms` of output; `null` if a pool holds too little. */
export function routeInput(route: Route, atoms: bigint): bigint | null {
  const tokens = [route.from];
  for (const pool of route.pools) tokens.push(pool.otherToken(tokens.at(-1)!));
  let amount: bigint | null = atoms;
  for (let at = route.pools.length - 1; at >= 0 && amount !== null; at--) {
    amount = route.pools[at]!.inputFor(tokens[at]!, amount);
  }
  return amount;
}
