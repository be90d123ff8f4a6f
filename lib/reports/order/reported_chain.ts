import type { OrderRefusal } from "../../evm/mod.ts";

/**
 * Why funds are shown for a block: the service had left the order out for lack of them by an event, or
 * as dust; its validity ended while it was left out; it is the latest block.
 */
export type FundsMomentName =
  | "first_invalid"
  | "last_invalid"
  | "last_filtered"
  | "expiry"
  | "now";

/**
 * What the owner has in the state of one block, against what the order needs. The owner of an EthFlow
 * order is the EthFlow contract, which holds the funds of all its orders together.
 */
export interface ReportedFunds {
  /** Why this block: the last one at that moment or before it. */
  readonly moment: FundsMomentName;
  /** The block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** Balance of the sell token, in atoms; inside the vault for orders that sell from there. */
  readonly balanceAtoms: bigint;
  /** Native balance that counts too, in atoms: of the EthFlow contract, which wraps it; `0n` otherwise. */
  readonly nativeAtoms: bigint;
  /** What the owner allows to be taken, in atoms of the sell token; `0n` without a needed approval. */
  readonly allowanceAtoms: bigint;
  /**
   * What the service requires of both, in atoms of the sell token: the whole amount with its signed fee;
   * 1 for an order that can be filled in parts.
   */
  readonly neededAtoms: bigint;
  /** What is left to sell with its signed fee, in atoms of the sell token, rounded down. */
  readonly remainingAtoms: bigint;
  /** What the balances lack of what is needed, in atoms; `0n` if nothing. */
  readonly missingBalanceAtoms: bigint;
  /** What the allowance lacks of it, in atoms; `0n` if nothing. */
  readonly missingAllowanceAtoms: bigint;
  /** Whether the service leaves the order out without them; it does not if a contract signed it. */
  readonly isChecked: boolean;
  /** The contract that takes the sell token. */
  readonly relayer: string;
  /** The contract that the allowance is for: the relayer, or the vault. */
  readonly spender: string;
  /** Whether the relayer is approved in the vault; `null` where the vault is not used. */
  readonly isRelayerApproved: boolean | null;
}

/** What the settlement contract makes of an order at the latest block. */
export interface ReportedState {
  /** The block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** What it counts as filled, in atoms of the fixed amount; `null` if the order is cancelled there. */
  readonly filledAtoms: bigint | null;
  /** Whether it takes the signature. */
  readonly isSignatureValid: boolean;
  /** Why it refuses the order; `null` if it settles it, as one that was cancelled by a request only. */
  readonly refusal: OrderRefusal | null;
}

/** The placement of an EthFlow order on the chain. */
export interface ReportedPlacement {
  /** Transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** Who placed it. */
  readonly sender: string;
  /** What was paid into the EthFlow contract, in native atoms: the sell amount and the signed fee. */
  readonly nativeAtoms: bigint;
  /** Quote that it names; `null` if it names none. */
  readonly quoteId: bigint | null;
  /** Expiry that was set, in unix seconds; `null` if none. */
  readonly userValidTo: number | null;
}

/** The refund of an EthFlow order on the chain. */
export interface ReportedRefund {
  /** Transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** `OrderRefund` after its expiry, `OrderInvalidation` where the trader cancelled it before. */
  readonly event: "OrderRefund" | "OrderInvalidation";
  /** Who asked for it: mostly a service, after the expiry; `null` if unknown. */
  readonly refunder: string | null;
  /** Whether that was the trader; `null` if unknown. */
  readonly isByTrader: boolean | null;
  /**
   * What the trader got back, in native atoms, computed by the contract's formula from what the service
   * reports as filled; `null` if that is more than the order.
   */
  readonly nativeAtoms: bigint | null;
}
