import type { NetworkName } from "../../networks/network.ts";

/** Auction ids in a day, where they were counted. */
const IDS_PER_DAY: Partial<Readonly<Record<NetworkName, number>>> = {
  mainnet: 5_500,
  base: 70_000,
};

/** About how many auction ids a network makes in a day; `null` where nobody counted. */
export function idsPerDay(network: NetworkName): number | null {
  return IDS_PER_DAY[network] ?? null;
}
