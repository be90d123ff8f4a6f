import { divideDown, divideUp } from "../../units/mod.ts";

const FEE_LEFT = 997n;
const FEE_WHOLE = 1000n;

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
    this.#reserves = [reserves[0], reserves[1]];
  }

  /** What it holds of one of its tokens, in atoms. */
  reserveOf(token: string): bigint {
    return this.#reserves[this.#sideOf(token)];
  }

  /** The other one of its tokens. */
  otherThan(token: string): string {
    return this.tokens[1 - this.#sideOf(token)]!;
  }

  /** What it pays out for `atoms` of `token`, rounded down in its favour. */
  outFor(token: string, atoms: bigint): bigint {
    const side = this.#sideOf(token);
    const paid = atoms * FEE_LEFT;
    return divideDown(
      this.#reserves[1 - side as 0 | 1] * paid,
      this.#reserves[side] * FEE_WHOLE + paid,
    );
  }

  /** What of `token` it takes to pay out `atoms` of the other; `null` if it has not as much. */
  inFor(token: string, atoms: bigint): bigint | null {
    const side = this.#sideOf(token);
    const held = this.#reserves[1 - side as 0 | 1];
    if (atoms >= held) return null;
    return divideUp(this.#reserves[side] * atoms * FEE_WHOLE, (held - atoms) * FEE_LEFT);
  }

  /** Takes `paid` of `token` in and pays `out` of the other. */
  exchange(token: string, amounts: { paid: bigint; out: bigint }): void {
    const side = this.#sideOf(token);
    this.#reserves[side] += amounts.paid;
    this.#reserves[1 - side as 0 | 1] -= amounts.out;
  }

  #sideOf(token: string): 0 | 1 {
    return token === this.tokens[0] ? 0 : 1;
  }
}
