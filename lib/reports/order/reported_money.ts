import type { OrderCreation } from "../../schemas/mod.ts";
import type { ReportedFunds } from "./verdicts.ts";

/**
 * A place of an order's money: bought and with the receiver, in a settlement that may still land, with
 * the owner, in the EthFlow contract, or returned from it.
 */
export type MoneyPlaceName =
  | "received"
  | "pending_settlement"
  | "owner"
  | "ethflow_contract"
  | "returned";

/** A part of an order's money, and where it is. */
export interface MoneyPlace {
  /** Its place, as one word of a fixed list in snake_case. */
  readonly place: MoneyPlaceName;
  /** The place as a sentence without a full stop: with atoms in a report, with whole tokens on its page. */
  readonly text: string;
  /** Account or contract that has it; `null` if unknown. */
  readonly account: string | null;
  /** Amount, in atoms of `token`; `null` if unknown. */
  readonly atoms: bigint | null;
  /** Its token. */
  readonly token: string;
  /** Transaction that moved it there; `null` without one, or if unknown. */
  readonly txHash: string | null;
  /** Block of the transaction; of a pending settlement its last block; `null` if unknown. */
  readonly block: number | null;
  /** Timestamp of the block of the transaction, if it is exactly known; otherwise `null`. */
  readonly at: Temporal.Instant | null;
}

/**
 * A call that moves an order's money, or lets it be moved: `cancel` is a signed request, `place_again` a
 * signed order, the others are transactions.
 */
export type MoneyCall =
  | "cancel"
  | "invalidate_order"
  | "invalidate_ethflow_order"
  | "approve"
  | "approve_relayer"
  | "set_presignature"
  | "place_again";

/** A call that moves an order's money, ready to be signed. */
export interface MoneyMove {
  /** The call, as one word of a fixed list in snake_case. */
  readonly call: MoneyCall;
  /** Its effect as a sentence without a full stop: with atoms in a report, with whole tokens on its page. */
  readonly text: string;
  /** Account that signs or sends it; `null` if anybody may. */
  readonly from: string | null;
  /** Contract that a transaction calls; `null` for a signed request. */
  readonly to: string | null;
  /** Calldata of the transaction; `null` for a signed request. */
  readonly data: string | null;
  /**
   * The order of `place_again` for `createOrder`, complete but for its signature: the part that was not
   * filled, at the same price, with a new expiry. `null` for other calls.
   */
  readonly order: OrderCreation | null;
  /**
   * One line of code that makes the signed request, whose expiry is counted from when it runs if the responses have
   * no time; `null` for a transaction.
   */
  readonly line: string | null;
}

/** The places of an order's money, and the calls that move it. */
export interface ReportedMoney {
  /** Its places: what was received first. Empty if nothing of it is known. */
  readonly places: readonly MoneyPlace[];
  /**
   * Calls that move it. `place_again` is there only once the order can no longer be settled: before, it
   * could trade twice.
   */
  readonly moves: readonly MoneyMove[];
  /**
   * Funds of the owner at the latest block, for what is not filled; `null` without a node, for an EthFlow
   * order that is over, and if nothing is left to sell.
   */
  readonly funds: ReportedFunds | null;
}
