import type { AuctionTimes } from "../../metrics/mod.ts";
import type { NetworkName } from "../../networks/network.ts";
import { NETWORKS } from "../../networks/networks.ts";
import type { Deployment } from "../../recordings/deployment.ts";
import type { TokenOptions } from "../../tables/mod.ts";
import { parseInstant } from "../../units/mod.ts";
import type { DatasetAbout, DatasetRequest, DatasetSource } from "../layout/manifest.ts";

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
  /** Network whose rules reward the solvers; `undefined` if none is known. */
  readonly rewardsOf?: NetworkName | undefined;
}

/** What the tables of a dataset are built with: those of a request, with the facts of its deployment. */
export function createTableContext(
  { source, request: { tables }, about, deployment }: {
    readonly source: DatasetSource;
    readonly about?: Pick<DatasetAbout, "rewardsOf"> | undefined;
    readonly request: Pick<DatasetRequest, "tables">;
    readonly deployment: Readonly<Record<string, unknown>>;
  },
): TableContext {
  const { tokens: known = [] }: Pick<Deployment, "tokens"> = deployment;
  const decimals = new Map(known.map((token) => [token.address.toLowerCase(), token.decimals]));
  const symbols = new Map(known.map((token) => [token.address.toLowerCase(), token.symbol]));
  // Facts of the deployment come first, then those of its network.
  const tokens = {
    ...known.length > 0 && { decimals, symbols },
    ...source.network !== null && { network: source.network },
  };
  const wrappedNativeToken = findWrappedToken(source, deployment);
  return { source, tables, tokens, wrappedNativeToken, rewardsOf: findRuleNetwork(source, about) };
}

/** The network whose rules reward the solvers: as its publisher said, otherwise its own. */
export function findRuleNetwork(
  { network }: DatasetSource,
  about: Pick<DatasetAbout, "rewardsOf"> | undefined,
): NetworkName | undefined {
  const own = Object.values(NETWORKS).find(({ name }) => name === network);
  return about?.rewardsOf ?? own?.name;
}

/** The wrapped native token: that of the deployment, otherwise that of its network. */
export function findWrappedToken(
  { network }: DatasetSource,
  { wrappedNativeToken }: { readonly wrappedNativeToken?: unknown },
): string | undefined {
  if (typeof wrappedNativeToken === "string") return wrappedNativeToken;
  const known = Object.values(NETWORKS).find(({ name }) => name === network);
  return known?.wrappedNativeToken.address;
}

/**
 * Since when public deployments store which solutions they filtered out: earlier answers were filled
 * in with `false`.
 *
 * @see {@link https://github.com/cowprotocol/services/pull/3445 | the migration of the service}
 */
export const FILTER_STORED_SINCE = "2025-06-20T00:00:00Z";
const SINCE_MS = parseInstant(FILTER_STORED_SINCE).epochMilliseconds;

/** Of which auctions it is known whether solutions were filtered out: of those that began later. */
export function resolveFilterFacts(
  { times }: { readonly times: Pick<AuctionTimes, "auction"> },
  { source }: Pick<TableContext, "source">,
): { readonly isFilterStored?: (auctionId: number) => boolean } {
  if (source.network === null) return {};
  return {
    isFilterStored: (auctionId) => {
      const began = times.auction(auctionId);
      return began === null || began.at.epochMilliseconds >= SINCE_MS;
    },
  };
}
