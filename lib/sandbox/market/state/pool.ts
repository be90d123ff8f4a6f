import { divideDown, divideUp } from "../../../units/mod.ts";

/** The traded share of atoms paid in, as a fraction; the rest is the fee. */
const TRADED = 997n;
const PAID_IN = 1_000n;

/** A constant-product pool of two tokens with a fee of 0.3%. */
export class Pool {
  /** Its address, under which the ledger has what it holds. */
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
  reserveOf(token: string): bigint {
    return this.#reserves[this.#sidesOf(token)[0]];
  }

  /** Its other token. */
  otherToken(token: string): string {
    return this.tokens[this.#sidesOf(token)[1]];
  }

  /** The spot price for paying in `token`, after the fee: no amount gets a better one. */
  spotPrice(token: string): { paid: bigint; out: bigint } {
    const [side, other] = this.#sidesOf(token);
    return { paid: this.#reserves[side] * PAID_IN, out: this.#reserves[other] * TRADED };
  }

  /** Output for `atoms` of `token`, rounded down. */
  outputFor(token: string, atoms: bigint): bigint {
    const [side, other] = this.#sidesOf(token);
    const paid = atoms * TRADED;
    return divideDown(this.#reserves[other] * paid, this.#reserves[side] * PAID_IN + paid);
  }

  /** Input of `token` for `atoms` of output, rounded up; `null` if the reserve is too small. */
  inputFor(token: string, atoms: bigint): bigint | null {
    const [side, other] = this.#sidesOf(token);
    const held = this.#reserves[other];
    if (atoms >= held) return null;
    return divideUp(this.#reserves[side] * atoms * PAID_IN, (held - atoms) * TRADED);
  }

  /** Adds `paid` of `token` to its reserves and removes `out` of the other token. */
  exchange(token: string, amounts: { paid: bigint; out: bigint }): void {
    const [side, other] = this.#sidesOf(token);
    this.#reserves[side] += amounts.paid;
    this.#reserves[other] -= amounts.out;
  }

  /** The indices of a token and of the other one. */
  #sidesOf(token: string): readonly [0 | 1, 0 | 1] {
    return token === this.tokens[0] ? FIRST_THEN_SECOND : SECOND_THEN_FIRST;
  }
}

const FIRST_THEN_SECOND = [0, 1] as const;
const SECOND_THEN_FIRST = [1, 0] as const;
