import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { uidParts } from "../../endpoints/call/uid_parts.ts";
import { InputError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { Transport } from "../../http/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { AuctionLooks } from "../../client/auction_looks.ts";

/** The expiry that all EthFlow orders are signed with. */
const NO_EXPIRY = 2 ** 32 - 1;
/** An auction begins at most one block after its start block; twelve seconds is the longest. */
const SLACK_MS = 15_000;

/** When auctions began, in unix milliseconds: both are the same where it is known. */
export interface StartTimes {
  /** A time that it did not begin after. */
  readonly latest: (competition: Competition) => Promise<number>;
  /** A time that it did not begin before. */
  readonly earliest: (competition: Competition) => Promise<number>;
  /** What `earliest` may be above the timestamp of the start block. */
  readonly slackMs: number;
}

/** The block at which an auction starts. */
export function startBlock({ auctionStartBlock }: Competition): Promise<number> {
  return Promise.resolve(auctionStartBlock);
}

/** Times of auctions: of their start blocks with a node, else bounds that follow from their orders. */
export function startTimes(
  looks: AuctionLooks,
  node: NodeSource | null,
  signal: AbortSignal | undefined,
): StartTimes {
  if (node !== null) {
    const known = new Map<number, number>();
    const exact = async ({ auctionStartBlock: block }: Competition) => {
      const at = known.get(block) ?? await timestampMs(node, block, signal);
      known.set(block, at);
      return at;
    };
    return { latest: exact, earliest: exact, slackMs: 0 };
  }
  return {
    latest: (competition) => Promise.resolve(firstExpiryMs(competition)),
    earliest: async (competition) =>
      (await looks.newestOrder(competition))?.epochMilliseconds ?? -Infinity,
    slackMs: SLACK_MS,
  };
}

async function timestampMs(
  node: NodeSource,
  block: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const times = await blockTimes(node, [block], signal === undefined ? {} : { signal });
  const at = times.get(block);
  if (at !== undefined) return at.epochMilliseconds;
  throw new InputError(`Cannot export: the node does not have block ${block}`, {
    remedy: "Pass a node that has all blocks of the network, or leave it out: dates then follow " +
      "from the orders of auctions",
  });
}

function firstExpiryMs({ auction }: Competition): number {
  let first = NO_EXPIRY;
  for (const uid of auction.orders) first = Math.min(first, uidParts(uid).validTo);
  return first === NO_EXPIRY ? Infinity : first * 1_000;
}

/** Id of the newest visible auction. */
export async function latestStart(
  transport: Transport,
  signal: AbortSignal | undefined,
): Promise<number> {
  return (await getCompetition(transport, "latest", { signal })).auctionId;
}
