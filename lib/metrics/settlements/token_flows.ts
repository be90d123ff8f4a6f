import { checkOptions, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { missingTransfers } from "./missing_transfers.ts";
import type { ImbalanceOptions, SettlementFlows } from "./token_imbalances.ts";
import { isSameFlow, NOBODY, wrappedTokens } from "./wrapped_transfers.ts";

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
  if (!settlement.succeeded) return { flows: [], unknown: [] };
  if (!settlement.hasAllLogs) {
    return { reason: "logs_incomplete", detail: "The source does not have all of the logs" };
  }
  const unknown = new Map(
    missingTransfers(settlement).map(({ token, atoms }) => [
      token,
      `No log of the token transfers ${atoms} atoms of a trade`,
    ]),
  );
  const wrapped = wrappedTokens(options);
  const moved = [
    ...logged(settlement, { wrapped, unknown }),
    ...sentWithInteractions(settlement, wrapped),
  ].sort((a, b) => a.logIndex - b.logIndex);
  const roleOf = rolesIn(settlement);
  return {
    flows: [...moved, ...nativePaid(settlement)].filter(({ atoms }) => atoms > 0n)
      .map(({ wrapper, ...flow }) => ({
        ...flow,
        fromRole: wrapper === "from" ? "wrapper" : roleOf(flow.from),
        toRole: wrapper === "to" ? "wrapper" : roleOf(flow.to),
      })),
    unknown: [...unknown].map(([token, why]) => ({ token, why })),
  };
}

/** A flow whose roles are not yet known, and which end is the wrapped native token. */
interface Moved extends Omit<TokenFlow, "fromRole" | "toRole"> {
  readonly wrapper?: "from" | "to";
}

/** What the logs of tokens show; tokens whose logs cannot be read are added to `unknown`. */
function logged(
  { transfers, to: contract }: FlowsOfSettlement,
  { wrapped, unknown }: { wrapped: readonly string[]; unknown: Map<string, string> },
): Logged[] {
  const account = contract.toLowerCase();
  return transfers.flatMap((transfer) => {
    const { event, token, from, to, atoms, logIndex } = transfer;
    const isOwn = from === account || to === account;
    const isWrapped = wrapped.some((one) => sameHex(one, token));
    if (event !== "Transfer") {
      if (transfers.some((one) => isSameFlow(one, transfer))) return [];
      if (!isWrapped) {
        if (!isOwn) return [];
        const why = `${event} of a contract that may be the wrapped native token or not`;
        unknown.set(token, why);
        unknown.set(NATIVE_TOKEN_ADDRESS, why);
        return [];
      }
    }
    const moved = { from, to, token, atoms, logIndex };
    if (!isWrapped) return [moved];
    if (from === NOBODY) return [{ ...moved, from: token, wrapper: "from" as const }];
    if (to !== NOBODY) return [moved];
    const burned = { ...moved, to: token, wrapper: "to" as const };
    if (from !== account) return [burned];
    const native = { ...moved, from: token, to: from, token: NATIVE_TOKEN_ADDRESS };
    return [burned, { ...native, wrapper: "from" as const }];
  });
}

/** A flow that a log shows. */
type Logged = Moved & { readonly logIndex: number };

function sentWithInteractions(
  { events, to }: FlowsOfSettlement,
  wrapped: readonly string[],
): Logged[] {
  return events.flatMap((event) =>
    event.event !== "Interaction" ? [] : [{
      from: to.toLowerCase(),
      to: event.target,
      token: NATIVE_TOKEN_ADDRESS,
      atoms: event.value,
      logIndex: event.logIndex,
      ...(wrapped.some((one) => sameHex(one, event.target)) ? { wrapper: "to" as const } : {}),
    }]
  );
}

function nativePaid({ events, trades, to }: FlowsOfSettlement): Moved[] {
  const from = to.toLowerCase();
  return tradesIn(events).flatMap(({ buyToken, buyAmount, owner }, place) => {
    const receiver = (trades[place]?.receiver ?? owner).toLowerCase();
    return buyToken !== NATIVE_TOKEN_ADDRESS || receiver === from
      ? []
      : [{ from, to: receiver, token: NATIVE_TOKEN_ADDRESS, atoms: buyAmount, logIndex: null }];
  });
}

function tradesIn(events: FlowsOfSettlement["events"]): TradeEvent[] {
  return events.filter((event): event is TradeEvent => event.event === "Trade");
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
