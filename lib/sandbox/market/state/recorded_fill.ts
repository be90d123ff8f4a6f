import type { ExecutedProtocolFee } from "../../../schemas/mod.ts";

/** A settled fill of an order. */
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
  /** Executed sell amount, in sell-token atoms, after all fees. */
  readonly sellAmount: bigint;
  /** Executed buy amount, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
  /** All fees, in sell-token atoms. */
  readonly executedFee: bigint;
  /** Protocol fees, in the sequence of their application. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
}
