import type { ExecutedProtocolFee } from "../../../schemas/mod.ts";

/** A fill of an order, as it was found on the chain. */
export interface RecordedFill {
  /** UID of the order. */
  readonly uid: string;
  /** Auction that it was settled from. */
  readonly auctionId: number;
  /** Block of the settlement. */
  readonly block: number;
  /** Index of its event in the block. */
  readonly logIndex: number;
  /** Settlement transaction. */
  readonly txHash: string;
  /** Sold, in sell-token atoms, after all fees. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
  /** All fees, in sell-token atoms. */
  readonly executedFee: bigint;
  /** Fees of the policies, in the order they were applied. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
}
