import { checkOptions, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import type { OnchainSettlement } from "../../evm/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { type MovedAtoms, movedAtoms, type SettlementFlows, tradesIn } from "./moved_atoms.ts";
import type { ImbalanceOptions } from "./token_imbalances.ts";
import { NOBODY } from "./wrapped_transfers.ts";

/**
 * What an account is in a settlement: the settlement contract; an owner or receiver of one of its
 * trades; the solver that submitted it; the wrapped native token, which turns native atoms into its
 * own; nobody, where a token creates or destroys atoms; or any other, such as a pool.
 */
export type FlowRole = "contract" | "trader" | "solver" | "wrapper" | "nobody" | "other";

/** Atoms of one token that one account sent to another in a settlement. */
export interface TokenFlow {
  /** Account that paid, in lower case. */
  readonly from: string;
  /** What it is. */
  readonly fromRole: FlowRole;
  /** Account that received, in lower case. */
  readonly to: string;
  /** What it is. */
  readonly toRole: FlowRole;
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Amount, in atoms; above 0. */
  readonly atoms: bigint;
  /** Index in the block of the log that shows it; `null` for native atoms paid to a trader. */
  readonly logIndex: number | null;
}

/** The flows of one settlement. */
export interface TokenFlows {
  /** In the order of the logs; native atoms paid to traders last. */
  readonly flows: readonly TokenFlow[];
  /** Tokens some of whose flows are not known, and why. */
  readonly unknown: readonly { readonly token: string; readonly why: string }[];
}

/** The fields of a settlement that {@linkcode tokenFlows} reads. */
export type FlowsOfSettlement = SettlementFlows & Pick<OnchainSettlement, "from">;

const OPTIONS: OptionRules<ImbalanceOptions> = { wrappedNativeToken: TEXT };

/**
 * Who sent which token to whom in a settlement, from the `Transfer` logs of the transaction.
 *
 * What the settlement contract wraps and unwraps is exchanged with the wrapped native token. Native
 * atoms leave no logs: those that the contract sends with interactions, pays to traders and unwraps
 * are known, what other accounts pay each other is not. The sums of what the contract received and
 * paid are its {@linkcode tokenImbalances}.
 *
 * @param settlement A settlement, from `settlement` of `orderlens/evm`.
 * @returns Flows; or `"logs_incomplete"` if the source does not have all logs, as recordings that
 * have only those of the settlement contract.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example A trader sends 100, a pool gets 90
 * ```ts
 * import { tokenFlows } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const moved = { event: "Transfer", token: "0xa1" } as const;
 * const found = tokenFlows({
 *   from: "0x50",
 *   to: "0x90",
 *   succeeded: true,
 *   events: [],
 *   trades: [],
 *   transfers: [
 *     { ...moved, from: "0x01", to: "0x90", atoms: 100n, logIndex: 3 },
 *     { ...moved, from: "0x90", to: "0x02", atoms: 90n, logIndex: 4 },
 *   ],
 *   hasAllLogs: true,
 * });
 *
 * assertEquals("flows" in found && found.flows.map(({ atoms, toRole }) => [atoms, toRole]), [
 *   [100n, "contract"],
 *   [90n, "other"],
 * ]);
 * ```
 */
export function tokenFlows(
  settlement: FlowsOfSettlement,
  options: ImbalanceOptions = {},
): TokenFlows | NotComputable<"logs_incomplete"> {
  checkOptions(options, OPTIONS, "Cannot compute token flows");
  const found = movedAtoms(settlement, options);
  if ("reason" in found) return found;
  const roleOf = rolesIn(settlement);
  return {
    flows: found.moved.toSorted(byLog).map(({ wrapper, ...flow }) => ({
      ...flow,
      fromRole: wrapper === "from" ? "wrapper" : roleOf(flow.from),
      toRole: wrapper === "to" ? "wrapper" : roleOf(flow.to),
    })),
    unknown: [...found.unknown].map(([token, why]) => ({ token, why })),
  };
}

function byLog(a: MovedAtoms, b: MovedAtoms): number {
  if (a.logIndex === null || b.logIndex === null) {
    return Number(a.logIndex === null) - Number(b.logIndex === null);
  }
  return a.logIndex - b.logIndex;
}

function rolesIn({ from: solver, to, events, trades }: FlowsOfSettlement) {
  const traders = new Set(
    tradesIn(events).flatMap(({ owner }, place) =>
      [owner, trades[place]?.receiver ?? owner].map((one) => one.toLowerCase())
    ),
  );
  return (account: string): FlowRole => {
    if (sameHex(account, to)) return "contract";
    if (traders.has(account)) return "trader";
    if (sameHex(account, solver)) return "solver";
    return account === NOBODY ? "nobody" : "other";
  };
}
