import { InputError } from "../errors/mod.ts";
import { ADDRESS, describeValue, isWhole } from "../errors/option_rules.ts";
import { cleanSymbol } from "../evm/node/read_tokens.ts";
import { localFiles } from "../http/local_files.ts";
import { HexMap } from "../units/mod.ts";
import { MAX_DECIMALS } from "../units/arithmetic.ts";

/** Symbol and decimals of a token; an absent one is not changed. */
export interface TokenNames {
  /** Symbol. */
  readonly symbol?: string | undefined;
  /** Number of decimals. */
  readonly decimals?: number | undefined;
}

/** A list of tokens in the format of Uniswap's token lists. */
export interface TokenList {
  /** The tokens, of any chains. */
  readonly tokens: readonly {
    /** Chain id. */
    readonly chainId: number;
    /** Address. */
    readonly address: string;
    /** Symbol. */
    readonly symbol: string;
    /** Number of decimals. */
    readonly decimals: number;
  }[];
}

/** Symbols and decimals of tokens: by address, a token list, or the path of one as JSON. */
export type MarketTokenNames =
  | ReadonlyMap<string, TokenNames>
  | Readonly<Record<string, TokenNames>>
  | TokenList
  | string
  | URL;

const ACTION = "Cannot read the tokens of a market";

/**
 * Reads symbols and decimals of tokens of one chain, by address.
 *
 * Symbols are labels: invisible characters are replaced, and they are cut after 32 characters.
 *
 * @throws {InputError} If the file cannot be read, an entry is invalid, an address is listed twice with
 *   different facts, or a token list has no token of the chain.
 */
export async function readTokenNames(
  input: MarketTokenNames,
  chainId: number,
): Promise<HexMap<TokenNames>> {
  const names = typeof input === "string" || input instanceof URL ? await readFile(input) : input;
  const result = new HexMap<TokenNames>();
  for (const [index, [address, facts]] of listEntries(names, chainId).entries()) {
    const token = checkEntry(address, facts, index);
    const listed = result.get(address);
    if (listed !== undefined && JSON.stringify(listed) !== JSON.stringify(token)) {
      throw createEntryError(`${address} is listed twice with different facts`, index);
    }
    result.set(address, token);
  }
  return result;
}

async function readFile(path: string | URL): Promise<MarketTokenNames> {
  if (/^https?:/i.test(String(path))) {
    throw new InputError(`${ACTION} from ${path}: it is no local file`, {
      remedy: "Download the list, and pass its path",
    });
  }
  try {
    return JSON.parse(await localFiles().readFile(path, "utf8"));
  } catch (cause) {
    throw new InputError(`${ACTION} from ${path}`, {
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      remedy:
        "Pass the path of a token list as JSON: { tokens: [{ chainId, address, symbol, decimals }] }",
      cause,
    });
  }
}

/** Lists addresses with their facts; of a token list, those of one chain. */
function listEntries(names: unknown, chainId: number): (readonly [string, unknown])[] {
  if (names instanceof Map) return [...names];
  if (typeof names !== "object" || names === null || Array.isArray(names)) {
    throw new InputError(`${ACTION} from ${describeValue(names)}`, {
      remedy: "Pass facts by address, a token list, or its path",
    });
  }
  const { tokens }: { tokens?: unknown } = names;
  if (!Array.isArray(tokens)) return Object.entries(names);
  const chainTokens = tokens.filter((token) => Object(token).chainId === chainId);
  if (chainTokens.length > 0) return chainTokens.map((token) => [String(token.address), token]);
  const chains = [...new Set(tokens.map((token) => String(Object(token).chainId)))].sort();
  throw new InputError(`${ACTION}: the list has no token of chain ${chainId}`, {
    facts: { "chains of the list": chains.slice(0, 20).join(", ") || "none" },
    remedy: `Pass a list with tokens of chain ${chainId}`,
  });
}

function checkEntry(address: string, facts: unknown, index: number): TokenNames {
  if (!ADDRESS.accepts(address)) {
    throw createEntryError(`the address ${describeValue(address)}`, index);
  }
  if (typeof facts !== "object" || facts === null) {
    throw createEntryError(`${describeValue(facts)} of ${address}`, index);
  }
  const { symbol, decimals }: { symbol?: unknown; decimals?: unknown } = facts;
  if (decimals !== undefined && !isWhole(decimals, 0, MAX_DECIMALS)) {
    throw createEntryError(`decimals ${describeValue(decimals)} of ${address}`, index);
  }
  const clean = typeof symbol === "string" ? cleanSymbol(symbol) : null;
  if (symbol !== undefined && clean === null) {
    throw createEntryError(`symbol ${describeValue(symbol)} of ${address}`, index);
  }
  return {
    ...clean !== null && { symbol: clean },
    ...decimals !== undefined && { decimals: Number(decimals) },
  };
}

function createEntryError(fault: string, index: number): InputError {
  return new InputError(`${ACTION}: ${fault}`, {
    facts: { entry: index },
    remedy:
      `Pass addresses as 0x and 40 hex digits, each once, with a symbol and decimals from 0 to ${MAX_DECIMALS}`,
  });
}
