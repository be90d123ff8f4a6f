/** The one holder with unbounded balances: the source and sink of tokens. */
export const OUTSIDE = "outside";

/** Who holds how much of what. Tokens only ever move, so that their sum stays 0. */
export class Ledger {
  readonly #balances = new Map<string, Map<string, bigint>>();

  /** What a holder has of a token, in its atoms; below 0 for the outside alone. */
  balanceOf(holder: string, token: string): bigint {
    return this.#balances.get(token)?.get(holder) ?? NOTHING;
  }

  /**
   * Moves atoms of a token from one holder to another.
   *
   * @throws {RangeError} If the giver has less, or the amount is negative.
   */
  move(token: string, atoms: bigint, path: { from: string; to: string }): void {
    const { from, to } = path;
    const left = this.balanceOf(from, token) - atoms;
    if (atoms < 0n || (left < 0n && from !== OUTSIDE)) {
      throw new RangeError(
        `Cannot move ${atoms} atoms of ${token} from ${from}: ${left} would remain`,
      );
    }
    const balances = this.#balances.get(token) ?? new Map<string, bigint>();
    this.#balances.set(token, balances);
    balances.set(from, left);
    balances.set(to, (balances.get(to) ?? NOTHING) + atoms);
  }

  /** All balances, by token and holder. */
  *entries(): Generator<{ token: string; holder: string; atoms: bigint }> {
    for (const [token, balances] of this.#balances) {
      for (const [holder, atoms] of balances) yield { token, holder, atoms };
    }
  }
}

const NOTHING = 0n;
