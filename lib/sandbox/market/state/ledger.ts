/** The one holder with unbounded balances: the source and sink of tokens. */
export const OUTSIDE = "outside";

/** The balances of all holders. Tokens only move, so that they always sum to 0. */
export class Ledger {
  readonly #balances = new Map<string, Map<string, bigint>>();

  /** The balance of a holder, in atoms; only `OUTSIDE` goes below 0. */
  balanceOf(holder: string, token: string): bigint {
    return this.#balances.get(token)?.get(holder) ?? NOTHING;
  }

  /**
   * Moves atoms of a token from one holder to another.
   *
   * @throws {RangeError} If the balance is insufficient, or the amount is negative.
   */
  move(token: string, atoms: bigint, path: { from: string; to: string }): void {
    const { from, to } = path;
    const remaining = this.balanceOf(from, token) - atoms;
    if (atoms < 0n || (remaining < 0n && from !== OUTSIDE)) {
      throw new RangeError(
        `Cannot move ${atoms} atoms of ${token} from ${from}: ${remaining} would remain`,
      );
    }
    const balances = this.#balances.get(token) ?? new Map<string, bigint>();
    this.#balances.set(token, balances);
    balances.set(from, remaining);
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
