import facts from "../../../data/tokens.json" with { type: "json" };
import lists from "../../../data/token_lists.json" with { type: "json" };
import { groupByHex, type HexMap } from "../../units/mod.ts";

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

/** A line of `data/token_lists.json`: address, symbol, decimals, and the index of its source. */
type ListedToken = readonly [address: string, symbol: string, decimals: number, source: number];

/** Facts by address, indexed when a token is first looked up. */
let factsByAddress: HexMap<TokenFact[]> | undefined;
/** Facts by network and symbol, as `mainnet usdc`. */
let factsBySymbol: ReadonlyMap<string, readonly TokenFact[]> | undefined;

/** Lists the facts of both files, those of `data/tokens.json` first. */
function listFacts(): TokenFact[] {
  const { tokens, sources } = lists;
  const listed = Object.entries(tokens).flatMap(([network, entries]) =>
    (entries as unknown as readonly ListedToken[]).map(([address, symbol, decimals, source]) => (
      { network, address, symbol, decimals, source: sources[source]! }
    ))
  );
  return [...TOKEN_FACTS, ...listed];
}

/** Finds the facts of a token that ship, of one network or of all. */
export function findFacts(address: string, network: string | undefined): readonly TokenFact[] {
  factsByAddress ??= groupByHex(listFacts(), (fact) => fact.address);
  const facts = factsByAddress.get(address) ?? [];
  return network === undefined ? facts : facts.filter((fact) => fact.network === network);
}

/**
 * Finds a fact of a token, if all networks that are known to have a token at this address agree on it.
 *
 * @param address Any case.
 * @param network Network of the token; every network when `undefined`.
 * @returns `undefined` if nothing is known or networks disagree: never a guess.
 */
export function findAgreedFact<Key extends "decimals" | "symbol">(
  key: Key,
  address: string,
  network: string | undefined,
): TokenFact[Key] | undefined {
  const [first, ...otherFacts] = findFacts(address, network);
  return otherFacts.every((fact) => fact[key] === first?.[key]) ? first?.[key] : undefined;
}

/** Finds the tokens of a network that ship with a symbol, in any letter case. */
export function findNamesakes(symbol: string, network: string): readonly TokenFact[] {
  const toKey = (fact: Pick<TokenFact, "network" | "symbol">) =>
    `${fact.network} ${fact.symbol.toLowerCase()}`;
  factsBySymbol ??= Map.groupBy(listFacts(), toKey);
  return factsBySymbol.get(toKey({ symbol, network })) ?? [];
}

/** Addresses of the tokens of each network that are worth one US dollar, in lower case. */
const DOLLARS: Readonly<Record<string, readonly string[]>> = lists.dollars;

/** Lists the tokens of a network that are worth one US dollar; none of an unknown network. */
export function listDollarTokens(network: string | undefined): readonly string[] {
  return network !== undefined && Object.hasOwn(DOLLARS, network) ? DOLLARS[network]! : [];
}

/** Addresses of the tokens of all networks that are worth one US dollar. */
export const ALL_DOLLAR_TOKENS: readonly string[] = Object.values(DOLLARS).flat();
