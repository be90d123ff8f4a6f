import { NETWORKS } from "../../networks/networks.ts";
import type { TokenOptions } from "../../tables/mod.ts";
import type { DatasetRequest, DatasetSource } from "../layout/manifest.ts";

/** What the tables of a dataset are built with, besides its answers. */
export interface TableContext {
  /** Where the records are from: the first columns of every table. */
  readonly source: DatasetSource;
  /** Tables to build. */
  readonly tables: readonly string[];
  /** What is known of tokens. */
  readonly tokens: TokenOptions;
  /** Wrapped native token; `undefined` if unknown. */
  readonly wrappedNativeToken?: string | undefined;
}

/** A token of the deployment, as `deployment.json` has it. */
export interface KnownToken {
  /** Address. */
  readonly address: string;
  /** Decimals. */
  readonly decimals: number;
  /** Symbol. */
  readonly symbol: string;
}

/** What the tables of a dataset are built with: those of a request, with the facts of its deployment. */
export function tableContext(
  source: DatasetSource,
  { tables }: Pick<DatasetRequest, "tables">,
  deployment: { readonly tokens?: readonly KnownToken[]; readonly wrappedNativeToken?: unknown },
): TableContext {
  return {
    source,
    tables,
    tokens: tokensOf(source, deployment.tokens ?? []),
    wrappedNativeToken: wrappedTokenOf(source, deployment),
  };
}

/** Facts of tokens for tables: those of the deployment first, then those of its network. */
export function tokensOf(source: DatasetSource, tokens: readonly KnownToken[]): TokenOptions {
  const decimals = new Map(tokens.map((token) => [token.address.toLowerCase(), token.decimals]));
  const symbols = new Map(tokens.map((token) => [token.address.toLowerCase(), token.symbol]));
  return {
    ...(tokens.length === 0 ? {} : { decimals, symbols }),
    ...(source.network === null ? {} : { network: source.network }),
  };
}

/** The wrapped native token: that of the deployment, otherwise that of its network. */
export function wrappedTokenOf(
  { network }: DatasetSource,
  { wrappedNativeToken }: { readonly wrappedNativeToken?: unknown },
): string | undefined {
  if (typeof wrappedNativeToken === "string") return wrappedNativeToken;
  const known = Object.values(NETWORKS).find(({ name }) => name === network);
  return known?.wrappedNativeToken.address;
}
