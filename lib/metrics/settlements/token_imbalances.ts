import { checkOptions, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import type { OnchainSettlement, TokenTransfer, TradeEvent } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { missingTransfers } from "./missing_transfers.ts";
import { isSameFlow, NOBODY, wrappedTokens } from "./wrapped_transfers.ts";

/** What the settlement contract received and paid of one token in a settlement. */
export interface TokenImbalance {
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Received by the settlement contract, in atoms. */
  readonly inAtoms: bigint;
  /** Paid by the settlement contract, in atoms. */
  readonly outAtoms: bigint;
  /** `inAtoms - outAtoms`: negative if the contract's buffers paid. */
  readonly netAtoms: bigint;
}

/** What a settlement did to the buffers of the settlement contract. */
export interface TokenImbalances {
  /** Tokens that moved, by address; a token that only passed through has a net of 0. */
  readonly tokens: readonly TokenImbalance[];
  /** Tokens whose imbalance cannot be computed, and why. */
  readonly unknown: readonly { readonly token: string; readonly why: string }[];
}

/** The fields of a settlement that {@linkcode tokenImbalances} reads. */
export type SettlementFlows = Pick<
  OnchainSettlement,
  "to" | "succeeded" | "events" | "trades" | "transfers" | "hasAllLogs"
>;

/** Options of {@linkcode tokenImbalances}. */
export interface ImbalanceOptions {
  /**
   * Wrapped native token of the network: its `Deposit` and `Withdrawal` are transfers too. @default
   * {those of the public networks}
   */
  readonly wrappedNativeToken?: string;
}

const OPTIONS: OptionRules<ImbalanceOptions> = { wrappedNativeToken: TEXT };

/**
 * The token imbalance of the settlement contract: what came in less what went out, per token, from
 * the `Transfer` logs of the transaction.
 *
 * `Deposit` and `Withdrawal` of the wrapped native token count too. Native atoms leave no logs: out
 * are those sent with interactions and paid to traders, in are those unwrapped; what another
 * contract pays in the native token is not seen. A token whose logs lack the transfers of its own
 * trades, such as one with a fee on transfers, is `unknown`, and so is one that emits no logs when
 * balances change.
 *
 * @param settlement A settlement, from `settlement` or `auditSettlement`.
 * @returns Atoms per token; or `"logs_incomplete"` if the source does not have all logs, as
 * recordings that have only those of the settlement contract.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example 100 came in, 90 went out
 * ```ts
 * import { tokenImbalances } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const moved = { event: "Transfer", token: "0xa1", logIndex: 0 } as const;
 * const imbalances = tokenImbalances({
 *   to: "0x90",
 *   succeeded: true,
 *   events: [],
 *   trades: [],
 *   transfers: [
 *     { ...moved, from: "0x01", to: "0x90", atoms: 100n },
 *     { ...moved, from: "0x90", to: "0x02", atoms: 90n },
 *   ],
 *   hasAllLogs: true,
 * });
 *
 * assertEquals(imbalances, {
 *   tokens: [{ token: "0xa1", inAtoms: 100n, outAtoms: 90n, netAtoms: 10n }],
 *   unknown: [],
 * });
 * ```
 */
export function tokenImbalances(
  settlement: SettlementFlows,
  options: ImbalanceOptions = {},
): TokenImbalances | NotComputable<"logs_incomplete"> {
  checkOptions(options, OPTIONS, "Cannot compute token imbalances");
  if (!settlement.succeeded) return { tokens: [], unknown: [] };
  if (!settlement.hasAllLogs) {
    return { reason: "logs_incomplete", detail: "The source does not have all of the logs" };
  }
  const unknown = new Map(
    missingTransfers(settlement).map(({ token, atoms }) => [
      token,
      `No log of the token transfers ${atoms} atoms of a trade`,
    ]),
  );
  const flows = new Flows(settlement.to, wrappedTokens(options));
  for (const transfer of settlement.transfers) {
    const fault = flows.add(transfer, settlement.transfers);
    if (fault === null) continue;
    unknown.set(transfer.token, fault);
    unknown.set(NATIVE_TOKEN_ADDRESS, fault);
  }
  flows.addNative(settlement);
  return {
    tokens: flows.tokens().filter(({ token }) => !unknown.has(token)),
    unknown: [...unknown].map(([token, why]) => ({ token, why })),
  };
}

/** Adds up what one account received and paid. */
class Flows {
  readonly #account: string;
  readonly #wrapped: readonly string[];
  readonly #sums = new Map<string, { inAtoms: bigint; outAtoms: bigint }>();

  constructor(account: string, wrapped: readonly string[]) {
    this.#account = account.toLowerCase();
    this.#wrapped = wrapped;
  }

  /** Adds a transfer; why it cannot be told what it was, or `null`. */
  add(transfer: TokenTransfer, all: readonly TokenTransfer[]): string | null {
    const { event, token, from, to, atoms } = transfer;
    const isOwn = from === this.#account || to === this.#account;
    if (!isOwn) return null;
    const isWrapped = this.#wrapped.some((one) => sameHex(one, token));
    if (event !== "Transfer") {
      // Some wrapped tokens log the same atoms as created or destroyed as well.
      if (all.some((one) => isSameFlow(one, transfer))) return null;
      if (!isWrapped) return `${event} of a contract that may be the wrapped native token or not`;
    }
    if (from === this.#account) this.#count(token, 0n, atoms);
    if (to === this.#account) this.#count(token, atoms, 0n);
    if (isWrapped && from === this.#account && to === NOBODY) {
      this.#count(NATIVE_TOKEN_ADDRESS, atoms, 0n);
    }
    return null;
  }

  /** Adds the native atoms that trades and interactions pay. */
  addNative({ events, trades }: SettlementFlows): void {
    for (const event of events) {
      if (event.event === "Interaction") this.#count(NATIVE_TOKEN_ADDRESS, 0n, event.value);
    }
    const paid = events.filter((event): event is TradeEvent => event.event === "Trade");
    for (const [place, { buyToken, buyAmount, owner }] of paid.entries()) {
      const receiver = trades[place]?.receiver ?? owner;
      if (buyToken !== NATIVE_TOKEN_ADDRESS || receiver === this.#account) continue;
      this.#count(NATIVE_TOKEN_ADDRESS, 0n, buyAmount);
    }
  }

  /** What was added, by token. */
  tokens(): TokenImbalance[] {
    return [...this.#sums].map(([token, { inAtoms, outAtoms }]) => ({
      token,
      inAtoms,
      outAtoms,
      netAtoms: inAtoms - outAtoms,
    }));
  }

  #count(token: string, inAtoms: bigint, outAtoms: bigint): void {
    if (inAtoms === 0n && outAtoms === 0n) return;
    const sum = this.#sums.get(token) ?? { inAtoms: 0n, outAtoms: 0n };
    sum.inAtoms += inAtoms;
    sum.outAtoms += outAtoms;
    this.#sums.set(token, sum);
  }
}
