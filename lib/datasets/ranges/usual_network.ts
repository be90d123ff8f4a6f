import type { NetworkName } from "../../networks/network.ts";

/** What a network's auctions are like, where they were counted. */
export interface UsualNetwork {
  /** Auction ids in a day. */
  readonly idsPerDay: number;
  /** Share of the ids that have an auction. */
  readonly presentShare: number;
}

/** Mainnet makes 5,300 to 5,700 ids a day; of Base's 70,000 most are absent, here three of four. */
const USUAL: Partial<Readonly<Record<NetworkName, UsualNetwork>>> = {
  mainnet: { idsPerDay: 5_500, presentShare: 1 },
  base: { idsPerDay: 70_000, presentShare: 0.25 },
};

/** What a network's auctions are like; `null` where nobody counted. */
export function usualNetwork(network: NetworkName | undefined): UsualNetwork | null {
  return network === undefined ? null : USUAL[network] ?? null;
}
