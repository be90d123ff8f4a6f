import type { AuctionTimes, CowPrice } from "../../metrics/mod.ts";
import type { NetworkName } from "../../networks/network.ts";
import { NETWORKS } from "../../networks/networks.ts";
import type { Deployment } from "../../recordings/deployment.ts";
import type { TokenOptions } from "../../tables/mod.ts";
import { parseInstant } from "../../units/mod.ts";
import type { DatasetAbout, DatasetRequest, DatasetSource } from "../layout/manifest.ts";

export interface TableContext {
  /** Origin of the records: the first columns of every table. */
  readonly source: DatasetSource;
  readonly tables: readonly string[];
  /** Token decimals, symbols and network. */
  readonly tokens: TokenOptions;
  /** Wrapped native token; `undefined` if unknown. */
  readonly wrappedNativeToken?: string | undefined;
  /** Network whose rules reward the solvers; `undefined` if none is known. */
  readonly rewardsOf?: NetworkName | undefined;
  /** Prices of COW; `undefined` if none is known. */
  readonly cowPrice?: readonly CowPrice[] | undefined;
}

/** Creates the context of the tables of a request, with the facts of its deployment. */
export function createTableContext(
  { source, request: { tables }, about, deployment }: {
    readonly source: DatasetSource;
    readonly about?: Pick<DatasetAbout, "rewardsOf" | "cowPrice"> | undefined;
    readonly request: Pick<DatasetRequest, "tables">;
    readonly deployment: Readonly<Record<string, unknown>>;
  },
): TableContext {
  const { tokens: listed = [] }: Pick<Deployment, "tokens"> = deployment;
  const decimals = new Map(listed.map((token) => [token.address.toLowerCase(), token.decimals]));
  const symbols = new Map(listed.map((token) => [token.address.toLowerCase(), token.symbol]));
  // Facts of the deployment come first, then those of its network.
  const tokens = {
    ...listed.length > 0 && { decimals, symbols },
    ...source.network !== null && { network: source.network },
  };
  const wrappedNativeToken = findWrappedToken(source, deployment);
  return {
    source,
    tables,
    tokens,
    wrappedNativeToken,
    rewardsOf: findRuleNetwork(source, about),
    cowPrice: about?.cowPrice,
  };
}

/** Finds the network whose rules reward the solvers: as its publisher said, otherwise its own. */
export function findRuleNetwork(
  { network }: DatasetSource,
  about: Pick<DatasetAbout, "rewardsOf"> | undefined,
): NetworkName | undefined {
  const deployed = Object.values(NETWORKS).find(({ name }) => name === network);
  return about?.rewardsOf ?? deployed?.name;
}

/** Finds the wrapped native token: that of the deployment, otherwise that of its network. */
export function findWrappedToken(
  { network }: DatasetSource,
  { wrappedNativeToken }: { readonly wrappedNativeToken?: unknown },
): string | undefined {
  if (typeof wrappedNativeToken === "string") return wrappedNativeToken;
  const deployed = Object.values(NETWORKS).find(({ name }) => name === network);
  return deployed?.wrappedNativeToken.address;
}

/**
 * First day on which public deployments store which solutions they filtered out: earlier responses
 * were filled in with `false`.
 *
 * @see {@link https://github.com/cowprotocol/services/pull/3445 | the migration of the service}
 */
export const FILTER_STORED_SINCE = "2025-06-20T00:00:00Z";
const SINCE_MS = parseInstant(FILTER_STORED_SINCE).epochMilliseconds;

/** Returns for which auctions filtered solutions are known: for those that began later. */
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
