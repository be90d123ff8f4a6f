/** Where the sell token of an order is kept: in the account, or in the Balancer vault. */
export type FundingBalance = "erc20" | "external" | "internal";

/** Whose funds to read: the fields of an order, under their wire names. */
export interface FundingQuestion {
  /** Token that is sold. */
  readonly sellToken: string;
  /** Owner of the order; of an EthFlow order the EthFlow contract. */
  readonly owner: string;
  /** The settlement contract, which names the contract that takes tokens from owners. */
  readonly settlementContract: string;
  /** Chain id of the settlement contract's network: a node of another chain is refused. */
  readonly chainId?: number;
  /** Where the token is kept. @default {"erc20"} */
  readonly sellTokenBalance?: FundingBalance;
  /**
   * Whether the owner's native balance counts too, because the owner wraps it before a settlement, as
   * the EthFlow contract does.
   * @default {false}
   */
  readonly wrapsNative?: boolean;
}

/** What an account has of a token in the state of one block, and what may be taken of it. */
export interface Funding {
  /** The block whose state it is. */
  readonly block: number;
  /** Hash of the block; `null` if the node does not report it. */
  readonly blockHash: string | null;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** Balance of the token, in atoms: of the account, or inside the vault for `internal`. */
  readonly balanceAtoms: bigint;
  /** Native balance that counts too, in atoms; `0n` unless the question has `wrapsNative`. */
  readonly nativeAtoms: bigint;
  /**
   * What may be taken, in atoms. For `external` and `internal` it is `0n` unless the owner has approved
   * the relayer in the vault; with that, `internal` has no limit: 2^256 − 1.
   */
  readonly allowanceAtoms: bigint;
  /** What a settlement can take: the smaller of all balances together and the allowance, in atoms. */
  readonly usableAtoms: bigint;
  /** The contract that the settlement contract takes tokens with. */
  readonly relayer: string;
  /** The contract that the allowance is for: the relayer; the vault for `external` and `internal`. */
  readonly spender: string;
  /** Whether the owner has approved the relayer in the vault; `null` for `erc20`. */
  readonly isRelayerApproved: boolean | null;
}

/** Why a node does not tell the funds of an account at a block. */
export type FundingReason =
  | "state_not_kept"
  | "no_such_block"
  | "calls_not_served"
  | "contract_does_not_answer";

/** That a node does not tell the funds of an account at a block, and why. */
export interface FundingUnknown {
  /** Why. */
  readonly reason: FundingReason;
  /** The same as a sentence, with the block and what the node says. */
  readonly detail: string;
  /** The block that was asked for; `null` for the latest one. */
  readonly block: number | null;
  /** What would show it. */
  readonly remedy: string;
}

const REMEDIES: Readonly<Record<FundingReason, string>> = {
  state_not_kept: "Ask an archive node, which keeps the state of every block",
  no_such_block: "Ask a node of the same network that is up to date and has all blocks",
  calls_not_served: "Ask a node, which executes calls: recordings have no state of contracts",
  contract_does_not_answer:
    "Check that the node belongs to the order's network, and that the contract existed at the block",
};

/** That the funds are not known, with its remedy. */
export function fundingUnknown(
  reason: FundingReason,
  block: number | null,
  detail: string,
): FundingUnknown {
  return { reason, detail, block, remedy: REMEDIES[reason] };
}
