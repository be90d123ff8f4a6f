import facts from "../../../data/tokens.json" with { type: "json" };
import { groupByHex } from "../../units/mod.ts";

/** Facts about a token on one network, and their source. */
export interface TokenFact {
  /** Name of the network as `connect` takes it; `local` for the recorded deployments that ship. */
  readonly network: string;
  /** Address, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  /** Symbol. */
  readonly symbol: string;
  /** Number of decimals. */
  readonly decimals: number;
  /** Source of the facts. */
  readonly source: string;
}

/** The token facts that ship, as in `data/tokens.json`. */
export const TOKEN_FACTS: readonly TokenFact[] = facts;

const byAddress = groupByHex(TOKEN_FACTS, ({ address }) => address);

/**
 * One fact of a token, if all networks that are known to have a token at this address agree on it.
 *
 * @param address Any case.
 * @param network Where to look; every network when `undefined`.
 * @returns `undefined` if nothing is known or networks disagree: never a guess.
 */
export function agreedFact<Key extends "decimals" | "symbol">(
  key: Key,
  address: string,
  network: string | undefined,
): TokenFact[Key] | undefined {
  const known = byAddress.get(address) ?? [];
  const here = network === undefined ? known : known.filter((one) => one.network === network);
  const [first, ...others] = here;
  return others.every((one) => one[key] === first?.[key]) ? first?.[key] : undefined;
}
