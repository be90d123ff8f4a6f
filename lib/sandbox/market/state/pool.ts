import { divideDown, divideUp } from "../../../units/mod.ts";

/** What of so many atoms that are paid in is traded; the rest is the fee. */
const TRADED = 997n;
const PAID_IN = 1_000n;

/** A constant-product pool of two tokens that keeps 0.3% of what is paid in. */
export class Pool {
  /** Name of the pool in the ledger. */
  readonly name: string;
  /** Its two tokens. */
  readonly tokens: readonly [string, string];
  readonly #reserves: [bigint, bigint];

  /** A pool that begins with these reserves, in atoms. */
  constructor(tokens: readonly [string, string], reserves: readonly [bigint, bigint]) {
    this.name = `pool ${tokens[0]} ${tokens[1]}`;
    this.tokens = tokens;
    this.#reserves = [...reserves];
  }

  /** What it holds of one of its tokens, in atoms. */
  reserveOf(token: string): bigint {
    return this.#reserves[this.#sidesOf(token)[0]];
  }

  /** The other one of its tokens. */
  otherThan(token: string): string {
    return this.tokens[this.#sidesOf(token)[1]];
  }

  /** What it pays out for so much of `token` where that is next to nothing: no amount gets more. */
  spotPrice(token: string): { paid: bigint; out: bigint } {
    const [side, other] = this.#sidesOf(token);
    return { paid: this.#reserves[side] * PAID_IN, out: this.#reserves[other] * TRADED };
  }

  /** What it pays out for `atoms` of `token`, rounded down in its favour. */
  outFor(token: string, atoms: bigint): bigint {
    const [side, other] = this.#sidesOf(token);
    const paid = atoms * TRADED;
    return divideDown(this.#reserves[other] * paid, this.#reserves[side] * PAID_IN + paid);
  }

  /** What of `token` it takes to pay out `atoms` of the other; `null` if it has not as much. */
  inFor(token: string, atoms: bigint): bigint | null {
    const [side, other] = this.#sidesOf(token);
    const held = this.#reserves[other];
    if (atoms >= held) return null;
    return divideUp(this.#reserves[side] * atoms * PAID_IN, (held - atoms) * TRADED);
  }

  /** Takes `paid` of `token` in and pays `out` of the other. */
  exchange(token: string, amounts: { paid: bigint; out: bigint }): void {
    const [side, other] = this.#sidesOf(token);
    this.#reserves[side] += amounts.paid;
    this.#reserves[other] -= amounts.out;
  }

  /** The places of a token and of the other one. */
  #sidesOf(token: string): readonly [0 | 1, 0 | 1] {
    return token === this.tokens[0] ? FIRST_THEN_SECOND : SECOND_THEN_FIRST;
  }
}

const FIRST_THEN_SECOND = [0, 1] as const;
const SECOND_THEN_FIRST = [1, 0] as const;
