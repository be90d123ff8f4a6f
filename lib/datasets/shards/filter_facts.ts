import { parseInstant } from "../../units/mod.ts";
import type { AuctionTimes } from "../../metrics/mod.ts";
import type { TableContext } from "./table_context.ts";

/**
 * Since when public deployments store which solutions they filtered out: earlier answers were filled
 * in with `false`.
 *
 * @see {@link https://github.com/cowprotocol/services/pull/3445 | the migration of the service}
 */
export const FILTER_STORED_SINCE = "2025-06-20T00:00:00Z";
const SINCE_MS = parseInstant(FILTER_STORED_SINCE).epochMilliseconds;

/** Of which auctions it is known whether solutions were filtered out: of those that began later. */
export function filterFacts(
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
