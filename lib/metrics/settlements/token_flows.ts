import { ADDRESS, checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { ZERO_ADDRESS } from "../../evm/hex.ts";
import type { OnchainSettlement, TokenTransfer, TradeEvent } from "../../evm/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../networks/networks.ts";

/**
 * Role of an account in a settlement: the settlement contract; an owner or receiver of one of its
 * trades; the solver that submitted it; the wrapped native token, which turns native atoms into its
 * own; nobody, where a token creates or destroys atoms; or any other, such as a pool.
 */
export type FlowRole = "contract" | "trader" | "solver" | "wrapper" | "nobody" | "other";

/** Atoms of one token that one account sent to another in a settlement. */
export interface TokenFlow {
  /** Account that paid, in lower case. */
  readonly from: string;
  /** Its role. */
  readonly fromRole: FlowRole;
  /** Account that received, in lower case. */
  readonly to: string;
  /** Its role. */
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
  /** Tokens with unknown flows, and the reasons. */
  readonly unknown: readonly { readonly token: string; readonly why: string }[];
}

/** The fields of a settlement that {@linkcode tokenFlows} reads. */
export type FlowsOfSettlement = SettlementFlows & Pick<OnchainSettlement, "from">;

const OPTIONS: OptionRules<ImbalanceOptions> = { wrappedNativeToken: ADDRESS };

/**
 * Lists the token flows between accounts in a settlement, from the `Transfer` logs of the transaction.
 *
 * Amounts that the settlement contract wraps and unwraps are exchanged with the wrapped native token.
 * Native atoms leave no logs: those that the contract sends with interactions, pays to traders and
 * unwraps are known, payments between other accounts are not. The sums that the contract received and
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
  const movements = listMovements(settlement, options);
  if ("reason" in movements) return movements;
  const findRole = createRoleFinder(settlement);
  return {
    flows: movements.moved.toSorted(compareByLog).map(({ wrapper, ...flow }) => ({
      ...flow,
      fromRole: wrapper === "from" ? "wrapper" : findRole(flow.from),
      toRole: wrapper === "to" ? "wrapper" : findRole(flow.to),
    })),
    unknown: [...movements.unknown].map(([token, reason]) => ({ token, why: reason })),
  };
}

function compareByLog(a: MovedAtoms, b: MovedAtoms): number {
  if (a.logIndex === null || b.logIndex === null) {
    return Number(a.logIndex === null) - Number(b.logIndex === null);
  }
  return a.logIndex - b.logIndex;
}

function createRoleFinder({ from: solver, to, events, trades }: FlowsOfSettlement) {
  const traders = new Set(
    listTrades(events).flatMap(({ owner }, index) =>
      [owner, trades[index]?.receiver ?? owner].map((account) => account.toLowerCase())
    ),
  );
  return (account: string): FlowRole => {
    if (sameHex(account, to)) return "contract";
    if (traders.has(account)) return "trader";
    if (sameHex(account, solver)) return "solver";
    return account === ZERO_ADDRESS ? "nobody" : "other";
  };
}

/** Amounts of one token that the settlement contract received and paid in a settlement. */
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

/** Effect of a settlement on the buffers of the settlement contract. */
export interface TokenImbalances {
  /** Tokens that moved, by address; a token that only passed through has a net of 0. */
  readonly tokens: readonly TokenImbalance[];
  /**
   * Tokens whose imbalance cannot be computed, and the reasons. Where only payments to the contract may
   * be missing, `leastNetAtoms` is a lower bound.
   */
  readonly unknown: readonly {
    readonly token: string;
    readonly why: string;
    readonly leastNetAtoms?: bigint;
  }[];
}

/** Options of {@linkcode tokenImbalances}. */
export interface ImbalanceOptions {
  /**
   * Wrapped native token of the network: its `Deposit` and `Withdrawal` are transfers too. @default
   * {those of the public networks}
   */
  readonly wrappedNativeToken?: string;
}

/**
 * Computes the token imbalance of the settlement contract: incoming less outgoing atoms, per token, from
 * the `Transfer` logs of the transaction.
 *
 * `Deposit` and `Withdrawal` of the wrapped native token count too. Native atoms leave no logs: outgoing
 * are those sent with interactions and paid to traders, incoming are those unwrapped; payments of another
 * contract in the native token are not detected. A token whose logs lack the transfers of its own trades,
 * such as one with a fee on transfers, is `unknown`, and so is one that emits no logs when balances change.
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
  const movements = listMovements(settlement, options);
  if ("reason" in movements) return movements;
  const account = settlement.to.toLowerCase();
  const sums = new Map<string, { inAtoms: bigint; outAtoms: bigint }>();
  for (const { from, to, token, atoms } of movements.moved) {
    if (from !== account && to !== account) continue;
    const sum = sums.get(token) ?? { inAtoms: 0n, outAtoms: 0n };
    if (to === account) sum.inAtoms += atoms;
    if (from === account) sum.outAtoms += atoms;
    sums.set(token, sum);
  }
  return {
    tokens: [...sums].filter(([token]) => !movements.unknown.has(token))
      .map(([token, { inAtoms, outAtoms }]) => ({
        token,
        inAtoms,
        outAtoms,
        netAtoms: inAtoms - outAtoms,
      })),
    unknown: [...movements.unknown].map(([token, why]) => {
      if (token !== movements.lacksPaymentsIn) return { token, why };
      const { inAtoms = 0n, outAtoms = 0n } = sums.get(token) ?? {};
      return { token, why, leastNetAtoms: inAtoms - outAtoms };
    }),
  };
}

/** The fields of a settlement that show what moved in it. */
export type SettlementFlows =
  & Pick<
    OnchainSettlement,
    "to" | "succeeded" | "events" | "trades" | "transfers" | "hasAllLogs"
  >
  & Partial<Pick<OnchainSettlement, "through">>;

/** Atoms of one token that one account sent to another. */
interface MovedAtoms {
  /** Account that paid, in lower case. */
  readonly from: string;
  /** Account that received, in lower case. */
  readonly to: string;
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Amount, in atoms. */
  readonly atoms: bigint;
  /** Index of the log that shows it; `null` for native atoms paid to a trader. */
  readonly logIndex: number | null;
  /** The end that is the wrapped native token, where atoms are exchanged with it. */
  readonly wrapper?: "from" | "to";
}

/** Movements of tokens in a settlement. */
interface Movements {
  /** By transfers, by interactions, to traders. */
  readonly moved: readonly MovedAtoms[];
  /** Tokens with unknown movements, and the reasons. */
  readonly unknown: ReadonlyMap<string, string>;
  /** The token among them of which only payments to the contract may be missing. */
  readonly lacksPaymentsIn?: string | undefined;
}

/** Lists the movements in a settlement, from its logs and its trades; none in one that failed. */
function listMovements(
  settlement: SettlementFlows,
  options: { readonly wrappedNativeToken?: string },
): Movements | NotComputable<"logs_incomplete"> {
  if (!settlement.succeeded) return { moved: [], unknown: new Map() };
  if (!settlement.hasAllLogs) {
    return { reason: "logs_incomplete", detail: "The source does not have all of the logs" };
  }
  const reasons = new Map(
    findMissingTransfers(settlement).map(({ token, atoms }) => [
      token,
      `No log of the token transfers ${atoms} atoms of a trade`,
    ]),
  );
  const wrapped = options.wrappedNativeToken === undefined
    ? Object.values(NETWORKS).map((network) => network.wrappedNativeToken.address)
    : [options.wrappedNativeToken];
  const movements = [
    ...readLogs(settlement, { wrapped, reasons }),
    ...listInteractionPayments(settlement, wrapped),
    ...listNativePayments(settlement),
  ].filter(({ atoms }) => atoms > 0n);
  const payer = movements.some(({ token }) => token === NATIVE_TOKEN_ADDRESS)
    ? findPossiblePayer(settlement, wrapped)
    : undefined;
  const lacksPaymentsIn = payer === undefined || reasons.has(NATIVE_TOKEN_ADDRESS)
    ? undefined
    : NATIVE_TOKEN_ADDRESS;
  if (payer !== undefined) {
    reasons.set(NATIVE_TOKEN_ADDRESS, `${payer} may pay native atoms in, which leaves no log`);
  }
  return { moved: movements, unknown: reasons, lacksPaymentsIn };
}

/** Calls of tokens that only move or approve their own atoms. */
const TOKEN_CALLS = ["0x095ea7b3", "0xa9059cbb", "0x23b872dd"];

/** Finds a contract that is called and may send native atoms back. */
function findPossiblePayer(
  { events, through }: SettlementFlows,
  wrapped: readonly string[],
): string | undefined {
  if (through != null) return through;
  for (const event of events) {
    if (event.event !== "Interaction" || TOKEN_CALLS.includes(event.selector)) continue;
    if (!wrapped.some((address) => sameHex(address, event.target))) return event.target;
  }
  return undefined;
}

/** Reads the logs of tokens; tokens whose logs cannot be read are added to `unknown`. */
function readLogs(
  { transfers, to: contract }: SettlementFlows,
  { wrapped, reasons }: { wrapped: readonly string[]; reasons: Map<string, string> },
): MovedAtoms[] {
  const account = contract.toLowerCase();
  return transfers.flatMap((transfer) => {
    const { event, token, from, to, atoms, logIndex } = transfer;
    const isOwn = from === account || to === account;
    const isWrapped = wrapped.some((address) => sameHex(address, token));
    if (event !== "Transfer") {
      if (
        transfers.some((candidate) =>
          candidate.event === "Transfer" && isSameTransfer(candidate, transfer)
        )
      ) return [];
      if (!isWrapped) {
        if (!isOwn) return [];
        const reason = `${event} of a contract that may be the wrapped native token or not`;
        reasons.set(token, reason);
        reasons.set(NATIVE_TOKEN_ADDRESS, reason);
        return [];
      }
    }
    const movement = { from, to, token, atoms, logIndex };
    if (!isWrapped) return [movement];
    if (from === ZERO_ADDRESS) return [{ ...movement, from: token, wrapper: "from" as const }];
    if (to !== ZERO_ADDRESS) return [movement];
    const burned = { ...movement, to: token, wrapper: "to" as const };
    if (from !== account) return [burned];
    const native = { ...movement, from: token, to: from, token: NATIVE_TOKEN_ADDRESS };
    return [burned, { ...native, wrapper: "from" as const }];
  });
}

function listInteractionPayments(
  { events, to }: SettlementFlows,
  wrapped: readonly string[],
): MovedAtoms[] {
  return events.flatMap((event) =>
    event.event !== "Interaction" ? [] : [{
      from: to.toLowerCase(),
      to: event.target,
      token: NATIVE_TOKEN_ADDRESS,
      atoms: event.value,
      logIndex: event.logIndex,
      ...(wrapped.some((address) => sameHex(address, event.target))
        ? { wrapper: "to" as const }
        : {}),
    }]
  );
}

function listNativePayments({ events, trades, to }: SettlementFlows): MovedAtoms[] {
  const from = to.toLowerCase();
  return listTrades(events).flatMap(({ buyToken, buyAmount, owner }, index) => {
    const receiver = (trades[index]?.receiver ?? owner).toLowerCase();
    return buyToken !== NATIVE_TOKEN_ADDRESS || receiver === from
      ? []
      : [{ from, to: receiver, token: NATIVE_TOKEN_ADDRESS, atoms: buyAmount, logIndex: null }];
  });
}

/** Lists the trades of a settlement, in order. */
function listTrades(events: SettlementFlows["events"]): TradeEvent[] {
  return events.filter((event): event is TradeEvent => event.event === "Trade");
}

type ExpectedTransfer = Pick<TokenTransfer, "token" | "from" | "to" | "atoms">;

/**
 * Finds the transfers of trades between traders and the settlement contract that the logs do not have.
 * Balances that are kept inside of the vault move without such a transfer.
 */
function findMissingTransfers(
  { to: contract, events, trades, transfers }: Pick<
    OnchainSettlement,
    "to" | "events" | "trades" | "transfers"
  >,
): ExpectedTransfer[] {
  const remaining = transfers.filter(({ event }) => event === "Transfer");
  return listTrades(events).flatMap((fill, index) =>
    listExpectedTransfers(fill, trades[index], contract)
  )
    .filter((expectedTransfer) => {
      const index = remaining.findIndex((transfer) => isSameTransfer(transfer, expectedTransfer));
      if (index >= 0) remaining.splice(index, 1);
      return index < 0;
    });
}

function listExpectedTransfers(
  { owner, sellToken, buyToken, sellAmount, buyAmount }: TradeEvent,
  trade: OnchainSettlement["trades"][number] | undefined,
  contract: string,
): ExpectedTransfer[] {
  const receiver = trade?.receiver ?? owner;
  const transfers: ExpectedTransfer[] = [];
  if (trade?.sellTokenBalance === "erc20") {
    transfers.push({ token: sellToken, from: owner, to: contract, atoms: sellAmount });
  }
  if (trade?.buyTokenBalance === "erc20" && buyToken !== NATIVE_TOKEN_ADDRESS) {
    transfers.push({ token: buyToken, from: contract, to: receiver, atoms: buyAmount });
  }
  return transfers.filter(({ atoms }) => atoms > 0n);
}

function isSameTransfer(a: ExpectedTransfer, b: ExpectedTransfer): boolean {
  return a.token === b.token && a.from === b.from && a.to === b.to &&
    a.atoms === b.atoms;
}
