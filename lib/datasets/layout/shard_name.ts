/** Auction ids of one shard, aligned: a file's name never depends on the range of an export. */
export const IDS_PER_SHARD = 1_000;

/** The shard of an export of single orders, whose auctions are scattered. */
export const SELECTED_ORDERS = -1;

/** Where settlements stand until their auctions are known; it has no files. */
export const WALKED_SETTLEMENTS = -2;

/** The shard of orders that auctions list and no solver bid on. */
export const UNBID_ORDERS = -3;

const DIGITS = 10;

/** The shard that has an auction id. */
export function shardOf(auctionId: number): number {
  return Math.floor(auctionId / IDS_PER_SHARD);
}

/** Name of a shard, which its files have before their extension: `0011774000-0011774999`. */
export function shardName(shard: number): string {
  if (shard === SELECTED_ORDERS) return "selected";
  if (shard === WALKED_SETTLEMENTS) return "settlements";
  if (shard === UNBID_ORDERS) return "unbid";
  const first = shard * IDS_PER_SHARD;
  return `${padded(first)}-${padded(first + IDS_PER_SHARD - 1)}`;
}

/** The shard of a name; `null` if it is none. */
export function shardNamed(name: string): number | null {
  for (const one of [SELECTED_ORDERS, UNBID_ORDERS]) if (name === shardName(one)) return one;
  const shard = shardOf(Number.parseInt(name, 10));
  return name === shardName(shard) ? shard : null;
}

/** An auction id with leading zeros, so that texts sort like ids. */
export function padded(auctionId: number): string {
  return String(auctionId).padStart(DIGITS, "0");
}
