import type { DecodedSettlement } from "../settlement/decode_settlement.ts";
import type { DecodedEvent } from "../settlement/decode_settlement_events.ts";
import type { TokenTransfer } from "../settlement/token_transfers.ts";

/** A settlement transaction on the chain: its call and its result. */
export interface OnchainSettlement extends DecodedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Account that submitted it. */
  readonly from: string;
  /** The settlement contract: the contract that was called, or that `through` called. */
  readonly to: string;
  /** Another contract that was called, and called the settlement contract; `null` if none. */
  readonly through: string | null;
  /**
   * Whether the calldata of `settle` was found; without it, as with two settlements in one
   * transaction of another contract, there are events alone.
   */
  readonly isDecoded: boolean;
  /** Account that called `settle`, according to the event; `from` without another contract. */
  readonly solver: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Whether it succeeded; a reverted transaction has no events. */
  readonly succeeded: boolean;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Price per unit of gas, in wei; `null` if the node does not report it. */
  readonly effectiveGasPrice: bigint | null;
  /** Events of the settlement contract, in order. */
  readonly events: readonly DecodedEvent[];
  /** Transfers of all tokens, in order. */
  readonly transfers: readonly TokenTransfer[];
  /**
   * Whether the logs count through from the first to the last and match the receipt's Bloom filter,
   * if it has one; `false` in a recording that has only those of the settlement contract.
   */
  readonly hasAllLogs: boolean;
  /** Whether the receipt has a Bloom filter, and it is that of the logs. */
  readonly isBloomVerified: boolean;
  /**
   * Whether the hash is that of the transaction's bytes; `false` if the node does not report all of
   * them, as a recording. Otherwise the calldata is as the node says.
   */
  readonly isHashVerified: boolean;
}
