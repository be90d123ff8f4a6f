import { mulDivDown } from "../../../units/mod.ts";
import { Pool } from "./pool.ts";
import { atomsWorth, ETHER } from "./token_worth.ts";
import { type PricedToken, TOKENS, WRAPPED_NATIVE } from "./tokens.ts";

/** A way through pools. */
export interface Route {
  /** The token that is paid in. */
  readonly from: string;
  /** Pools in the order they are traded with. */
  readonly pools: readonly Pool[];
}

type PoolOpening = readonly [symbol: string, otherSymbol: string, ethers: bigint];

/** The pairs that have a pool, by symbol, and what each side is worth at the opening, in ether. */
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
  readonly seen: readonly string[];
}

/** All pools of the market, and the ways through them. */
export class Liquidity {
  /** The pools. */
  readonly pools: readonly Pool[];
  readonly #routes = new Map<string, readonly Route[]>();

  /** Opens the pools. */
  constructor() {
    this.pools = OPENING.map(openPool);
  }

  /** The ways from one token to another through at most `hops` pools; empty when there are none. */
  routes(from: string, to: string, hops: number): readonly Route[] {
    const key = `${from} ${to} ${hops}`;
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const found = from === to ? [] : [...this.#waysOn(from, { to, hops, seen: [from] })]
      .map((pools) => ({ from, pools }));
    // Anybody may ask for any token: what leads nowhere is not kept.
    if (found.length > 0) this.#routes.set(key, found);
    return found;
  }

  /** The pools on every way from a token to another that sees no token twice. */
  *#waysOn(token: string, { to, hops, seen }: Walk): Generator<readonly Pool[]> {
    if (token === to) yield [];
    if (token === to || hops === 0) return;
    for (const pool of this.pools.filter(({ tokens }) => tokens.includes(token))) {
      const next = pool.otherThan(token);
      if (seen.includes(next)) continue;
      const rest = this.#waysOn(next, { to, hops: hops - 1, seen: [...seen, next] });
      yield* rest.map((pools) => [pool, ...pools]);
    }
  }

  /**
   * The price of a token in the pool it has with the wrapped native one: native atoms for 10^18 of
   * its atoms, as auctions name prices; `null` for a token without such a pool.
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

/** The best price that any of the routes has for next to nothing; `null` without routes. */
export function bestSpotPrice(routes: readonly Route[]): SpotPrice | null {
  let best: SpotPrice | null = null;
  for (const { from, pools } of routes) {
    let [token, paid, out] = [from, 1n, 1n];
    for (const pool of pools) {
      const spot = pool.spotPrice(token);
      paid *= spot.paid;
      out *= spot.out;
      token = pool.otherThan(token);
    }
    if (best === null || out * best.paid > best.out * paid) best = { paid, out };
  }
  return best;
}

/** What comes out at the end of a route for `atoms` at its beginning. */
export function outOfRoute(route: Route, atoms: bigint): bigint {
  let token = route.from;
  let amount = atoms;
  for (const pool of route.pools) {
    amount = pool.outFor(token, amount);
    token = pool.otherThan(token);
  }
  return amount;
}

/** What must go in at the beginning for `atoms` at the end; `null` if a pool has not as much. */
export function intoRoute(route: Route, atoms: bigint): bigint | null {
  const tokens = [route.from];
  for (const pool of route.pools) tokens.push(pool.otherThan(tokens.at(-1)!));
  let amount: bigint | null = atoms;
  for (let at = route.pools.length - 1; at >= 0 && amount !== null; at--) {
    amount = route.pools[at]!.inFor(tokens[at]!, amount);
  }
  return amount;
}
