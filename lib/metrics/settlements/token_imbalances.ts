import { checkOptions, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import type { NotComputable } from "../not_computable.ts";
import { movedAtoms, type SettlementFlows } from "./moved_atoms.ts";

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
  const found = movedAtoms(settlement, options);
  if ("reason" in found) return found;
  const account = settlement.to.toLowerCase();
  const sums = new Map<string, { inAtoms: bigint; outAtoms: bigint }>();
  for (const { from, to, token, atoms } of found.moved) {
    if (from !== account && to !== account) continue;
    const sum = sums.get(token) ?? { inAtoms: 0n, outAtoms: 0n };
    if (to === account) sum.inAtoms += atoms;
    if (from === account) sum.outAtoms += atoms;
    sums.set(token, sum);
  }
  return {
    tokens: [...sums].filter(([token]) => !found.unknown.has(token))
      .map(([token, { inAtoms, outAtoms }]) => ({
        token,
        inAtoms,
        outAtoms,
        netAtoms: inAtoms - outAtoms,
      })),
    unknown: [...found.unknown].map(([token, why]) => ({ token, why })),
  };
}
